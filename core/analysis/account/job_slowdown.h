#pragma once

#include "core/analysis/account/candidates.h"
#include "core/analysis/support/loss_share.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// How much slower the steps of a job are than without all causes of its account, and with those of a part of it alone.
/// Ratios of mean steps. Definitions: core/analysis/FORMULAS.md section I.
struct JobSlowdown {
    /// By what is slow: "compute", "copy", "host", "event" (computing waits for a reduction), or the type of a
    /// collective (collectiveType()). Of what the causes change.
    std::map<std::string, double> byType;
    std::map<std::int64_t, double> byStage;  ///< Of the pipeline; without one all ranks are stage 0.
    std::map<std::int64_t, double> byDp;     ///< Data-parallel rank, of ranks of which it is known.
    std::vector<double> byRank, byHost;  ///< As CaptureStore::ranks; byHost: with what slows that rank's host alone.
    std::vector<RankIndex> worstRanks;   ///< 3 % of the ranks, the slowest by byRank first.
    LossShare worst, lastStage;
};

/// @param causes  Of the account of the same job, in their order.
/// @param stages, dps  Of each rank; nullopt: not known.
/// @return nullopt if cancelled. Parallel on the arena. A replay for each type, stage, dp rank and, twice, rank that
/// any cause changes; O(nodes) memory for each worker.
std::optional<JobSlowdown> jobSlowdown(const CandidateInput& input, const std::vector<CauseFacts>& causes,
                                       const std::vector<std::int64_t>& stages,
                                       const std::vector<std::optional<std::int64_t>>& dps, const CancelToken& cancel);

}  // namespace altiscope
