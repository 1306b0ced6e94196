#include "views/timeline/rows/opening_range.h"

#include "core/analysis/slices/track_window.h"
#include "views/common/plots/time_axis.h"
#include "views/timeline/rows/key_lanes.h"
#include "views/timeline/times/capture_extent.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kParts = 256, kMaxRanks = 16, kMaxTracks = 12;
/// A range with slices in fewer of its parts than this looks empty.
constexpr std::size_t kMinFilled = kParts / 5;
/// Parts without slices that a dense part may span.
constexpr std::size_t kMinGap = 4;
constexpr int kMaxRounds = 8;

struct LaneOnAxis {
    const TraceStore* trace = nullptr;
    const DepthRun* run = nullptr;
    DurationNs shift;
};

/// The first depths of the fullest tracks of some ranks: of all tracks of a job the fullest are of one kind, which may
/// be busy for a hundredth of each step.
std::vector<LaneOnAxis> fullestLanes(const TimelineSources& sources) {
    std::vector<LaneOnAxis> lanes;
    std::vector<std::pair<std::uint32_t, RankIndex>> ranks;
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
        for (RankIndex r; r.value < sources[s].store->ranks.size(); ++r.value)
            if (sources[s].store->ranks[r.value].trace != nullptr) ranks.emplace_back(s, r);
    }
    const std::size_t looked = std::min(ranks.size(), kMaxRanks);
    for (std::size_t i = 0; i < looked; ++i) {
        // From all over: recordings may lie far apart.
        const auto [s, r] = ranks[i * ranks.size() / looked];
        const TraceStore* trace = sources[s].store->ranks[r.value].trace.get();
        std::vector<LaneOnAxis> own;
        for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
            const auto runs = trace->runs({t});
            if (!runs.empty()) own.push_back({trace, &runs.front(), sources.shiftOf(s, r, {t})});
        }
        const std::size_t most = std::min(own.size(), kMaxTracks * kMaxRanks / looked);
        std::partial_sort(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(most), own.end(),
                          [](const LaneOnAxis& a, const LaneOnAxis& b) { return a.run->count > b.run->count; });
        lanes.insert(lanes.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(most));
    }
    return lanes;
}

TimeNs partOf(TimeRange range, std::size_t part) {
    const std::int64_t length = range.length().value, count = static_cast<std::int64_t>(kParts);
    const auto at = static_cast<std::int64_t>(part);
    return {range.begin.value + length / count * at + length % count * at / count};
}

/// How many slices begin in each part, or reach into it.
std::array<std::uint64_t, kParts> countSlices(const std::vector<LaneOnAxis>& lanes, TimeRange range) {
    std::array<std::uint64_t, kParts> counts{};
    for (const LaneOnAxis& lane : lanes) {
        std::uint32_t first = lane.trace->firstBeginningAt(*lane.run, range.begin - lane.shift);
        for (std::size_t part = 0; part < kParts; ++part) {
            const TimeNs begin = partOf(range, part) - lane.shift, end = partOf(range, part + 1) - lane.shift;
            const std::uint32_t after = lane.trace->firstBeginningAt(*lane.run, end);
            counts[part] += after - first;
            const bool reachesIn = first > lane.run->first && lane.trace->end({first - 1}) > begin;
            if (after == first && reachesIn) ++counts[part];
            first = after;
        }
    }
    return counts;
}

/// The part with most slices that has no long hole; nullopt if the range looks full.
std::optional<TimeRange> densestPart(const std::vector<LaneOnAxis>& lanes, TimeRange range) {
    const auto counts = countSlices(lanes, range);
    const auto filled = static_cast<std::size_t>(
        std::count_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; }));
    if (filled == 0 || filled >= kMinFilled) return std::nullopt;
    std::pair<std::size_t, std::size_t> best{};
    std::uint64_t most = 0;
    for (std::size_t from = 0; from < kParts;) {
        if (counts[from] == 0) {
            ++from;
            continue;
        }
        std::uint64_t sum = 0;
        std::size_t last = from;
        for (std::size_t at = from; at < kParts && at - last <= kMinGap; ++at) {
            sum += counts[at];
            if (counts[at] > 0) last = at;
        }
        if (sum > most) {
            most = sum;
            best = {from, last + 1};
        }
        from = last + 1;
    }
    return TimeRange{partOf(range, best.first), partOf(range, best.second)};
}

/// The range of a part that was found by its slices, without empty ends.
TimeRange withoutEmptyEnds(const std::vector<LaneOnAxis>& lanes, TimeRange range) {
    const auto counts = countSlices(lanes, range);
    const auto isFilled = [](std::uint64_t count) { return count > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), isFilled);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), isFilled);
    if (first == counts.end()) return range;
    return {partOf(range, static_cast<std::size_t>(first - counts.begin())),
            partOf(range, static_cast<std::size_t>(last.base() - counts.begin()))};
}

/// A picture is about so many columns wide, and a name needs some of them to be read.
constexpr std::uint32_t kColumns = 1000;
constexpr std::int32_t kNameColumns = 45;
/// With fewer names a picture tells nothing by itself.
constexpr std::size_t kMinNames = 30;
constexpr std::size_t kNamedRanks = 8, kNamedLanes = 6;

/// Slices of the most telling lanes that are wide enough for a name.
std::size_t namesOn(const TimelineSources& sources, TimeRange window) {
    std::size_t names = 0, ranks = 0;
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
        for (RankIndex r; r.value < sources[s].store->ranks.size() && ranks < kNamedRanks; ++r.value) {
            const auto& trace = sources[s].store->ranks[r.value].trace;
            if (trace == nullptr) continue;
            ++ranks;
            std::vector<TrackIndex> tracks;
            for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) tracks.push_back({t});
            for (const KeyLane& lane : keyLanes(*trace, tracks, kNamedLanes)) {
                const WindowQuery query{.track = lane.track,
                                        .window = shifted(window, {-sources.shiftOf(s, r, lane.track).value}),
                                        .widthPx = kColumns,
                                        .firstDepth = lane.depth,
                                        .depthCount = 1};
                if (query.window.length() != window.length()) continue;
                const Result<TrackWindow> found = queryTrackWindow(*trace, query, {});
                if (!found.ok()) continue;
                for (const WindowItem& item : found.value().items)
                    if (item.count == 1 && item.right - item.left >= kNameColumns) ++names;
            }
        }
    }
    return names;
}

TimeRange withMargin(TimeRange range) {
    const std::int64_t margin = range.length().value / 40;
    return {{range.begin.value - margin}, {range.end.value + margin}};
}

}  // namespace

std::optional<TimeRange> openingRange(const TimelineSources& sources, std::optional<TimeRange> steps, TimeRange home) {
    std::optional<TimeRange> range = steps;
    // Where they are most of the run it is looked at as a whole, unless it looks empty: recordings may lie hours apart.
    if (range && range->length().value > home.length().value / 2) range.reset();
    const std::vector<LaneOnAxis> lanes = fullestLanes(sources);
    // The dense part of years may still be seconds around a millisecond; steps may lie far apart, too.
    bool isPart = false;
    for (int round = 0; round < kMaxRounds; ++round) {
        const auto part = densestPart(lanes, range.value_or(home));
        if (!part || part->length().value < static_cast<std::int64_t>(kParts)) break;
        range = part;
        isPart = true;
    }
    if (isPart) range = withoutEmptyEnds(lanes, *range);
    if (!range) return std::nullopt;
    return withMargin(*range);
}

std::optional<TimeRange> openingStep(const TimelineSources& sources,
                                     const std::vector<std::vector<std::vector<ShownStep>>>& steps, TimeRange shown) {
    // Each capture has steps of its own: those of the first are looked at.
    std::map<std::int64_t, TimeRange> whole;
    for (const auto& ofSource : steps) {
        for (const auto& ofRank : ofSource) {
            for (const ShownStep& step : ofRank) {
                const auto [known, isNew] = whole.try_emplace(step.number, step.range);
                if (!isNew) known->second = united(known->second, step.range);
            }
        }
        if (!whole.empty()) break;
    }
    std::vector<TimeRange> ranges;
    for (const auto& [number, range] : whole)
        if (range.begin >= shown.begin && range.end <= shown.end) ranges.push_back(range);
    if (ranges.size() < 2) return std::nullopt;
    // The first one warms up.
    if (ranges.size() > 2)
        ranges.erase(
            std::min_element(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.begin < b.begin; }));
    const auto middle = ranges.begin() + static_cast<std::ptrdiff_t>((ranges.size() - 1) / 2);
    std::nth_element(ranges.begin(), middle, ranges.end(),
                     [](TimeRange a, TimeRange b) { return a.length() < b.length(); });
    const std::size_t names = namesOn(sources, shown);
    if (names >= kMinNames || namesOn(sources, *middle) <= names) return std::nullopt;
    return withMargin(*middle);
}

}  // namespace altiscope
