#pragma once

#include "core/analysis/account/rank_graph.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/collectives/collective_instances.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Which part of a collective is what, on one rank; times on the clock of the graph. The times ascend.
struct CollectiveShare {
    static constexpr std::uint32_t kNoInstance = 0xffffffffU;

    std::int64_t begin = 0, end = 0;
    std::int64_t arrived = 0;              ///< The last rank that is here came; wait before.
    std::int64_t transferBegin = 0;        ///< Between `arrived` and this: see `isAbsent`. Transfer after.
    bool isAbsent = false;                 ///< A rank that is not here is why; else it is not known what passed then.
    std::uint32_t instance = kNoInstance;  ///< In JobCollectives::instances.
};

/// A collective over the ranks that are here.
struct CollectiveInstance {
    std::int64_t number = 0;                         ///< Index in CollectiveInstances.
    std::uint32_t firstMember = 0, memberCount = 0;  ///< In JobCollectives::members.
    std::uint32_t late = 0;                          ///< Which member came last.
    bool isComplete = false;                         ///< All ranks of its group are here.
    bool isPeerToPeer = false;
    std::string what;  ///< Equal for what takes equally long: type, count of elements, size of the group.
    std::optional<std::int64_t> like;  ///< ns that such collectives take to move their data; nullopt: not known.
};
struct CollectiveMember {
    RankIndex rank{};
    std::uint32_t collective = 0;  ///< In RankGraph::collectives.
};

/// The collectives of all ranks. Constant.
struct JobCollectives {
    std::vector<CollectiveInstance> instances;  ///< By number.
    std::vector<CollectiveMember> members;
    std::vector<std::vector<CollectiveShare>> shares;  ///< By rank, as RankGraph::collectives.
    std::vector<std::vector<std::string>> groups;      ///< Names of the groups, likewise.
    ClockAlignment clocks;

    /// The time on the common clock. Of a rank whose clock is not known its own.
    std::int64_t aligned(std::size_t rank, std::int64_t own) const;
};

/// @param graphs    Of each rank; null: it has no events.
/// @param computed  Rows of each rank, as computeRank gives them; null: none.
/// @param isJob     False: no rank waits for another one.
/// @return nullopt if cancelled. O(collectives * log).
std::optional<JobCollectives> joinCollectives(const CaptureStore& capture, const CaptureGroups& directory,
                                              const std::vector<std::optional<RankGraph>>& graphs,
                                              const CollectiveInstances& instances,
                                              const std::vector<const RowTables*>& computed, bool isJob,
                                              const CancelToken& cancel);

}  // namespace altiscope
