#pragma once

#include "core/store/columns/trace_store.h"
#include "core/trace/rank.h"

#include <vector>

namespace altiscope {

/// Training steps of a trace: slices named `ProfilerStep#N`, whose times are host times; where there are none, the
/// iterations of a graph, `Iteration N` on a track "Step Trace(Model ID:M)" of the device: those of the model with most
/// of them. Where a number occurs more than once, the longest slice stands for it. Sorted by number. O(slices), only if
/// such names exist. Source: core/import/trace/FORMAT.md.
std::vector<Step> findSteps(const TraceStore& store);

}  // namespace altiscope
