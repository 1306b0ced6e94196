#include "core/analysis/snapshot/history_steps.h"

#include "core/analysis/snapshot/period_releases.h"
#include "core/base/values/median.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kEntriesBetweenLooks = std::size_t{1} << 15;

/// The number of a step in an annotation: its last one.
std::optional<std::int64_t> stepNumber(std::string_view annotation) {
    constexpr std::size_t kMaxAnnotationLength = 200, kMaxDigits = 12;
    if (annotation.size() > kMaxAnnotationLength) return std::nullopt;
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t last = annotation.find_last_of(kDigits);
    if (last == std::string_view::npos) return std::nullopt;
    const std::size_t before = annotation.find_last_not_of(kDigits, last);
    const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    std::string words(annotation.substr(0, first));
    for (char& c : words) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool counts = words.find("step") != std::string::npos || words.find("iter") != std::string::npos ||
                        words.find("batch") != std::string::npos;
    if (!counts || last + 1 - first > kMaxDigits) return std::nullopt;
    return wholeNumber(annotation.substr(first, last + 1 - first));
}

/// A call stack that allocates again and again in the same distance.
struct Rhythm {
    double distance = 0;
    std::vector<EventNumber> begins;
};

std::optional<Rhythm> rhythmOf(std::vector<EventNumber> begins, EventNumber entries) {
    constexpr std::size_t kIrregular = 2;  // distances at the begin, where caches and states are made
    constexpr double kTolerance = 0.25, kMinCovered = 0.5;
    if (begins.size() < HistorySteps::kFewest + 1) return std::nullopt;
    std::vector<EventNumber> distances;
    for (std::size_t i = 1; i < begins.size(); ++i) distances.push_back(begins[i] - begins[i - 1]);
    std::vector<EventNumber> sorted = distances;
    const double usual = upperMedian(sorted);
    const auto isUsual = [usual](EventNumber distance) {
        return distance >= usual * (1 - kTolerance) && distance <= usual * (1 + kTolerance);
    };
    std::size_t first = 0;
    while (first < std::min(kIrregular, distances.size()) && !isUsual(distances[first])) ++first;
    if (!std::all_of(distances.begin() + static_cast<std::ptrdiff_t>(first), distances.end(), isUsual))
        return std::nullopt;
    begins.erase(begins.begin(), begins.begin() + static_cast<std::ptrdiff_t>(first));
    const double covered = begins.back() - begins.front();
    if (begins.size() < HistorySteps::kFewest + 1 || covered < kMinCovered * entries) return std::nullopt;
    return Rhythm{usual, std::move(begins)};
}

}  // namespace

HistorySteps stepsByProfile(const SnapshotClock& clock, std::span<const Step> steps) {
    HistorySteps found{StepSource::Profile, {}};
    std::vector<TimeRange> ranges;
    for (const Step& step : steps) {
        if (step.range) ranges.push_back(*step.range);
    }
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    const auto add = [&](TimeNs time) {
        const auto event = clock.eventAt(time);
        if (event && (found.borders.empty() || found.borders.back() < *event + 1)) found.borders.push_back(*event + 1);
    };
    for (const TimeRange& range : ranges) add(range.begin);
    if (!ranges.empty()) add(ranges.back().end);
    if (found.borders.size() < 2) found = {};
    return found;
}

HistorySteps stepsByAnnotations(const DeviceSnapshot& snapshot, const CancelToken& cancel) {
    HistorySteps found{StepSource::Annotations, {}};
    if (!snapshot.hasAnnotations) return {};
    std::unordered_map<const char*, std::optional<std::int64_t>> numbers;  // by text, each of which is kept once
    std::int64_t newest = -1;
    EventNumber firstAnnotated = kBeforeHistory;
    for (EventNumber number = 0; number < snapshot.events; ++number) {
        if (static_cast<std::size_t>(number) % kEntriesBetweenLooks == 0 && cancel.cancelled()) return {};
        const std::string_view text = snapshot.entryAnnotation(number);
        // What names a block alone says nothing of the time.
        if (text.empty() || snapshot.entry(number).action == SnapshotAction::Other) continue;
        const auto [known, isNew] = numbers.try_emplace(text.data(), std::nullopt);
        if (isNew) known->second = stepNumber(text);
        const auto step = known->second;
        if (!step || *step <= newest) continue;
        if (firstAnnotated < 0) firstAnnotated = number;
        newest = *step;
        found.borders.push_back(number);
    }
    // A history that begins within a step does not have that one whole.
    if (!found.borders.empty() && firstAnnotated == 0) found.borders.erase(found.borders.begin());
    if (found.borders.size() < 2) return {};
    return found;
}

HistorySteps stepsByRanges(const DeviceSnapshot& snapshot, const CancelToken& cancel) {
    HistorySteps found{StepSource::Annotations, {}};
    std::vector<TimeNs> begins;
    TimeNs lastEnd;
    std::int64_t newest = -1;
    for (const SnapshotRange& range : snapshot.ranges) {
        const auto step = range.hasBegin ? stepNumber(snapshot.rows->text(StringId{range.name})) : std::nullopt;
        if (!step || *step <= newest) continue;
        newest = *step;
        begins.push_back(range.time.begin);
        lastEnd = range.time.end;
    }
    if (!begins.empty()) begins.push_back(lastEnd);
    auto next = begins.begin();
    for (EventNumber number = 0; next != begins.end() && number < snapshot.events; ++number) {
        if (static_cast<std::size_t>(number) % kEntriesBetweenLooks == 0 && cancel.cancelled()) return {};
        const auto time = snapshot.timeAt(number);
        if (!time || *time < *next) continue;
        while (next != begins.end() && *next <= *time) ++next;
        found.borders.push_back(number);
    }
    // Of a step that begins before the history not all is there.
    if (!found.borders.empty() && found.borders.front() == 0) found.borders.erase(found.borders.begin());
    if (found.borders.size() < 2) return {};
    return found;
}

HistorySteps stepsByRepetition(const DeviceSnapshot& snapshot, const CancelToken& cancel) {
    constexpr double kAlike = 0.1;
    constexpr std::size_t kFewestStacks = 2;
    std::vector<std::vector<EventNumber>> byStack(snapshot.stacks.size());
    for (const BlockLife& block : snapshot.blocks) {
        if (block.stack != 0 && block.begin >= 0) byStack[block.stack].push_back(block.begin);
    }
    std::vector<Rhythm> rhythms;
    for (std::vector<EventNumber>& begins : byStack) {
        if (cancel.cancelled()) return {};
        if (auto rhythm = rhythmOf(std::move(begins), snapshot.events)) rhythms.push_back(std::move(*rhythm));
    }
    std::sort(rhythms.begin(), rhythms.end(), [](const Rhythm& a, const Rhythm& b) { return a.distance < b.distance; });
    std::size_t most = 0;
    const Rhythm* chosen = nullptr;
    for (std::size_t first = 0; first < rhythms.size();) {
        std::size_t end = first;
        const Rhythm* longest = &rhythms[first];
        for (; end < rhythms.size() && rhythms[end].distance <= rhythms[first].distance * (1 + kAlike); ++end) {
            if (rhythms[end].begins.size() > longest->begins.size()) longest = &rhythms[end];
        }
        if (end - first >= most) {
            most = end - first;
            chosen = longest;
        }
        first = end;
    }
    if (chosen == nullptr || most < kFewestStacks) return {};
    // Layers of a pass come in the same distance, too.
    if (!PeriodReleases(snapshot).areSteps(chosen->begins, cancel)) return {};
    return {StepSource::Repetition, chosen->begins};
}

HistorySteps historySteps(const DeviceSnapshot& snapshot, const SnapshotClock& clock, std::span<const Step> steps,
                          const CancelToken& cancel) {
    if (!clock.empty()) {
        HistorySteps found = stepsByProfile(clock, steps);
        if (found.count() >= HistorySteps::kFewest) return found;
    }
    HistorySteps found = stepsByAnnotations(snapshot, cancel);
    if (found.count() < HistorySteps::kFewest) found = stepsByRanges(snapshot, cancel);
    if (found.count() < HistorySteps::kFewest) found = stepsByRepetition(snapshot, cancel);
    return found.count() < HistorySteps::kFewest ? HistorySteps{} : found;
}

}  // namespace altiscope
