#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/steps/step_use.h"
#include "core/store/rows/row_table.h"

#include <memory>
#include <optional>

namespace altiscope {

/// What we compute from a rank's events beside what its profiler summed up itself. Constant.
struct RankComputation {
    /// Of the kinds StepBreakdown, OpStat, ApiStat and Collective, with the origin "computed"; null: none.
    std::shared_ptr<const RowTables> rows;
    StepUses stepUses;  ///< Of the rows of StepBreakdown, those and the recorded ones.
};

/// @param activity  What readDeviceActivity gives of the rank.
/// @param groups    Of the capture, for their names.
/// @return nullopt if cancelled (within some ms). Any thread; parallel on the arena. O(slices of device and CANN +
/// kernels).
/// @note   Without hasComputation there are no rows. Of a rank without events, but with kernels, there are rows of
///         OpStat alone: whether its kernels are all that its device did is not known.
/// @param isCut     Its timeline was cut off: no rows of StepBreakdown, since nobody knows what its steps lack.
std::optional<RankComputation> computeRank(const RankEntry& rank, const std::optional<DeviceActivity>& activity,
                                           const CaptureGroups& groups, bool isCut, const CancelToken& cancel);

}  // namespace altiscope
