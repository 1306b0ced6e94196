#pragma once

#include "core/analysis/account/host_cover.h"
#include "core/analysis/account/job_collectives.h"
#include "core/analysis/account/rank_graph.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/account_facts.h"

#include <optional>
#include <vector>

namespace altiscope {

/// A gap of the device in a step of RankAccount::steps.
struct AccountGap {
    std::size_t step = 0;
    std::uint32_t track = 0;  ///< Of the task that ends it; of the first stream where none does.
    GapFacts facts;
};

/// What is read of a rank to work out its account.
struct AccountInput {
    const RankEntry& rank;
    const DeviceActivity& activity;
    std::optional<std::int64_t> device;  ///< The one that stands for the rank.
    const RankGraph& graph;
    const std::vector<CollectiveShare>& shares;
    const HostCover& host;
};

/// The account of a rank, and all of its gaps by time if `gaps` is given.
/// @return nullopt if cancelled. O(intervals + gaps * what the host did in them).
std::optional<RankAccount> accountOfRank(const AccountInput& input, std::vector<AccountGap>* gaps,
                                         const CancelToken& cancel);

}  // namespace altiscope
