#include "views/timeline/rows/shown_steps.h"

#include "views/common/plots/time_axis.h"
#include "views/timeline/times/capture_extent.h"

#include <algorithm>
#include <map>
#include <set>

namespace altiscope {

std::vector<ShownStep> shownSteps(const TimelineSource& source, const ContextFilter& context) {
    std::map<std::int64_t, std::vector<TimeRange>> ranges;  // by number
    // Several recordings of a rank have steps of their own, though their numbers may be the same.
    std::set<std::int64_t> known;
    bool isRecordedAgain = false;
    const auto& ranks = source.store->ranks;
    const bool anyTrace = std::any_of(ranks.begin(), ranks.end(), [&context](const RankEntry& rank) {
        return rank.trace != nullptr && context.holds(rank.info);
    });
    for (RankIndex r; r.value < ranks.size(); ++r.value) {
        const RankEntry& rank = ranks[r.value];
        if (rank.info.rankId && !known.insert(*rank.info.rankId).second) isRecordedAgain = true;
        // Steps of which no events are shown may have another clock.
        if (!context.holds(rank.info) || (anyTrace && rank.trace == nullptr)) continue;
        const DurationNs by{source.shift.value + (source.rankShifts == nullptr ? 0 : source.rankShifts->of(r).value)};
        for (const Step& step : rank.steps) {
            if (!step.range || step.range->empty()) continue;
            ranges[step.number].push_back(shifted(*step.range, by));
        }
    }
    std::vector<ShownStep> steps;
    for (auto& [number, all] : ranges) {
        std::sort(all.begin(), all.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
        for (std::size_t i = 0; i < all.size(); ++i) {
            // What overlaps is one step, on several ranks; without further recordings all of one number is.
            const bool isSame = i > 0 && (!isRecordedAgain || overlaps(steps.back().range, all[i]));
            if (isSame) steps.back().range = united(steps.back().range, all[i]);
            else steps.push_back({number, all[i]});
        }
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const ShownStep& a, const ShownStep& b) { return a.range.begin < b.range.begin; });
    return steps;
}

std::optional<ShownStep> stepAt(const std::vector<ShownStep>& steps, TimeNs time) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        if (step->range.begin <= time && time < step->range.end) return *step;
    }
    return std::nullopt;
}

std::optional<ShownStep> neighbourStep(const std::vector<ShownStep>& steps, std::optional<TimeRange> marked,
                                       TimeRange window, bool forward) {
    if (steps.empty()) return std::nullopt;
    const auto known = std::find_if(steps.begin(), steps.end(),
                                    [&](const ShownStep& step) { return marked && step.range == *marked; });
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
