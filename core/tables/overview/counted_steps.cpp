#include "core/tables/overview/counted_steps.h"

#include <optional>

namespace altiscope {

CountedSteps countedSteps(const OverviewNumbers& numbers, const ContextFilter& context) {
    CountedSteps counted;
    const std::size_t ranks = numbers.capture->ranks.size();
    std::vector<bool> areComputed(ranks), areNumbered(ranks);
    for (const StepTime& time : numbers.steps) {
        if (time.origin == Origin::Computed) areComputed[time.rank.value] = true;
        if (time.step) areNumbered[time.rank.value] = true;
    }
    // Rows of a rank follow each other.
    std::optional<RankIndex> last;
    ContextFilter ofRank;
    for (const StepTime& time : numbers.steps) {
        const std::uint32_t rank = time.rank.value;
        if (time.origin == Origin::Recorded && areComputed[rank]) continue;
        if (!time.step && areNumbered[rank]) continue;
        if (last != time.rank) ofRank = context.onClockOf(time.rank);
        last = time.rank;
        if (!ofRank.empty() && !ofRank.holds(numbers.capture->ranks[rank], time.step)) continue;
        if (time.use == StepUse::NoKernels || time.use == StepUse::Differs) ++counted.doubtful;
        else counted.times.push_back(time);
    }
    return counted;
}

}  // namespace altiscope
