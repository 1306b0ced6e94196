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

namespace {

/// Adds the times of a rank's chosen steps. @return Whether any of them has a time at all.
bool addTimes(const ContextFilter& context, const RankEntry& rank, std::vector<TimeRange>& times) {
    bool any = false;
    for (const Step& step : rank.steps) {
        if (!step.range || !context.holdsStep(step.number)) continue;
        any = true;
        if (!context.holdsTime(step.range)) continue;
        const TimeRange within = context.range.value_or(*step.range);
        times.push_back({std::max(step.range->begin, within.begin), std::min(step.range->end, within.end)});
    }
    return any;
}

}  // namespace

std::optional<std::vector<TimeRange>> timesOf(const ContextFilter& context, const CaptureStore& capture) {
    if (context.steps.empty()) return context.range ? std::optional(std::vector{*context.range}) : std::nullopt;
    std::vector<TimeRange> times;
    bool any = false;
    for (RankIndex i; i.value < capture.ranks.size(); ++i.value) {
        if (!context.holds(capture.ranks[i.value].info)) continue;
        const std::size_t before = times.size();
        any = addTimes(context.onClockOf(i), capture.ranks[i.value], times) || any;
        for (std::size_t t = before; t < times.size(); ++t)
            times[t] = {times[t].begin + context.shiftOf(i), times[t].end + context.shiftOf(i)};
    }
    if (!any) return std::nullopt;
    return unionOf(std::move(times), {});
}

std::optional<std::vector<TimeRange>> timesOf(const ContextFilter& context, const RankEntry& rank) {
    if (context.steps.empty()) return context.range ? std::optional(std::vector{*context.range}) : std::nullopt;
    std::vector<TimeRange> times;
    if (!addTimes(context, rank, times)) return std::nullopt;
    return unionOf(std::move(times), {});
}

}  // namespace altiscope
