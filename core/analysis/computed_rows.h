#pragma once

#include "core/analysis/collective_times.h"
#include "core/analysis/operator_totals.h"
#include "core/analysis/step_breakdown.h"

#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What we compute from a rank's events beside what its profiler summed up itself. Constant.
struct RankComputation {
    std::vector<StepBreakdown> breakdown;
    std::vector<OperatorTotal> operators;
    std::vector<ApiTotal> calls;
    std::vector<CollectiveTime> collectives;
    /// The same as rows of the kinds StepBreakdown, OpStat, ApiStat and Collective with the origin "computed"; null: none.
    std::shared_ptr<const RowTables> rows;
};

/// Whether there is anything to compute from: a rank whose events were read, all of them.
bool hasComputation(const RankEntry& rank);

/// @param groups  Rows of the capture, for the names of groups; may be null.
/// @return nullopt if cancelled (within some ms). Any thread; parallel on the arena. O(slices of device and CANN + kernels).
/// @note   Without hasComputation the result is empty.
std::optional<RankComputation> computeRank(const RankEntry& rank, const RowTables* groups, const CancelToken& cancel);

}  // namespace altiscope
