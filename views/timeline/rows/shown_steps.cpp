#include "views/timeline/rows/shown_steps.h"

#include "views/common/plots/time_axis.h"
#include "views/timeline/times/capture_extent.h"

#include <algorithm>

namespace altiscope {

std::vector<std::vector<ShownStep>> shownSteps(const TimelineSource& source, const ContextFilter& context) {
    const auto& ranks = source.store->ranks;
    std::vector<std::vector<ShownStep>> shown(ranks.size());
    const bool anyTrace = std::any_of(ranks.begin(), ranks.end(), [&context](const RankEntry& rank) {
        return rank.trace != nullptr && context.holds(rank.info);
    });
    for (RankIndex r; r.value < ranks.size(); ++r.value) {
        const RankEntry& rank = ranks[r.value];
        // Steps of which no events are shown may have another clock.
        if (!context.holds(rank.info) || (anyTrace && rank.trace == nullptr)) continue;
        const DurationNs by{source.shift.value + (source.rankShifts == nullptr ? 0 : source.rankShifts->of(r).value)};
        std::vector<ShownStep>& steps = shown[r.value];
        for (const Step& step : rank.steps) {
            if (step.range && !step.range->empty()) steps.push_back({step.number, shifted(*step.range, by)});
        }
        std::stable_sort(steps.begin(), steps.end(),
                         [](const ShownStep& a, const ShownStep& b) { return a.range.begin < b.range.begin; });
    }
    return shown;
}

std::optional<TimeRange> hullOf(const std::vector<std::vector<ShownStep>>& steps) {
    std::optional<TimeRange> hull;
    for (const auto& ofRank : steps) {
        for (const ShownStep& step : ofRank) hull = hull ? united(*hull, step.range) : step.range;
    }
    return hull;
}

std::optional<ShownStep> stepAt(const std::vector<ShownStep>& steps, TimeNs time) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        if (step->range.begin <= time && time < step->range.end) return *step;
    }
    return std::nullopt;
}

std::optional<ShownStep> neighbourStep(const std::vector<ShownStep>& steps, std::optional<std::int64_t> number,
                                       TimeRange window, bool forward) {
    if (steps.empty()) return std::nullopt;
    const auto known =
        std::find_if(steps.begin(), steps.end(), [&](const ShownStep& step) { return step.number == number; });
    if (known != steps.end()) {
        if (forward) return known + 1 == steps.end() ? std::nullopt : std::optional(*(known + 1));
        return known == steps.begin() ? std::nullopt : std::optional(*(known - 1));
    }
    if (forward) {
        const auto next = std::find_if(steps.begin(), steps.end(),
                                       [&](const ShownStep& step) { return step.range.begin >= window.begin; });
        return next == steps.end() ? steps.back() : *next;
    }
    const auto last =
        std::find_if(steps.rbegin(), steps.rend(), [&](const ShownStep& step) { return step.range.end <= window.end; });
    return last == steps.rend() ? steps.front() : *last;
}

}  // namespace altiscope
