#pragma once

#include "core/analysis/steps/device_activity.h"

#include <vector>

namespace altiscope {

/// Sets StepSpan::lacksKernels. Launches are the calls whose like lead to kernels elsewhere in the trace by a flow
/// HostToDevice; of a step that was recorded whole the same share of them does as of every other one. A step in which
/// more than a tenth fewer do than in the best one lacks their kernels. One without any kernel gets a span, at its time
/// on the host. Where the first launch of such a step has none, the last gap of the step before it has no known end:
/// that step is marked, too. Nothing where fewer than two steps have launches enough to tell.
/// @param steps  Of the rank.
/// @param spans  By begin; stay so.
/// O(slices of the host * log steps + flows).
void markLoneLaunches(const TraceStore& trace, const std::vector<Step>& steps, std::vector<StepSpan>& spans);

}  // namespace altiscope
