#include "core/store/columns/trace_store.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/values/assert.h"
#include "core/store/columns/home_range.h"
#include "core/store/columns/pyramid.h"

#include <algorithm>
#include <limits>
#include <span>

namespace altiscope {

namespace {

TimeRange rangeOf(const TraceColumns& columns) {
    std::int64_t begin = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    // Runs are sorted and disjoint: their first begin and last end bound them.
    for (const DepthRun& run : columns.runs) {
        if (run.count == 0) continue;
        const std::size_t last = run.first + run.count - 1;
        begin = std::min(begin, columns.begin[run.first]);
        end = std::max(end, columns.begin[last] + columns.duration[last]);
    }
    for (const CounterSeries& series : columns.series) {
        begin = std::min(begin, columns.sampleTime[series.first]);
        end = std::max(end, columns.sampleTime[series.first + series.count - 1]);
    }
    for (const std::int64_t time : columns.instantTime) {
        begin = std::min(begin, time);
        end = std::max(end, time);
    }
    if (begin > end) return {};
    return {{begin}, {end}};
}

}  // namespace

TraceStore::TraceStore(TraceColumns columns, bool provisional)
    : m_columns(std::move(columns)), m_provisional(provisional), m_range(rangeOf(m_columns)),
      m_home(altiscope::homeRange(m_columns, m_range)) {
    const auto byId = sortedNumbers(m_columns.tracks.size(),
                                    [this](std::size_t t) { return sortKeyOf(m_columns.tracks[t].id.value); }, {});
    m_trackById.reserve(byId.size());
    for (const KeyedNumber& one : byId)
        m_trackById.emplace_back(m_columns.tracks[one.number].id, TrackIndex{one.number});
}

std::span<const DepthRun> TraceStore::runs(TrackIndex index) const {
    const TrackExtent& where = extent(index);
    return runs().subspan(where.firstRun, where.runCount);
}

std::optional<TrackIndex> TraceStore::findTrack(TrackId id) const {
    const auto found = std::lower_bound(m_trackById.begin(), m_trackById.end(), id,
                                        [](const auto& entry, TrackId wanted) { return entry.first < wanted; });
    if (found == m_trackById.end() || found->first != id) return std::nullopt;
    return found->second;
}

const DepthRun& TraceStore::runOf(SliceIndex i) const {
    ALTI_ASSERT(i.value < sliceCount());
    const auto all = runs();
    const auto next = std::upper_bound(all.begin(), all.end(), i.value,
                                       [](std::uint32_t slice, const DepthRun& run) { return slice < run.first; });
    return *std::prev(next);
}

std::optional<SliceIndex> TraceStore::findSlice(SliceId id) const {
    const SourcePos wanted{static_cast<std::uint64_t>(id.value)};
    const auto pos = m_columns.pos.span();
    for (std::size_t block = 0; block < m_columns.blockPosMin.size(); ++block) {
        if (wanted < m_columns.blockPosMin[block] || m_columns.blockPosMax[block] < wanted) continue;
        const std::size_t first = block * kPosBlock;
        const auto part = pos.subspan(first, std::min(kPosBlock, pos.size() - first));
        const auto found = std::find(part.begin(), part.end(), wanted);
        if (found != part.end())
            return SliceIndex{static_cast<std::uint32_t>(first + static_cast<std::size_t>(found - part.begin()))};
    }
    return std::nullopt;
}

std::uint32_t TraceStore::firstEndingAfter(const DepthRun& run, TimeNs time) const {
    std::uint32_t low = run.first;
    std::uint32_t high = run.first + run.count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (end({middle}) <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

std::uint32_t TraceStore::firstBeginningAt(const DepthRun& run, TimeNs time) const {
    const auto* data = m_columns.begin.span().data();
    return static_cast<std::uint32_t>(std::lower_bound(data + run.first, data + run.first + run.count, time.value) -
                                      data);
}

MinMax TraceStore::minMax(const CounterSeries& series, std::uint64_t from, std::uint64_t to) const {
    ALTI_ASSERT(series.first <= from && from < to && to <= series.first + series.count);
    const auto value = m_columns.sampleValue.span();
    return foldPyramid<MinMax>(
        series.count, m_columns.minMax.span().data() + series.pyramid, from - series.first, to - series.first,
        [&](std::size_t i) {
            return MinMax{value[series.first + i], value[series.first + i]};
        },
        [](MinMax a, MinMax b) {
            return MinMax{std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
        });
}

namespace {

std::span<const std::uint32_t> flowsAt(const Column<std::uint32_t>& order, const Column<std::uint32_t>& slices,
                                       SliceIndex i) {
    const auto all = order.span();
    const auto first =
        std::partition_point(all.begin(), all.end(), [&](std::uint32_t f) { return slices[f] < i.value; });
    const auto last = std::partition_point(first, all.end(), [&](std::uint32_t f) { return slices[f] == i.value; });
    return {first, last};
}

}  // namespace

std::span<const std::uint32_t> TraceStore::flowsFrom(SliceIndex i) const {
    return flowsAt(m_columns.flowsByFrom, m_columns.flowFrom, i);
}

std::span<const std::uint32_t> TraceStore::flowsTo(SliceIndex i) const {
    return flowsAt(m_columns.flowsByTo, m_columns.flowTo, i);
}

}  // namespace altiscope
