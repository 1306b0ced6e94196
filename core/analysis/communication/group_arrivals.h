#pragma once

#include "core/analysis/collectives/collective_instances.h"
#include "core/analysis/communication/collective_volume.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// The collectives of a capture by group, as the ranks that are here came to them. A collective ends together on all
/// its ranks, so that how long each was in it says when it came: no clocks are compared. Constant.
struct GroupArrivals {
    struct Group {
        std::string name;      ///< "__586", what the names of its collectives hold of it, where no file names it.
        std::string kind;      ///< "tp"; empty: not known.
        std::size_t size = 0;  ///< All its ranks; 0: not known.
        std::vector<RankIndex> ranks;  ///< That came to any of its collectives, ascending.
    };
    struct Member {
        RankIndex rank{};
        TimeNs begin;  ///< On the clock of the rank.
        std::int64_t elapsed = 0;
    };
    struct Collective {
        std::uint32_t group = 0, operation = 0;  ///< Indexes in groups and operations.
        std::uint32_t firstMember = 0, memberCount = 0;
        std::optional<std::int64_t> step;
        bool isComplete = false;                 ///< All ranks of its group are here; of sends both.
        std::optional<CollectiveVolume> volume;  ///< nullopt: not known.
    };
    std::vector<Group> groups;            ///< By name.
    std::vector<std::string> operations;  ///< "hcom_allReduce", sorted.
    std::vector<Collective> collectives;  ///< With two members or more, by number of the instance.
    std::vector<Member> members;          ///< By collective, then by rank.
};

/// @param rows       Of collectives that count for a rank, as CaptureStore::ranks: recorded or computed; null: none.
/// @param instances  Of both.
/// @return Null if cancelled. Any thread; parallel on the arena. O(rows * log), and the arguments of a collective are
/// read on one of its ranks.
std::shared_ptr<const GroupArrivals> groupArrivals(const CaptureStore& capture,
                                                   const std::vector<std::shared_ptr<const RowTables>>& rows,
                                                   const CollectiveInstances& instances, const CancelToken& cancel);

}  // namespace altiscope
