#include "core/analysis/slices/selection_parts.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace altiscope {

namespace {

/// A slice, or the part of it in a stretch of time, on the axis.
struct GroupedTime {
    std::int64_t begin, end;  // ns
    std::uint32_t group;
};

/// About how many slices are sorted together: they stay in the processor's cache.
constexpr std::uint64_t kSlicesOfStretch = 32768;
/// Looking a stretch up in each span has a cost of its own.
constexpr std::uint64_t kMaxLookUps = 2'000'000;

/// Whether another slice of the same selection contains it, so that it adds nothing to the union of its track.
bool isWithinOther(const TraceStore& store, const SliceSpan& span, std::uint32_t slice) {
    const SliceIndex parent = store.parent({slice});
    return parent != kNoSlice && parent.value >= span.top;
}

/// Borders that cut the selection's time into stretches of about as many slices.
std::vector<std::int64_t> stretchBorders(const SliceSelection& selection, const std::vector<SliceSpan>& spans) {
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::max(),
                           kMax = std::numeric_limits<std::int64_t>::min();
    std::uint64_t slices = 0;
    std::int64_t min = kMin, max = kMax;
    for (const SliceSpan& span : spans) {
        const TraceStore& store = storeOf(selection, span.selected);
        slices += span.count();
        min = std::min(min, (store.begin({span.first}) + span.shift).value);
        max = std::max(max, (store.end({span.last - 1}) + span.shift).value);
    }
    if (selection.range)
        min = std::max(min, selection.range->begin.value), max = std::min(max, selection.range->end.value);
    const std::uint64_t stretches =
        std::clamp<std::uint64_t>(slices / kSlicesOfStretch, 1, 1 + kMaxLookUps / (spans.size() + 1));
    constexpr std::uint64_t kSamples = 16;  // of each stretch
    const std::uint64_t stride = slices / (stretches * kSamples) + 1;
    std::vector<std::int64_t> samples;
    std::uint64_t next = 0, passed = 0;
    for (const SliceSpan& span : spans) {
        for (; next < passed + span.count(); next += stride)
            samples.push_back(
                (storeOf(selection, span.selected).begin({span.first + static_cast<std::uint32_t>(next - passed)}) +
                 span.shift)
                    .value);
        passed += span.count();
    }
    std::sort(samples.begin(), samples.end());
    std::vector<std::int64_t> borders{min};
    for (std::uint64_t s = 1; s < stretches; ++s) {
        const std::int64_t border = samples[samples.size() * s / stretches];
        if (border > borders.back() && border < max) borders.push_back(border);
    }
    borders.push_back(std::max(max, min));
    return borders;
}

/// What one worker has of its own.
struct UnionWorker {
    std::vector<std::int64_t> covered;  // until when each group's time is counted in the present stretch
    std::vector<std::int64_t> sums;
    std::vector<GroupedTime> items, spare;
    std::vector<std::size_t> ends;  // of the items of each span, which are sorted

    void count(std::size_t group, const GroupedTime& item) {
        std::int64_t& until = covered[group];
        if (item.end <= until) return;
        sums[group] += item.end - std::max(item.begin, until);
        until = item.end;
    }
    void sortItems() {
        std::vector<std::size_t> merged;
        while (ends.size() > 1) {
            spare.resize(items.size());
            merged.clear();
            for (std::size_t e = 0, from = 0; e < ends.size(); e += 2) {
                const std::size_t middle = ends[e], to = e + 1 < ends.size() ? ends[e + 1] : middle;
                const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
                std::merge(at(from), at(middle), at(middle), at(to), spare.begin() + static_cast<std::ptrdiff_t>(from),
                           [](const GroupedTime& a, const GroupedTime& b) { return a.begin < b.begin; });
                merged.push_back(to);
                from = to;
            }
            items.swap(spare);
            ends.swap(merged);
        }
    }
};

}  // namespace

std::vector<std::int64_t> unionTimes(const SliceSelection& selection, const std::vector<SliceSpan>& spans,
                                     const GroupOf& group, const CancelToken& cancel) {
    std::vector<std::int64_t> times(group.count);
    if (spans.empty()) return times;
    const bool byTrack = group.kind == GroupOf::Kind::Track;
    const std::vector<std::int64_t> borders = stretchBorders(selection, spans);
    std::vector<std::uint32_t> rankOfTrack;
    for (std::uint32_t r = 0; r < selection.ranks.size(); ++r)
        rankOfTrack.insert(rankOfTrack.end(), selection.ranks[r].tracks.size(), r);
    const std::size_t firstRank = 1, firstTrack = firstRank + selection.ranks.size();

    const auto gather = [&](UnionWorker& worker, TimeRange stretch, const SliceSpan& span) {
        const TraceStore& store = storeOf(selection, span.selected);
        const DurationNs shift = span.shift;
        const DepthRun part{
            .track = 0, .depth = 0, .first = span.first, .count = span.last - span.first, .firstBlock = 0};
        const std::uint32_t last = store.firstBeginningAt(part, stretch.end - shift);
        for (std::uint32_t i = store.firstEndingAfter(part, stretch.begin - shift); i < last; ++i) {
            if (byTrack && isWithinOther(store, span, i)) continue;
            const std::int64_t begin = std::max((store.begin({i}) + shift).value, stretch.begin.value);
            const std::int64_t end = std::min((store.end({i}) + shift).value, stretch.end.value);
            const std::uint32_t of =
                byTrack ? span.track : group.names->at(PairTable<std::uint32_t>::key(span.selected, store.nameId({i})));
            if (begin < end) worker.items.push_back({begin, end, of});
        }
        if (!worker.items.empty() && (worker.ends.empty() || worker.ends.back() < worker.items.size()))
            worker.ends.push_back(worker.items.size());
    };
    const auto sweep = [&](UnionWorker& worker) {
        for (const GroupedTime& item : worker.items) {
            worker.count(byTrack ? firstTrack + item.group : item.group, item);
            if (!byTrack) continue;
            worker.count(firstRank + rankOfTrack[item.group], item);
            worker.count(0, item);
        }
        // The next stretch may be an earlier one.
        constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
        for (const GroupedTime& item : worker.items) {
            worker.covered[byTrack ? firstTrack + item.group : item.group] = kNever;
            if (byTrack) worker.covered[0] = worker.covered[firstRank + rankOfTrack[item.group]] = kNever;
        }
    };

    std::vector<UnionWorker> workers(kSelectionWorkers);
    std::atomic<std::size_t> next{0};
    parallelFor(workers.size(), [&](std::size_t w) {
        UnionWorker& worker = workers[w];
        for (std::size_t s = next++; s + 1 < borders.size() && !cancel.cancelled(); s = next++) {
            if (worker.sums.empty()) {
                worker.covered.assign(group.count, std::numeric_limits<std::int64_t>::min());
                worker.sums.assign(group.count, 0);
            }
            worker.items.clear();
            worker.ends.clear();
            for (const SliceSpan& span : spans) gather(worker, {{borders[s]}, {borders[s + 1]}}, span);
            worker.sortItems();
            sweep(worker);
        }
    });
    for (const UnionWorker& worker : workers) {
        for (std::size_t g = 0; g < worker.sums.size(); ++g) times[g] += worker.sums[g];
    }
    return times;
}

}  // namespace altiscope
