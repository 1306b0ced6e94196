#pragma once

#include "core/analysis/account/candidates.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A node that nothing at the end of a step waits for may be this late.
inline constexpr std::int64_t kNoLatestStart = std::numeric_limits<std::int64_t>::max();

/// When each node may start at the latest so that no step of the job ends later than in a replay; kNoLatestStart: no
/// step waits for it. Where ranks have no common time each of them may take as long as the longest. O(nodes + edges).
std::vector<std::int64_t> latestStarts(const JobGraph& job, const Replay& recorded);

/// How late a rank may come to a collective.
struct ArrivalSlack {
    RankIndex rank{};
    SliceIndex slice = kNoSlice;           ///< The collective on that rank.
    std::uint32_t step = 0;                ///< Place in JobGraph::steps.
    std::uint32_t group = 0;               ///< Place among the names of groups.
    std::optional<std::int64_t> instance;  ///< As in CollectiveInstances; nullopt: not known.
    std::optional<std::int64_t> slack;     ///< ns; nullopt: no step waits for it.
};

/// Slack of all collectives whose begin lies in a step, by rank, track and begin. An arrival later by its slack, with
/// all else as recorded, makes no step of the job longer; one ns more does, where ranks have a common time.
/// @param groups  Names of the groups are appended, each once.
/// Any thread. O(nodes + edges); 48 bytes an arrival.
std::vector<ArrivalSlack> arrivalSlacks(const CandidateInput& input, const Replay& recorded,
                                        std::vector<std::string>& groups);

}  // namespace altiscope
