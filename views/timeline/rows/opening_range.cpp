#include "views/timeline/rows/opening_range.h"

#include "views/timeline/times/capture_extent.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kParts = 256, kMaxTracks = 48;
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

/// The first depths of the fullest tracks.
std::vector<LaneOnAxis> fullestLanes(const TimelineSources& sources) {
    std::vector<LaneOnAxis> lanes;
    std::size_t ranks = 0;
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
        const auto& all = sources[s].store->ranks;
        for (RankIndex r; r.value < all.size() && ranks < kMaxTracks; ++r.value) {
            if (all[r.value].trace == nullptr) continue;
            ++ranks;
            for (std::uint32_t t = 0; t < all[r.value].trace->tracks().size(); ++t) {
                const auto runs = all[r.value].trace->runs({t});
                if (!runs.empty()) lanes.push_back({all[r.value].trace.get(), &runs.front(), sources.shiftOf(s, r)});
            }
        }
    }
    const std::size_t most = std::min(lanes.size(), kMaxTracks);
    std::partial_sort(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(most), lanes.end(),
                      [](const LaneOnAxis& a, const LaneOnAxis& b) { return a.run->count > b.run->count; });
    lanes.resize(most);
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
    const std::int64_t margin = range->length().value / 40;
    return TimeRange{{range->begin.value - margin}, {range->end.value + margin}};
}

}  // namespace altiscope
