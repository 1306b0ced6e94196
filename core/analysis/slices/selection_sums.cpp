#include "core/analysis/slices/selection_parts.h"

#include "core/base/columns/interval_set.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace altiscope {

namespace {

constexpr std::uint32_t kSlicesOfPiece = 1U << 17;

// More than three centuries come from broken files only.
void addUpTo(std::int64_t& sum, std::int64_t value) {
    if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

/// Fills in the time outside of the range that direct children leave to the cut slices of one track, which are given by
/// slice.
void addSelf(const TraceStore& store, TrackIndex track, TimeRange range, std::span<CutSlice> cut,
             const CancelToken& cancel) {
    std::uint64_t mask = 0;  // most parents are seen at a glance to be none of these
    for (const CutSlice& slice : cut) mask |= std::uint64_t{1} << (slice.slice.value & 63U);
    std::vector<IntervalSet> within(cut.size());
    std::vector<std::int64_t> whole(cut.size());
    for (const DepthRun& run : store.runs(track)) {
        if (cancel.cancelled()) return;
        const std::uint32_t last = store.firstBeginningAt(run, range.end);
        for (std::uint32_t i = store.firstEndingAfter(run, range.begin); i < last; ++i) {
            const std::uint32_t parent = store.parent({i}).value;
            if ((mask >> (parent & 63U) & 1U) == 0) continue;
            const auto found =
                std::lower_bound(cut.begin(), cut.end(), parent, [](const CutSlice& slice, std::uint32_t wanted) {
                    return slice.slice.value < wanted;
                });
            if (found == cut.end() || found->slice.value != parent) continue;
            within[static_cast<std::size_t>(found - cut.begin())].push_back(
                {std::max(store.begin({i}), range.begin), std::min(store.end({i}), range.end)});
        }
    }
    for (std::size_t c = 0; c < cut.size(); ++c) {
        const SliceIndex slice = cut[c].slice;
        const std::int64_t inside = store.duration(slice).value - cut[c].outside;
        const std::int64_t selfInside = inside - lengthOf(unionOf(std::move(within[c]), cancel)).value;
        cut[c].selfOutside = store.selfDuration(slice).value - selfInside;
    }
}

}  // namespace

void RawSums::add(const RawSums& other) {
    if (other.count > 0) min = count == 0 ? other.min : std::min(min, other.min);
    max = std::max(max, other.max);
    count += other.count;
    cut += other.cut;
    addUpTo(total, other.total);
    addUpTo(self, other.self);
    addUpTo(outside, other.outside);
    addUpTo(selfOutside, other.selfOutside);
}

SliceSums RawSums::sums() const {
    return {.count = count,
            .cut = cut,
            .together = 0,
            .sum = total - outside,
            .self = self - selfOutside,
            .total = total,
            .min = min,
            .max = max,
            .percentiles = {}};
}

std::vector<SlicePiece> piecesOf(const std::vector<SliceSpan>& spans) {
    std::vector<SlicePiece> pieces;
    for (std::uint32_t s = 0; s < spans.size(); ++s) {
        for (std::uint32_t first = spans[s].first; first < spans[s].last;) {
            const std::uint32_t last = first + std::min(kSlicesOfPiece, spans[s].last - first);
            pieces.push_back({s, first, last, 0});
            first = last;
        }
    }
    return pieces;
}

std::vector<CutSlice> cutSlices(const SliceSelection& selection, const std::vector<SliceSpan>& spans,
                                const CancelToken& cancel) {
    std::vector<CutSlice> all;
    if (!selection.range) return all;
    std::vector<std::uint32_t> firstOfTrack;
    for (std::uint32_t s = 0; s < spans.size(); ++s) {
        if (s == 0 || spans[s].track != spans[s - 1].track) firstOfTrack.push_back(s);
    }
    std::vector<std::vector<CutSlice>> cut(firstOfTrack.size());
    parallelFor(firstOfTrack.size(), [&](std::size_t t) {
        const std::uint32_t first = firstOfTrack[t];
        const std::size_t last = t + 1 < firstOfTrack.size() ? firstOfTrack[t + 1] : spans.size();
        const TraceStore& store = storeOf(selection, spans[first].selected);
        const TimeRange range = ownRange(selection, spans[first].shift);
        for (std::uint32_t s = first; s < last; ++s) {
            for (const std::uint32_t i : {spans[s].first, spans[s].last - 1}) {
                const std::int64_t before = std::max<std::int64_t>(0, (range.begin - store.begin({i})).value);
                const std::int64_t after = std::max<std::int64_t>(0, (store.end({i}) - range.end).value);
                if (before + after > 0) cut[t].push_back({s, {i}, before + after, 0});
                if (spans[s].count() == 1) break;
            }
        }
        if (!cut[t].empty()) addSelf(store, spans[first].trackIndex, range, cut[t], cancel);
    });
    for (const std::vector<CutSlice>& some : cut) all.insert(all.end(), some.begin(), some.end());
    return all;
}

void addUp(const SliceSelection& selection, const std::vector<SliceSpan>& spans, std::vector<SlicePiece>& pieces,
           std::vector<WorkerNames>& names, std::vector<RawSums>& bySpan, const CancelToken& cancel) {
    std::vector<RawSums> byPiece(pieces.size());
    std::atomic<std::size_t> next{0};
    parallelFor(names.size(), [&](std::size_t worker) {
        WorkerNames& table = names[worker];
        for (std::size_t p = next++; p < pieces.size() && !cancel.cancelled(); p = next++) {
            pieces[p].worker = static_cast<std::uint32_t>(worker);
            const SliceSpan& span = spans[pieces[p].span];
            const TraceColumns& columns = storeOf(selection, span.selected).columns();
            RawSums& sums = byPiece[p];
            sums.count = pieces[p].last - pieces[p].first;
            sums.min = std::numeric_limits<std::int64_t>::max();
            for (std::uint32_t i = pieces[p].first; i < pieces[p].last; ++i) {
                const std::int64_t duration = columns.duration[i], self = columns.selfDuration[i];
                RawSums& ofName = table[WorkerNames::key(span.selected, columns.name[i])];
                ofName.min = ofName.count == 0 ? duration : std::min(ofName.min, duration);
                ofName.max = std::max(ofName.max, duration);
                ++ofName.count;
                addUpTo(ofName.total, duration);
                addUpTo(ofName.self, self);
                // Slices of a piece are disjoint: their sum is a time.
                sums.total += duration;
                sums.self += self;
                sums.min = std::min(sums.min, duration);
                sums.max = std::max(sums.max, duration);
            }
        }
    });
    if (cancel.cancelled()) return;
    bySpan.assign(spans.size(), {});
    for (std::size_t p = 0; p < pieces.size(); ++p) bySpan[pieces[p].span].add(byPiece[p]);
    for (const CutSlice& cut : cutSlices(selection, spans, cancel)) {
        const SliceSpan& span = spans[cut.span];
        const StringId name = storeOf(selection, span.selected).nameId(cut.slice);
        for (RawSums* sums : {&bySpan[cut.span], &names[0][WorkerNames::key(span.selected, name)]}) {
            ++sums->cut;
            addUpTo(sums->outside, cut.outside);
            addUpTo(sums->selfOutside, cut.selfOutside);
        }
    }
}

}  // namespace altiscope
