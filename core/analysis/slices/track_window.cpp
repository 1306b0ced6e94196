#include "core/analysis/slices/track_window.h"

#include "core/base/values/assert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <span>

namespace altiscope {

namespace {

/// Maps times of a window to pixel columns with integers only: column p covers [begin + p * w / width, begin + (p + 1)
/// * w / width).
class PixelGrid {
public:
    PixelGrid(TimeRange window, std::uint32_t width)
        : m_width(width), m_whole(window.length().value / m_width), m_rest(window.length().value % m_width),
          m_perNs(static_cast<double>(m_width) / static_cast<double>(window.length().value)) {
        // Each begin is rounded up, so that every time belongs to one column. Divisions for each slice would take
        // longer.
        m_begins.reserve(width + 2);
        std::int64_t begin = window.begin.value, rest = 0;  // of a column, in parts of a ns
        for (std::uint32_t px = 0; px <= width; ++px) {
            m_begins.push_back(begin + (rest > 0 ? 1 : 0));
            begin += m_whole;
            rest += m_rest;
            if (rest < m_width) continue;
            rest -= m_width;
            ++begin;
        }
        m_begins.push_back(std::numeric_limits<std::int64_t>::max());
    }

    bool isOf(TimeRange window, std::uint32_t width) const {
        return m_width == width && columnBegin(0) == window.begin.value && columnBegin(m_width) == window.end.value;
    }
    /// First time of column `px` (0 .. width).
    std::int64_t columnBegin(std::int64_t px) const { return m_begins[static_cast<std::size_t>(px)]; }
    /// Column that holds `time`; -1 before the window, the width after it.
    std::int64_t column(std::int64_t time) const {
        if (time < m_begins.front()) return -1;
        // The product is off by less than one column.
        const double guess =
            static_cast<double>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(m_begins.front())) *
            m_perNs;
        std::int64_t px = guess >= static_cast<double>(m_width) ? m_width : static_cast<std::int64_t>(guess);
        while (px > 0 && columnBegin(px) > time) --px;
        while (px < m_width && columnBegin(px + 1) <= time) ++px;
        return px;
    }
    /// Column that holds a time before the end of the window; most often the one after `before`.
    std::int64_t columnAfter(std::int64_t before, std::int64_t time) const {
        if (before + 1 < m_width && columnBegin(before + 1) <= time && time < columnBegin(before + 2))
            return before + 1;
        return column(time);
    }
    /// First column that lies wholly at or after the end of what begins in column `left` (or before the window, if 0);
    /// at least the next one, at most the width.
    std::int64_t endOf(std::int64_t left, std::int64_t end) const {
        const std::int64_t border = columnBegin(left + 1);
        const bool reachesOver = end > border;
        // A border within a ns lies before the time to which it is rounded.
        if (end == border || (reachesOver && end >= columnBegin(left + 2))) return exactEndOf(left, end);
        return std::min(left + 1 + (reachesOver ? 1 : 0), m_width);
    }
    /// Whole ns of a column.
    std::int64_t pixel() const { return m_whole; }
    /// The smallest duration that is at least one column wide.
    std::int64_t wide() const { return m_whole + (m_rest > 0 ? 1 : 0); }

private:
    std::int64_t exactEndOf(std::int64_t left, std::int64_t end) const {
        const std::int64_t px = column(end);
        const bool isBorder = columnBegin(px) == end && px * m_rest % m_width == 0;
        return std::clamp(isBorder ? px : px + 1, left + 1, m_width);
    }

    std::int64_t m_width;
    std::int64_t m_whole, m_rest;  // of the window's length over the width
    double m_perNs;
    std::vector<std::int64_t> m_begins;  // and one that no time reaches
};

/// The rows of a picture have the same grid, unless their clocks differ: the thread's last one is kept.
const PixelGrid& gridOf(TimeRange window, std::uint32_t width) {
    thread_local std::optional<PixelGrid> last;
    if (!last || !last->isOf(window, width)) last.emplace(window, width);
    return *last;
}

/// Puts the slices of one run, one by one or in blocks, into the columns in which they begin.
class RunItems {
public:
    RunItems(const TraceColumns& columns, const DepthRun& run, const PixelGrid& grid, std::vector<WindowItem>& items)
        : m_begin(columns.begin.span().data()), m_duration(columns.duration.span().data()),
          m_name(columns.name.span().data()), m_depth(run.depth), m_grid(grid), m_items(items) {}

    /// Adds neighbouring blocks up to the first whose slices do not all belong to one item, or to the end of a block
    /// of the level above that may be short enough. A block may reach over the border of its column by a pixel: to cut
    /// it there would mean to read its slices, and those of each column lie in memory far from all that was read.
    /// @param blocks  The first of them, and
    /// @param place   its number on its level.
    /// @param slices  In each of the blocks.
    /// @return How many were added.
    std::uint32_t addBlocks(const SliceBlock* blocks, std::uint32_t place, std::uint32_t count, std::uint32_t slices) {
        const std::int64_t wide = m_grid.wide(), pixel = m_grid.pixel();
        WindowItem* item = m_item;
        std::int64_t columnEnd = m_columnEnd;
        std::uint32_t added = 0;
        while (added < count) {
            // What lies ahead is fetched while this is looked at, also from the next page of memory.
            __builtin_prefetch(blocks + added + kBlocksAhead);
            const SliceBlock& block = blocks[added];
            const std::int64_t length = block.end - block.begin;
            if (block.duration >= wide || length > pixel) break;
            if (block.begin >= columnEnd) {
                item = start(block, slices);
                columnEnd = m_columnEnd;
            } else {
                item->end.value = block.end;
                item->count += slices;
                if (block.duration > item->length.value) {
                    item->length.value = block.duration;
                    item->slice.value = block.longest;
                    item->name = block.name;
                }
            }
            ++added;
            if ((place + added) % kBlockFan == 0 && length <= pixel / kBlockFan) break;
        }
        return added;
    }
    /// Adds the slices [next, end).
    void addSlices(std::uint32_t next, std::uint32_t end) {
        const std::int64_t wide = m_grid.wide();
        while (next < end) {
            if (m_begin[next] >= m_columnEnd || m_duration[next] >= wide) {
                start({m_begin[next], m_begin[next] + m_duration[next], m_duration[next], next, m_name[next]}, 1);
                if (m_duration[next++] >= wide) {
                    m_columnEnd = kNoItem;
                    continue;
                }
            }
            // Most slices of a dense picture pass here.
            const std::uint32_t first = next;
            std::uint32_t longest = first;
            std::int64_t duration = m_item->length.value;
            for (const std::int64_t columnEnd = m_columnEnd;
                 next < end && m_begin[next] < columnEnd && m_duration[next] < wide; ++next) {
                if (m_duration[next] <= duration) continue;
                duration = m_duration[next];
                longest = next;
            }
            if (next > first) append(first, next, longest);
        }
    }
    /// Adds the slices [next, end) of a block of which none is a column wide: what it knows of the longest saves
    /// reading most of their durations.
    void addNarrow(std::uint32_t next, std::uint32_t end, const SliceBlock& block) {
        while (next < end) {
            if (m_begin[next] >= m_columnEnd) {
                start({m_begin[next], m_begin[next] + m_duration[next], m_duration[next], next, m_name[next]}, 1);
                ++next;
            }
            const std::uint32_t first = next;
            next = static_cast<std::uint32_t>(std::lower_bound(m_begin + first, m_begin + end, m_columnEnd) - m_begin);
            if (next == first) continue;
            std::uint32_t longest = first;
            if (m_item->length.value < block.duration) {
                if (first <= block.longest && block.longest < next) longest = block.longest;
                else
                    longest = static_cast<std::uint32_t>(std::max_element(m_duration + first, m_duration + next) -
                                                         m_duration);
            }
            append(first, next, longest);
        }
    }

private:
    static constexpr std::uint32_t kBlocksAhead = 24;
    /// End of the column of no item: nothing begins before it.
    static constexpr std::int64_t kNoItem = std::numeric_limits<std::int64_t>::min();

    /// The slices [first, after) belong to the last item; `longest` is theirs unless that has one as long.
    void append(std::uint32_t first, std::uint32_t after, std::uint32_t longest) {
        m_item->count += after - first;
        m_item->end.value = m_begin[after - 1] + m_duration[after - 1];
        if (m_duration[longest] <= m_item->length.value) return;
        m_item->length.value = m_duration[longest];
        m_item->slice.value = longest;
        m_item->name = m_name[longest];
    }
    WindowItem* start(const SliceBlock& first, std::uint32_t slices) {
        m_column = m_grid.columnAfter(m_column, first.begin);
        m_columnEnd = m_grid.columnBegin(m_column + 1);
        m_items.push_back({{first.begin},
                           {first.end},
                           {first.longest},
                           slices,
                           m_depth,
                           first.name,
                           {first.duration},
                           static_cast<std::int32_t>(std::max<std::int64_t>(m_column, 0))});
        return m_item = &m_items.back();
    }

    const std::int64_t* m_begin;
    const std::int64_t* m_duration;
    const StringId* m_name;
    std::uint32_t m_depth;
    const PixelGrid& m_grid;
    std::vector<WindowItem>& m_items;
    WindowItem* m_item = nullptr;                       // that was started last
    std::int64_t m_column = -1, m_columnEnd = kNoItem;  // of it
};

/// The blocks of a run, level by level.
class RunBlocks {
public:
    RunBlocks(const TraceColumns& columns, const DepthRun& run) {
        const SliceBlock* level = columns.blocks.span().data() + run.firstBlock;
        for (std::uint32_t blocks = lowestBlocks(run.count); blocks > 0; blocks = blocksAbove(blocks)) {
            m_levels[m_levelCount++] = level;
            level += blocks;
        }
    }

    /// Adds large blocks that begin at a place of the run and end before another. Looked for from one level above the
    /// last ones that were added, so that where slices are dense the many blocks of lower levels are not even read.
    /// @return How many slices were added; 0 if there is no such block.
    std::uint32_t addTo(RunItems& items, std::uint32_t place, std::uint32_t last) {
        for (std::uint32_t level = std::min(m_next, m_levelCount); level-- > 0;) {
            const std::uint32_t bits = kBlockBits + level * kBlockFanBits;
            if (bits >= 32 || (place & ((1U << bits) - 1)) != 0) continue;
            const std::uint32_t block = place >> bits;
            const std::uint32_t added =
                items.addBlocks(m_levels[level] + block, block, (last - place) >> bits, 1U << bits);
            if (added == 0) continue;
            m_next = level + 2;
            return added << bits;
        }
        m_next = 1;
        return 0;
    }

    /// The block of the lowest level that begins at a place of the run; the run has blocks.
    const SliceBlock& lowest(std::uint32_t place) const { return m_levels[0][place / kBlockSlices]; }
    bool empty() const { return m_levelCount == 0; }

private:
    static constexpr std::uint32_t kBlockBits = std::countr_zero(kBlockSlices);

    std::array<const SliceBlock*, 16> m_levels{};
    std::uint32_t m_levelCount = 0;
    std::uint32_t m_next = 1;  // levels below this one are looked at next
};

void appendRun(const TraceStore& store, const DepthRun& run, const WindowQuery& query, const PixelGrid& grid,
               std::vector<WindowItem>& items) {
    const TraceColumns& c = store.columns();
    const std::uint32_t last = store.firstBeginningAt(run, query.window.end);
    std::uint32_t next = store.firstEndingAfter(run, query.window.begin);
    // Slices of length 0 exactly at the left edge end there, but belong to the picture.
    while (next > run.first && c.begin[next - 1] == query.window.begin.value) --next;

    const std::size_t before = items.size();
    RunItems merged(c, run, grid, items);
    RunBlocks blocks(c, run);
    while (next < last) {
        const std::uint32_t place = next - run.first;
        if (place % kBlockSlices == 0) {
            if (const std::uint32_t added = blocks.addTo(merged, place, last - run.first); added > 0) {
                next += added;
                continue;
            }
        }
        const std::uint32_t end = std::min(last, next + kBlockSlices - place % kBlockSlices);
        if (end - next == kBlockSlices && !blocks.empty() && blocks.lowest(place).duration < grid.wide())
            merged.addNarrow(next, end, blocks.lowest(place));
        else merged.addSlices(next, end);
        next = end;
    }
    // Ends of items are known now. One after the other they take less time than each beside what it is made of.
    for (WindowItem& item : std::span(items).subspan(before))
        item.right = static_cast<std::int32_t>(grid.endOf(item.left, item.end.value));
}

SeriesWindow windowOfSeries(const TraceStore& store, std::uint32_t number, const WindowQuery& query,
                            const PixelGrid& grid) {
    const TraceColumns& c = store.columns();
    const CounterSeries& series = store.series()[number];
    const auto* times = c.sampleTime.span().data();
    const auto lowerBound = [&](std::uint64_t from, std::int64_t time) {
        return static_cast<std::uint64_t>(std::lower_bound(times + from, times + series.first + series.count, time) -
                                          times);
    };
    SeriesWindow window{number, {}};
    const std::uint64_t end = series.first + series.count;
    std::uint64_t next = lowerBound(series.first, query.window.begin.value);
    // The value that holds at the left edge comes from the sample before it.
    if (next > series.first) {
        const double selected = c.sampleValue[next - 1];
        window.columns.push_back({0, selected, selected, selected, selected, 0});
    }
    while (next < end && times[next] < query.window.end.value) {
        const std::int64_t column = grid.column(times[next]);
        const std::uint64_t after =
            std::max(next + 1, lowerBound(next, std::min(grid.columnBegin(column + 1), query.window.end.value)));
        const MinMax extremes = store.minMax(series, next, after);
        CounterColumn one{static_cast<std::uint32_t>(column),
                          c.sampleValue[next],
                          c.sampleValue[after - 1],
                          extremes.minimum,
                          extremes.maximum,
                          static_cast<std::uint32_t>(after - next)};
        if (!window.columns.empty() && window.columns.back().px == one.px) {
            const CounterColumn& selected = window.columns.back();
            one.first = selected.first;
            one.minimum = std::min(one.minimum, selected.minimum);
            one.maximum = std::max(one.maximum, selected.maximum);
            window.columns.pop_back();
        } else if (next > series.first && times[next] > grid.columnBegin(column)) {
            // The value before still holds in the first part of this column.
            one.first = c.sampleValue[next - 1];
            one.minimum = std::min(one.minimum, one.first);
            one.maximum = std::max(one.maximum, one.first);
        }
        window.columns.push_back(one);
        next = after;
    }
    return window;
}

}  // namespace

Result<TrackWindow> queryTrackWindow(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel) {
    ALTI_ASSERT(query.widthPx > 0 && !query.window.empty());
    TrackWindow window{query.track, query.window, {}};
    const PixelGrid& grid = gridOf(query.window, query.widthPx);
    window.items.reserve(std::min<std::size_t>(store.extent(query.track).sliceCount, std::size_t{2} * query.widthPx));
    for (const DepthRun& run : store.runs(query.track)) {
        if (run.depth < query.firstDepth || run.depth - query.firstDepth >= query.depthCount) continue;
        if (cancel.cancelled()) return Cancelled{};
        appendRun(store, run, query, grid, window.items);
    }
    return window;
}

Result<CounterWindow> queryCounterWindow(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel) {
    ALTI_ASSERT(query.widthPx > 0 && !query.window.empty());
    CounterWindow window{query.track, query.window, 0, 0, {}};
    const PixelGrid& grid = gridOf(query.window, query.widthPx);
    const TrackExtent& extent = store.extent(query.track);
    for (std::uint32_t i = 0; i < extent.seriesCount; ++i) {
        if (cancel.cancelled()) return Cancelled{};
        const CounterSeries& series = store.series()[extent.firstSeries + i];
        window.minimum = i == 0 ? series.minimum : std::min(window.minimum, series.minimum);
        window.maximum = i == 0 ? series.maximum : std::max(window.maximum, series.maximum);
        if (i < query.firstDepth || i - query.firstDepth >= query.depthCount) continue;
        window.series.push_back(windowOfSeries(store, extent.firstSeries + i, query, grid));
    }
    return window;
}

std::optional<double> counterValueAt(const TraceStore& store, const CounterSeries& series, TimeNs time) {
    const auto* times = store.columns().sampleTime.span().data();
    const auto* after = std::upper_bound(times + series.first, times + series.first + series.count, time.value);
    if (after == times + series.first) return std::nullopt;
    return store.columns().sampleValue[static_cast<std::size_t>(after - times) - 1];
}

}  // namespace altiscope
