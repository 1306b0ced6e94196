#pragma once

#include "core/analysis/collectives/collective_tasks.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// How data moved, in the words of communication files.
enum class TransferKind : std::uint8_t { Local, Hccs, Pcie, Sio, Sdma, Rdma };
/// "LOCAL", "HCCS", "PCIE", "SIO", "SDMA" (by means that nobody names), "RDMA".
std::string_view transferKindName(TransferKind kind);

/// A task that moved data, as part of a collective.
struct TransferTask {
    std::uint32_t collective = 0;  ///< Place in GroupCollectives.
    SliceIndex slice;
    std::int64_t duration = 0;            ///< ns
    bool isRemote = false;                ///< RDMASend: how long the data took does not follow from its duration.
    std::int64_t source = 0, target = 0;  ///< Places in the group.
    std::int64_t bytes = 0;
    TransferKind kind = TransferKind::Local;
    bool isKnown = false;  ///< Its arguments were there: ends and bytes count.
};

/// The tasks of one group that moved data (Memcpy, Reduce_Inline, RDMASend), by collective and begin. Their arguments
/// "src rank", "dst rank", "size(Byte)" and "link type" are read back from the source; a target of 4294967295 is the
/// source itself. Source: core/import/trace/FORMAT.md section 5.
/// @return Incomplete if cancelled. Any thread; parallel on the arena. O(tasks * log), and their arguments are read.
std::vector<TransferTask> transferTasks(const RankEntry& rank, const GroupTracks& tracks,
                                        const GroupCollectives& collectives, const CancelToken& cancel);

}  // namespace altiscope
