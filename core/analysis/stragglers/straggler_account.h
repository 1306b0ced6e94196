#pragma once

#include "core/analysis/stragglers/operation_table.h"
#include "core/analysis/support/loss_share.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// How a job is divided; 0: as the table has it.
struct OperationSizes {
    std::int32_t dp = 0, pp = 0, vpp = 0;
    std::int32_t cp = 1;  ///< Beside dp, over which gradients are summed up, too.
};

/// The what-if analysis of "Understanding Stragglers in Large Model Training Using What-if Analysis" (OSDI 2025) of a
/// table of operations: its definitions, read anew. Times in seconds, means over the steps.
struct StragglerAccount {
    double recorded = 0, replayed = 0, withoutDelay = 0, ideal = 0;
    double replayError = 0;  ///< Of the worst step.
    double slowdown = 0;     ///< withoutDelay / ideal
    std::map<std::string, double> byType;
    std::map<std::int32_t, double> byStage, byDpRank;
    std::map<std::int32_t, double> byRank;       ///< The smaller one of its stage's and dp rank's.
    std::map<std::int32_t, double> delayByRank;  ///< With the launch delays of one rank, against withoutDelay.
    std::vector<std::int32_t> worstRanks;        ///< 3 % of the ranks.
    LossShare worst, lastStage;
};

/// @return Error "operations.sizes", "operations.incomplete", "operations.pairs" or "operations.circle", with what does
///         not fit. O(rows * replays), a replay for each type, stage, dp rank and rank.
Result<StragglerAccount> stragglerAccount(const std::vector<Operation>& operations, OperationSizes sizes,
                                          const std::string& file);

}  // namespace altiscope
