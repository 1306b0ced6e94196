#include "core/analysis/track_frame.h"

#include "core/base/assert.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Maps times of a window to pixel columns with integers only: column p covers [begin + p * w / width, begin + (p + 1) * w / width).
class PixelGrid {
public:
    PixelGrid(TimeRange window, std::uint32_t width) : m_begin(window.begin.value), m_width(width) {
        m_length = window.length().value;
    }

    /// First time of column `px`, rounded up, so that every time belongs to one column.
    std::int64_t columnBegin(std::int64_t px) const {
        __extension__ using Wide = __int128;
        return m_begin + static_cast<std::int64_t>((Wide{m_length} * px + m_width - 1) / m_width);
    }
    /// Column that holds `time`; negative before the window.
    std::int64_t column(std::int64_t time) const {
        __extension__ using Wide = __int128;
        const Wide scaled = (Wide{time} - m_begin) * m_width;
        const Wide column = scaled >= 0 ? scaled / m_length : -((-scaled + m_length - 1) / m_length);
        return static_cast<std::int64_t>(std::clamp<Wide>(column, -1, m_width));
    }
    /// True if `duration` is at least one column wide.
    bool isWide(std::int64_t duration) const {
        __extension__ using Wide = __int128;
        return Wide{duration} * m_width >= m_length;
    }

private:
    std::int64_t m_begin;
    std::int64_t m_length;
    std::int64_t m_width;
};

void appendRun(const TraceStore& store, const DepthRun& run, const WindowQuery& query, const PixelGrid& grid,
               std::vector<FrameItem>& items) {
    const TraceColumns& c = store.columns();
    const std::uint32_t last = store.firstBeginningAt(run, query.window.end);
    std::uint32_t next = store.firstEndingAfter(run, query.window.begin);
    // Slices of length 0 exactly at the left edge end there, but belong to the picture.
    while (next > run.first && c.begin[next - 1] == query.window.begin.value) --next;

    const auto single = [&](std::uint32_t slice) {
        items.push_back({store.begin({slice}), store.end({slice}), {slice}, 1, run.depth});
    };
    while (next < last) {
        if (grid.isWide(c.duration[next])) {
            single(next++);
            continue;
        }
        // All that begins in the same column, but for a last one that is wide enough to stand for itself.
        const std::int64_t column = grid.column(c.begin[next]);
        std::uint32_t end = std::min(last, store.firstBeginningAt(run, {grid.columnBegin(column + 1)}));
        if (end <= next) end = next + 1;
        if (end - next > 1 && grid.isWide(c.duration[end - 1])) --end;
        if (end - next == 1) {
            single(next);
        } else {
            items.push_back({store.begin({next}), store.end({end - 1}), store.longest(run, next, end), end - next, run.depth});
        }
        next = end;
    }
}

SeriesFrame frameOfSeries(const TraceStore& store, std::uint32_t number, const WindowQuery& query, const PixelGrid& grid) {
    const TraceColumns& c = store.columns();
    const CounterSeries& series = store.series()[number];
    const auto* times = c.sampleTime.span().data();
    const auto lowerBound = [&](std::uint64_t from, std::int64_t time) {
        return static_cast<std::uint64_t>(std::lower_bound(times + from, times + series.first + series.count, time) - times);
    };
    SeriesFrame frame{number, {}};
    const std::uint64_t end = series.first + series.count;
    std::uint64_t next = lowerBound(series.first, query.window.begin.value);
    // The value that holds at the left edge comes from the sample before it.
    if (next > series.first) {
        const double held = c.sampleValue[next - 1];
        frame.columns.push_back({0, held, held, held, held, 0});
    }
    while (next < end && times[next] < query.window.end.value) {
        const std::int64_t column = grid.column(times[next]);
        const std::uint64_t behind = std::max(next + 1, lowerBound(next, std::min(grid.columnBegin(column + 1), query.window.end.value)));
        const MinMax extremes = store.minMax(series, next, behind);
        CounterColumn one{static_cast<std::uint32_t>(column), c.sampleValue[next], c.sampleValue[behind - 1],
                          extremes.minimum, extremes.maximum, static_cast<std::uint32_t>(behind - next)};
        if (!frame.columns.empty() && frame.columns.back().px == one.px) {
            const CounterColumn& held = frame.columns.back();
            one.first = held.first;
            one.minimum = std::min(one.minimum, held.minimum);
            one.maximum = std::max(one.maximum, held.maximum);
            frame.columns.pop_back();
        } else if (next > series.first && times[next] > grid.columnBegin(column)) {
            // The value before still holds in the first part of this column.
            one.first = c.sampleValue[next - 1];
            one.minimum = std::min(one.minimum, one.first);
            one.maximum = std::max(one.maximum, one.first);
        }
        frame.columns.push_back(one);
        next = behind;
    }
    return frame;
}

} // namespace

Result<TrackFrame> queryTrackFrame(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel) {
    ALTI_ASSERT(query.widthPx > 0 && !query.window.empty());
    TrackFrame frame{query.track, query.window, {}};
    const PixelGrid grid(query.window, query.widthPx);
    for (const DepthRun& run : store.runs(query.track)) {
        if (run.depth < query.firstDepth || run.depth - query.firstDepth >= query.depthCount) continue;
        if (cancel.cancelled()) return Cancelled{};
        appendRun(store, run, query, grid, frame.items);
    }
    return frame;
}

Result<CounterFrame> queryCounterFrame(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel) {
    ALTI_ASSERT(query.widthPx > 0 && !query.window.empty());
    CounterFrame frame{query.track, query.window, 0, 0, {}};
    const PixelGrid grid(query.window, query.widthPx);
    const TrackExtent& extent = store.extent(query.track);
    for (std::uint32_t number = extent.firstSeries; number < extent.firstSeries + extent.seriesCount; ++number) {
        if (cancel.cancelled()) return Cancelled{};
        const CounterSeries& series = store.series()[number];
        const bool isFirst = number == extent.firstSeries;
        frame.minimum = isFirst ? series.minimum : std::min(frame.minimum, series.minimum);
        frame.maximum = isFirst ? series.maximum : std::max(frame.maximum, series.maximum);
        frame.series.push_back(frameOfSeries(store, number, query, grid));
    }
    return frame;
}

std::optional<double> counterValueAt(const TraceStore& store, const CounterSeries& series, TimeNs time) {
    const auto* times = store.columns().sampleTime.span().data();
    const auto* behind = std::upper_bound(times + series.first, times + series.first + series.count, time.value);
    if (behind == times + series.first) return std::nullopt;
    return store.columns().sampleValue[static_cast<std::size_t>(behind - times) - 1];
}

} // namespace altiscope
