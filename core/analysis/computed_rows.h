#pragma once

#include "core/analysis/device_activity.h"
#include "core/store/row_table.h"

#include <memory>
#include <optional>

namespace altiscope {

/// What we compute from a rank's events beside what its profiler summed up itself. Constant.
struct RankComputation {
    /// Of the kinds StepBreakdown, OpStat, ApiStat and Collective, with the origin "computed"; null: none.
    std::shared_ptr<const RowTables> rows;
};

/// @param groups  Rows of the capture, for the names of groups; may be null.
/// @return nullopt if cancelled (within some ms). Any thread; parallel on the arena. O(slices of device and CANN + kernels).
/// @note   Without hasComputation the result is empty.
std::optional<RankComputation> computeRank(const RankEntry& rank, const RowTables* groups, const CancelToken& cancel);

}  // namespace altiscope
