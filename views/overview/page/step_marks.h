#pragma once

#include "core/session/marks.h"
#include "views/common/plots/plot_data.h"
#include "views/overview/page/step_plots.h"

#include <optional>
#include <vector>

namespace altiscope {

/// Where marks and the marked range lie on an axis whose places are the steps of a sheet. A step lasts from the first
/// rank's begin to the last rank's end; what lies between two steps is at the border of their bars, and what lies
/// before or after all is excluded. Empty if no step has a time.
/// @param marked  The range that is marked now, on the traces' clock.
/// @param origin  From which times count.
std::vector<PlotRange> rangesOnSteps(const StepSheet& sheet, const std::vector<Mark>& marks,
                                     std::optional<TimeRange> marked, TimeNs origin);

}  // namespace altiscope
