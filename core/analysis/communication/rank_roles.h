#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope {

/// What a rank does in its job. Only ranks of the same stage and role do the same work.
struct RankRole {
    std::int64_t stage = 0;   ///< In its pipeline.
    std::int64_t stages = 1;  ///< Of its pipeline.
    std::string role;         ///< "actor"; empty if nothing states it.
};

/// The roles of the ranks of a capture, as CaptureStore::ranks. Stages are taken from the first of these that states
/// any:
/// groups of the kind "pp"; the metadata pp_index, which is 0 everywhere where it is not known (source:
/// core/import/cluster/FORMAT.md section 3); the metadata pipeline_stage; the sizes in distributed_args, by the order
/// of Megatron and only where they give the size of the job (section 3 there); groups of unknown kind in which ranks
/// send to and receive from each other.
/// @param tables  Rows of collectives of each rank; null: none.
/// O(ranks of all groups + collectives).
std::vector<RankRole> rankRoles(const CaptureStore& capture, const CaptureGroups& groups,
                                const std::vector<const RowTables*>& tables);

}  // namespace altiscope
