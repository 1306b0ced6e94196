#include "core/base/columns/interval_set.h"

#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <limits>

namespace altiscope {

namespace {

constexpr std::size_t kUnionPiece = std::size_t{1} << 18;

bool beginsBefore(const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; }

/// Joins sorted intervals in place; returns how many are left.
std::size_t joinSorted(std::span<TimeRange> intervals) {
    std::size_t kept = 0;
    for (const TimeRange range : intervals) {
        if (range.empty()) continue;
        if (kept > 0 && range.begin <= intervals[kept - 1].end)
            intervals[kept - 1].end = std::max(intervals[kept - 1].end, range.end);
        else intervals[kept++] = range;
    }
    return kept;
}

/// Walks over all borders of two sets and keeps the stretches for which `keep(inA, inB)` holds.
template <class Keep>
IntervalSet combined(std::span<const TimeRange> a, std::span<const TimeRange> b, Keep keep) {
    IntervalSet result;
    constexpr TimeNs kNever{std::numeric_limits<std::int64_t>::max()};
    std::size_t i = 0, j = 0;
    bool inA = false, inB = false, open = false;
    const auto border = [&](std::span<const TimeRange> set, std::size_t at, bool inside) {
        return at == set.size() ? kNever : inside ? set[at].end : set[at].begin;
    };
    while (i < a.size() || j < b.size()) {
        const TimeNs nextA = border(a, i, inA), nextB = border(b, j, inB);
        const TimeNs now = std::min(nextA, nextB);
        if (nextA == now) {
            if (inA) ++i;
            inA = !inA;
        }
        if (nextB == now) {
            if (inB) ++j;
            inB = !inB;
        }
        const bool holds = keep(inA, inB);
        if (holds && !open) result.push_back({now, now});
        if (!holds && open) result.back().end = now;
        open = holds;
    }
    return result;
}

}  // namespace

IntervalSet unionOf(std::vector<TimeRange> intervals, const CancelToken& cancel) {
    if (!std::is_sorted(intervals.begin(), intervals.end(), beginsBefore)) {
        // Equal begins may end in any order: joining them does not depend on it.
        parallelSort(std::span(intervals), beginsBefore, cancel);
        if (cancel.cancelled()) return {};
    }
    if (intervals.size() < 2 * kUnionPiece) {
        intervals.resize(joinSorted(intervals));
        return intervals;
    }
    const std::size_t pieces = (intervals.size() + kUnionPiece - 1) / kUnionPiece;
    std::vector<std::size_t> kept(pieces);
    parallelFor(pieces, [&](std::size_t p) {
        if (cancel.cancelled()) return;
        const std::size_t first = p * kUnionPiece;
        kept[p] = joinSorted(std::span(intervals).subspan(first, std::min(kUnionPiece, intervals.size() - first)));
    });
    if (cancel.cancelled()) return {};
    std::size_t size = kept[0];
    for (std::size_t p = 1; p < pieces; ++p) {
        std::size_t from = p * kUnionPiece;
        const std::size_t to = from + kept[p];
        // An interval of the pieces before may reach over some of this one.
        while (from < to && size > 0 && intervals[from].begin <= intervals[size - 1].end) {
            intervals[size - 1].end = std::max(intervals[size - 1].end, intervals[from].end);
            ++from;
        }
        if (from != size)
            std::copy(intervals.begin() + static_cast<std::ptrdiff_t>(from),
                      intervals.begin() + static_cast<std::ptrdiff_t>(to),
                      intervals.begin() + static_cast<std::ptrdiff_t>(size));
        size += to - from;
    }
    intervals.resize(size);
    return intervals;
}

IntervalSet unionOfParts(std::vector<IntervalSet> parts, const CancelToken& cancel) {
    std::erase_if(parts, [](const IntervalSet& part) { return part.empty(); });
    if (parts.size() == 1) return std::move(parts.front());
    bool inOrder = true;
    for (std::size_t p = 1; p < parts.size(); ++p)
        inOrder = inOrder && parts[p - 1].back().begin <= parts[p].front().begin;
    std::vector<std::size_t> skipped(parts.size()), places{0};
    TimeRange* last = nullptr;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        IntervalSet& part = parts[p];
        // The last interval before this part may reach over some of it.
        for (; inOrder && last != nullptr && skipped[p] < part.size() && part[skipped[p]].begin <= last->end;
             ++skipped[p])
            last->end = std::max(last->end, part[skipped[p]].end);
        if (skipped[p] < part.size()) last = &part.back();
        places.push_back(places.back() + part.size() - skipped[p]);
    }
    IntervalSet all(places.back());
    parallelFor(parts.size(), [&](std::size_t p) {
        if (!cancel.cancelled())
            std::copy(parts[p].begin() + static_cast<std::ptrdiff_t>(skipped[p]), parts[p].end(),
                      all.begin() + static_cast<std::ptrdiff_t>(places[p]));
        IntervalSet().swap(parts[p]);
    });
    if (cancel.cancelled()) return {};
    if (inOrder) return all;
    return unionOf(std::move(all), cancel);
}

IntervalSet intersectionOf(std::span<const TimeRange> a, std::span<const TimeRange> b) {
    return combined(a, b, [](bool inA, bool inB) { return inA && inB; });
}

IntervalSet unionOf(std::span<const TimeRange> a, std::span<const TimeRange> b) {
    return combined(a, b, [](bool inA, bool inB) { return inA || inB; });
}

IntervalSet differenceOf(std::span<const TimeRange> a, std::span<const TimeRange> b) {
    return combined(a, b, [](bool inA, bool inB) { return inA && !inB; });
}

IntervalSet clipped(std::span<const TimeRange> set, TimeRange window) {
    IntervalSet result;
    auto at = std::upper_bound(set.begin(), set.end(), window.begin,
                               [](TimeNs time, const TimeRange& range) { return time < range.end; });
    for (; at != set.end() && at->begin < window.end; ++at) {
        const TimeRange part{std::max(at->begin, window.begin), std::min(at->end, window.end)};
        if (part.begin < part.end) result.push_back(part);
    }
    return result;
}

IntervalSet gapsOf(std::span<const TimeRange> set) {
    IntervalSet gaps;
    for (std::size_t i = 1; i < set.size(); ++i) gaps.push_back({set[i - 1].end, set[i].begin});
    return gaps;
}

DurationNs lengthOf(std::span<const TimeRange> set) {
    DurationNs length;
    for (const TimeRange& range : set) length.value += range.length().value;
    return length;
}

DurationNs lengthWithin(std::span<const TimeRange> set, TimeRange window) {
    DurationNs length;
    auto at = std::upper_bound(set.begin(), set.end(), window.begin,
                               [](TimeNs time, const TimeRange& range) { return time < range.end; });
    for (; at != set.end() && at->begin < window.end; ++at)
        length.value +=
            std::max<std::int64_t>(0, (std::min(at->end, window.end) - std::max(at->begin, window.begin)).value);
    return length;
}

}  // namespace altiscope
