#include "core/tables/overview/counted_steps.h"

#include <set>

namespace altiscope {

CountedSteps countedSteps(const OverviewNumbers& numbers, const ContextFilter& context) {
    CountedSteps counted;
    std::set<RankIndex> areComputed, areNumbered;
    for (const StepTime& time : numbers.steps) {
        if (time.origin == Origin::Computed) areComputed.insert(time.rank);
        if (time.step) areNumbered.insert(time.rank);
    }
    for (const StepTime& time : numbers.steps) {
        if (time.origin == Origin::Recorded && areComputed.contains(time.rank)) continue;
        if (!time.step && areNumbered.contains(time.rank)) continue;
        if (!context.onClockOf(time.rank).holds(numbers.capture->ranks[time.rank.value], time.step)) continue;
        if (time.use == StepUse::NoKernels || time.use == StepUse::Differs) ++counted.doubtful;
        else counted.times.push_back(time);
    }
    return counted;
}

}  // namespace altiscope
