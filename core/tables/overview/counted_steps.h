#pragma once

#include "core/tables/overview/overview_numbers.h"
#include "core/tables/scope/context_filter.h"

#include <cstddef>
#include <vector>

namespace altiscope {

/// The steps that plots and pages over ranks are made of, one per rank (or device of a rank with several) and step.
struct CountedSteps {
    std::vector<StepTime> times;  ///< In the order of OverviewNumbers::steps.
    std::size_t doubtful = 0;     ///< How many are left out, since their events are not all of them.
};

/// Those that the context holds and that reports, comparisons, gates and findings count (readStepTimes), computed from
/// the events where a rank has any. Rows without a step count for ranks that have no other. Any thread. O(rows · log).
CountedSteps countedSteps(const OverviewNumbers& numbers, const ContextFilter& context);

}  // namespace altiscope
