#include "core/session/find/slice_finder.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace altiscope {

std::int64_t SliceHits::beginOf(std::size_t span, std::size_t hit) const {
    const SliceSpan& of = m_spans[span];
    return (storeOf(m_selection, of.selected).begin({m_slices[span][hit]}) + of.shift).value;
}

/// How many hits come before one of this begin, span and number: those of a span are sorted by their begin.
std::uint64_t SliceHits::before(std::int64_t begin, std::size_t span, std::size_t hit) const {
    std::uint64_t count = 0;
    for (std::size_t s = 0; s < m_spans.size(); ++s) {
        std::size_t low = 0, high = m_slices[s].size();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (std::tuple(beginOf(s, middle), s, middle) < std::tuple(begin, span, hit)) low = middle + 1;
            else high = middle;
        }
        count += low;
    }
    return count;
}

SliceHits::Hit SliceHits::at(std::uint64_t place) const {
    // The hit with as many before it: its time is found by halves, then the hits of that time are counted through.
    std::int64_t low = -2 * kMaxTimeNs, high = 2 * kMaxTimeNs - 1;
    while (low < high) {
        const std::int64_t middle = std::midpoint(low, high);
        if (before(middle + 1, 0, 0) > place) high = middle;
        else low = middle + 1;
    }
    std::uint64_t left = place - before(low, 0, 0);
    for (std::size_t s = 0; s < m_spans.size(); ++s) {
        const std::uint32_t selected = m_spans[s].selected;
        const TraceStore& store = storeOf(m_selection, selected);
        const std::int64_t own = low - m_spans[s].shift.value;
        const auto& hits = m_slices[s];
        for (auto hit = std::partition_point(hits.begin(), hits.end(),
                                             [&](std::uint32_t slice) { return store.begin({slice}).value < own; });
             hit != hits.end() && store.begin({*hit}).value == own; ++hit) {
            if (left-- == 0) return {{m_selection.ranks[selected].rank, {*hit}}, {low}};
        }
    }
    return {};
}

std::uint64_t SliceHits::firstFrom(TimeNs time) const { return before(time.value, 0, 0); }

std::optional<std::uint64_t> SliceHits::placeOf(SliceRef slice) const {
    for (std::size_t s = 0; s < m_spans.size(); ++s) {
        const SliceSpan& span = m_spans[s];
        if (m_selection.ranks[span.selected].rank != slice.rank || slice.slice.value < span.first ||
            slice.slice.value >= span.last)
            continue;
        const auto found = std::lower_bound(m_slices[s].begin(), m_slices[s].end(), slice.slice.value);
        if (found == m_slices[s].end() || *found != slice.slice.value) return std::nullopt;
        const auto hit = static_cast<std::size_t>(found - m_slices[s].begin());
        return before(beginOf(s, hit), s, hit);
    }
    return std::nullopt;
}

std::vector<bool> SliceHits::marks(TimeRange range, std::uint32_t width) const {
    std::vector<bool> marked(width);
    if (range.empty() || width == 0) return marked;
    __extension__ using Wide = __int128;
    const auto length = static_cast<Wide>(range.length().value);
    for (std::size_t s = 0; s < m_spans.size(); ++s) {
        const TraceStore& store = storeOf(m_selection, m_spans[s].selected);
        const TimeRange own{range.begin - m_spans[s].shift, range.end - m_spans[s].shift};
        const auto beginsBefore = [&](std::uint32_t slice, std::int64_t time) {
            return store.begin({slice}).value < time;
        };
        auto hit = std::lower_bound(m_slices[s].begin(), m_slices[s].end(), own.begin.value, beginsBefore);
        while (hit != m_slices[s].end() && store.begin({*hit}) < own.end) {
            const auto column =
                static_cast<std::uint32_t>(static_cast<Wide>((store.begin({*hit}) - own.begin).value) * width / length);
            marked[column] = true;
            // The first nanosecond of the next part; there may be many hits in this one.
            const auto next = own.begin.value +
                              static_cast<std::int64_t>((static_cast<Wide>(column + 1) * length + width - 1) / width);
            hit = std::lower_bound(hit + 1, m_slices[s].end(), next, beginsBefore);
        }
    }
    return marked;
}

}  // namespace altiscope
