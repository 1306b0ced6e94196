#include "core/tables/scope/context_filter.h"

#include "core/base/columns/interval_set.h"

#include <utility>

namespace altiscope {

ContextFilter ContextFilter::forCapture(CaptureId capture) const {
    ContextFilter own = *this;
    if (rangeCapture != capture) {
        own.range.reset();
        own.rangeShifts.reset();
    }
    return own;
}

ContextFilter ContextFilter::onClockOf(RankIndex rank) const {
    ContextFilter own = *this;
    if (range) own.range = TimeRange{range->begin - shiftOf(rank), range->end - shiftOf(rank)};
    own.rangeShifts.reset();
    return own;
}

bool ContextFilter::holds(const RankEntry& rank, std::optional<std::int64_t> step) const {
    if (!holds(rank.info) || !holdsStep(step)) return false;
    if (!range) return true;
    if (!step) return holdsTime(rank.trace ? std::optional(rank.trace->homeRange()) : std::nullopt);
    return std::any_of(rank.steps.begin(), rank.steps.end(),
                       [&](const Step& known) { return known.number == *step && holdsTime(known.range); });
}

std::optional<std::vector<TimeRange>> timesOf(const ContextFilter& context, const RankEntry& rank) {
    if (context.steps.empty()) return context.range ? std::optional(std::vector{*context.range}) : std::nullopt;
    std::vector<TimeRange> times;
    bool isKnown = false, isChosen = false, isWithoutTime = false;
    for (const Step& step : rank.steps) {
        isKnown = isKnown || step.range;
        if (!context.holdsStep(step.number)) continue;
        (step.range ? isChosen : isWithoutTime) = true;
        if (!step.range || !context.holdsTime(step.range)) continue;
        const TimeRange within = context.range.value_or(*step.range);
        times.push_back({std::max(step.range->begin, within.begin), std::min(step.range->end, within.end)});
    }
    if (!isChosen && (isWithoutTime || !isKnown)) return std::nullopt;
    return unionOf(std::move(times), {});
}

}  // namespace altiscope
