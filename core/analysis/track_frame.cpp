#include "core/analysis/track_frame.h"

#include "core/base/assert.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Where columns hold more than these, those that come next are fetched ahead.
constexpr std::uint32_t kFewInColumn = 8, kColumnsAhead = 4;

/// Maps times of a window to pixel columns with integers only: column p covers [begin + p * w / width, begin + (p + 1) * w / width).
class PixelGrid {
public:
    PixelGrid(TimeRange window, std::uint32_t width)
        : m_begin(window.begin.value), m_width(width), m_whole(window.length().value / m_width), m_rest(window.length().value % m_width),
          m_perNs(static_cast<double>(m_width) / static_cast<double>(window.length().value)) {}

    /// First time of column `px` (0 .. width), rounded up, so that every time belongs to one column.
    std::int64_t columnBegin(std::int64_t px) const { return m_begin + m_whole * px + (m_rest * px + m_width - 1) / m_width; }
    /// Column that holds `time`; -1 before the window, the width behind it.
    std::int64_t column(std::int64_t time) const {
        if (time < m_begin) return -1;
        // The product is off by less than one column.
        const double guess = static_cast<double>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_begin)) * m_perNs;
        std::int64_t px = guess >= static_cast<double>(m_width) ? m_width : static_cast<std::int64_t>(guess);
        while (px > 0 && columnBegin(px) > time) --px;
        while (px < m_width && columnBegin(px + 1) <= time) ++px;
        return px;
    }
    /// True if `duration` is at least one column wide.
    bool isWide(std::int64_t duration) const { return duration >= m_whole + (m_rest > 0 ? 1 : 0); }

private:
    std::int64_t m_begin;
    std::int64_t m_width;
    std::int64_t m_whole, m_rest;  // of the window's length over the width
    double m_perNs;
};

/// First place in [from, last) that begins at or after `time`, looked for around a guess: O(log of how far off the guess is).
std::uint32_t firstBeginning(const std::int64_t* begin, std::uint32_t from, std::uint32_t last, std::int64_t time, std::uint32_t guess) {
    guess = std::clamp(guess, from, last);
    std::uint32_t low = from, high = last, step = 1;
    if (guess < last && begin[guess] < time) {
        low = guess + 1;
        while (last - low > step && begin[low + step - 1] < time) {
            low += step;
            step *= 2;
        }
        high = std::min(last, low + step);
    } else {
        high = guess;
        while (high - from > step && begin[high - step] >= time) {
            high -= step;
            step *= 2;
        }
        low = high - from > step ? high - step : from;
    }
    return static_cast<std::uint32_t>(std::lower_bound(begin + low, begin + high, time) - begin);
}

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
    const std::int64_t* begin = c.begin.span().data();
    const StringId* names = c.name.span().data();  // asked for next, to colour what is drawn
    // How many the last column held: the next one holds about as many, and memory is slow to answer.
    std::uint32_t inColumn = 1;
    while (next < last) {
        if (inColumn > kFewInColumn) {
            for (std::uint32_t ahead = 1; ahead <= kColumnsAhead; ++ahead) {
                const std::uint32_t place = next + ahead * inColumn;
                if (place >= last) break;
                __builtin_prefetch(begin + place);
                __builtin_prefetch(c.duration.span().data() + place);
            }
        }
        if (grid.isWide(c.duration[next])) {
            single(next++);
            continue;
        }
        // All that begins in the same column, but for a last one that is wide enough to stand for itself.
        const std::int64_t column = grid.column(c.begin[next]);
        std::uint32_t end = firstBeginning(begin, next + 1, last, grid.columnBegin(column + 1), next + inColumn);
        inColumn = end - next;
        if (end - next > 1 && grid.isWide(c.duration[end - 1])) --end;
        if (end - next == 1) {
            single(next);
        } else {
            const SliceIndex longest = store.longest(run, next, end);
            __builtin_prefetch(names + longest.value);
            items.push_back({store.begin({next}), store.end({end - 1}), longest, end - next, run.depth});
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
