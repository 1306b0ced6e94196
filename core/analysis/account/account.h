#pragma once

#include "core/analysis/account/critical_path.h"
#include "core/analysis/account/job_slowdown.h"
#include "core/analysis/account/rank_account.h"
#include "core/analysis/account/slack.h"
#include "core/analysis/support/capture_facts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// What the account of a capture is made of.
struct AccountRequest {
    const CaptureStore& capture;
    const CaptureGroups& directory;
    const std::vector<RankFacts>& facts;                           ///< Of each rank.
    const std::vector<std::optional<DeviceActivity>>& activities;  ///< Of each rank; nullopt: nothing to compute.
    const CollectiveInstances& instances;                          ///< Of recorded and computed rows.
    const std::vector<const RowTables*>& computed;                 ///< As computeRank gives them.
    /// With more slices than these on the tracks that become nodes, ranks are looked at one by one, and nothing is said
    /// of the job.
    std::uint64_t maxSlices = kMaxSlices;
    /// About 110 bytes each while the account is made: 2 GB, and 400 MB for 1,000 ranks of 3,800 slices.
    static constexpr std::uint64_t kMaxSlices = 20'000'000;
};

/// Dependencies of the steps of a job.
struct JobPaths {
    std::vector<std::optional<std::int64_t>> steps;  ///< Numbers, ascending; nullopt: the recording has none.
    std::vector<PathPiece> path;                     ///< By step and time.
    std::vector<ArrivalSlack> slacks;                ///< By rank, track and begin.
    std::vector<std::string> groups;                 ///< Names: ArrivalSlack::group.
};

/// What accountOf() gives beside the account, where a pointer is given.
struct AccountExtras {
    std::vector<std::vector<AccountGap>>* gaps = nullptr;  ///< All gaps of each rank, by step and time.
    /// Costs one replay and one pass back. Untouched where the account refuses a replay.
    JobPaths* paths = nullptr;
};

/// Works out where the time of each step went and what its causes cost.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(slices * log + what-ifs * slices).
std::optional<AccountFacts> accountOf(const AccountRequest& request, const AccountExtras& extras,
                                      const CancelToken& cancel);

/// Which parts of a job its causes slow down. @pre accountOf() gave `job` and refuses nothing.
/// @param dps  Data-parallel rank of each rank; nullopt: not known.
/// @return nullopt if cancelled. Any thread; parallel on the arena. As accountOf(), with a replay for each part.
std::optional<JobSlowdown> slowdownOf(const AccountRequest& request, const JobAccount& job,
                                      const std::vector<std::optional<std::int64_t>>& dps, const CancelToken& cancel);

}  // namespace altiscope
