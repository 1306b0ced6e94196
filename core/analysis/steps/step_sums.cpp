#include "core/analysis/steps/step_sums.h"

#include <algorithm>

namespace altiscope {

std::size_t Occurrences::stepsWithAny() const {
    return static_cast<std::size_t>(
        std::count_if(byStep.begin(), byStep.end(), [](std::int64_t ns) { return ns > 0; }));
}

std::int64_t Occurrences::perAffectedStep() const {
    const std::size_t steps = stepsWithAny();
    std::int64_t sum = 0;
    for (const std::int64_t ns : byStep) addSaturated(sum, ns);
    return steps == 0 ? 0 : sum / static_cast<std::int64_t>(steps);
}

StepSums::StepSums(const TraceStore* trace, const std::vector<StepSpan>& steps, Clock clock)
    : m_trace(trace), m_steps(steps.size()) {
    for (std::size_t i = 0; i < steps.size(); ++i)
        m_spans.push_back({clock == Clock::Host && steps[i].host ? *steps[i].host : steps[i].device, i});
    std::sort(m_spans.begin(), m_spans.end(),
              [](const Span& a, const Span& b) { return a.range.begin < b.range.begin; });
}

std::optional<std::size_t> StepSums::stepAt(TimeNs time) const {
    const auto after = std::upper_bound(m_spans.begin(), m_spans.end(), time,
                                        [](TimeNs t, const Span& span) { return t < span.range.begin; });
    if (after == m_spans.begin() || (after - 1)->range.end < time) return std::nullopt;
    return (after - 1)->step;
}

void StepSums::addUnseen(Occurrences& to, TimeRange range, std::int64_t amount) const {
    ++to.count;
    addSaturated(to.total, amount);
    to.max = std::max(to.max, range.length().value);
    to.byStep.resize(m_steps);
    if (const auto step = stepAt(range.begin)) addSaturated(to.byStep[*step], amount);
}

void StepSums::addUnion(Occurrences& to, std::vector<SliceIndex> slices, const IntervalSet& others) const {
    const auto rangeOf = [this](SliceIndex slice) { return TimeRange{m_trace->begin(slice), m_trace->end(slice)}; };
    // Of those that begin at once the longest first: it covers the others.
    std::stable_sort(slices.begin(), slices.end(), [&](SliceIndex a, SliceIndex b) {
        const TimeRange first = rangeOf(a), second = rangeOf(b);
        return first.begin != second.begin ? first.begin < second.begin : second.end < first.end;
    });
    TimeNs covered{-kMaxTimeNs};
    for (const SliceIndex slice : slices) {
        const TimeRange range = rangeOf(slice), own{std::max(range.begin, covered), std::max(range.end, covered)};
        covered = own.end;
        add(to, slice, own.length().value - lengthWithin(others, own).value);
    }
}

void StepSums::add(Occurrences& to, SliceIndex slice, std::int64_t amount, std::optional<TimeRange> whole) const {
    const TimeRange range{m_trace->begin(slice), m_trace->end(slice)};
    addUnseen(to, range, amount);
    const bool full = to.longest.size() == Occurrences::kMaxSlices;
    if (full && to.longest.back().amount >= amount) return;
    if (full) to.longest.pop_back();
    const auto place = std::find_if(to.longest.begin(), to.longest.end(),
                                    [&](const FactSlice& other) { return other.amount < amount; });
    to.longest.insert(place, {m_trace->id(slice), std::string(m_trace->name(slice)), whole.value_or(range), amount});
}

}  // namespace altiscope
