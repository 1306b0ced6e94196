#include "core/analysis/communication/collective_chart.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

constexpr std::size_t kTogether = 64;

/// Pixel column of a time, and where a column begins; 128 bits, as windows may be years.
class ColumnScale {
    __extension__ using Wide = __int128;

public:
    ColumnScale(TimeRange window, int columns) : m_window(window), m_columns(columns) {}
    int column(TimeNs time) const {
        if (time <= m_window.begin) return 0;
        if (time >= m_window.end) return m_columns;
        return static_cast<int>(static_cast<Wide>((time - m_window.begin).value) * m_columns / m_window.length().value);
    }
    /// The first ns of a column.
    TimeNs begin(int column) const {
        const auto length = static_cast<Wide>(m_window.length().value);
        return m_window.begin + DurationNs{static_cast<std::int64_t>((length * column + m_columns - 1) / m_columns)};
    }

private:
    TimeRange m_window;
    int m_columns;
};

}  // namespace

CollectiveChart::Row CollectiveChart::makeRow(const RankCollectives& rank, const RankClock* clock) {
    Row row;
    if (clock != nullptr && clock->isAligned()) {
        row.clock = *clock;
        row.isAligned = true;
    }
    std::vector<TimeRange> ranges(rank.items.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < rank.items.size(); ++i) {
        const CollectiveItem& item = rank.items[i];
        if (!item.begin) continue;
        const TimeNs end = *item.begin + DurationNs{std::max<std::int64_t>(0, item.spent.elapsed)};
        ranges[i] = row.isAligned ? TimeRange{row.clock.aligned(*item.begin), row.clock.aligned(end)}
                                  : TimeRange{*item.begin, end};
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return ranges[a].begin != ranges[b].begin ? ranges[a].begin < ranges[b].begin : ranges[b].end < ranges[a].end;
    });
    for (const std::uint32_t i : order) {
        auto free = std::find_if(row.lanes.begin(), row.lanes.end(),
                                 [&](const Lane& lane) { return lane.ends.back() <= ranges[i].begin; });
        if (free == row.lanes.end()) free = row.lanes.insert(free, Lane{});
        free->begins.push_back(ranges[i].begin);
        free->ends.push_back(ranges[i].end);
        free->items.push_back(i);
    }
    for (Lane& lane : row.lanes) {
        for (std::size_t first = 0; first < lane.items.size(); first += kTogether) {
            std::size_t best = first;
            for (std::size_t i = first; i < std::min(lane.items.size(), first + kTogether); ++i) {
                if ((lane.ends[i] - lane.begins[i]).value > (lane.ends[best] - lane.begins[best]).value) best = i;
            }
            lane.longest.push_back(static_cast<std::uint32_t>(best));
        }
    }
    return row;
}

std::shared_ptr<const CollectiveChart> CollectiveChart::make(std::shared_ptr<const CollectiveSet> set,
                                                             const std::vector<RankClock>& clocks,
                                                             const CancelToken& cancel) {
    auto chart = std::make_shared<CollectiveChart>();
    chart->m_set = std::move(set);
    chart->m_rows.resize(chart->m_set->ranks.size());
    parallelFor(chart->m_rows.size(), [&](std::size_t r) {
        if (cancel.cancelled()) return;
        const RankCollectives& rank = chart->m_set->ranks[r];
        chart->m_rows[r] = makeRow(rank, rank.rank.value < clocks.size() ? &clocks[rank.rank.value] : nullptr);
    });
    if (cancel.cancelled()) return nullptr;
    bool any = false;
    for (const Row& row : chart->m_rows) {
        for (const Lane& lane : row.lanes) {
            const TimeRange own{lane.begins.front(), lane.ends.back()};
            chart->m_range =
                any ? TimeRange{std::min(chart->m_range.begin, own.begin), std::max(chart->m_range.end, own.end)} : own;
            any = true;
        }
    }
    return chart;
}

TimeRange CollectiveChart::aligned(std::size_t row, std::uint32_t item) const {
    const CollectiveItem& own = m_set->ranks[row].items[item];
    const TimeNs begin = own.begin.value_or(TimeNs{}),
                 end = begin + DurationNs{std::max<std::int64_t>(0, own.spent.elapsed)};
    return m_rows[row].isAligned ? TimeRange{m_rows[row].clock.aligned(begin), m_rows[row].clock.aligned(end)}
                                 : TimeRange{begin, end};
}

std::vector<RankClock> CollectiveChart::clocksBy(Edge edge,
                                                 const std::vector<std::pair<std::size_t, std::uint32_t>>& items,
                                                 std::vector<RankClock> clocks) const {
    const auto drawn = [&](const std::pair<std::size_t, std::uint32_t>& item) {
        const TimeRange own = aligned(item.first, item.second);
        return edge == Edge::Begin ? own.begin : own.end;
    };
    for (const auto& item : items) {
        const RankIndex rank = m_set->ranks[item.first].rank;
        if (rank.value >= clocks.size()) clocks.resize(rank.value + 1);
        RankClock& clock = clocks[rank.value];
        const std::int64_t by = (drawn(items.front()) - drawn(item)).value;
        clock.offset = clock.isAligned() ? clock.offset + by : by;
        if (!clock.isAligned()) clock.state = RankClock::State::Aligned;
    }
    return clocks;
}

/// Of places [first, last), which are not none.
std::size_t CollectiveChart::longestOf(const Lane& lane, std::size_t first, std::size_t last) {
    std::size_t best = first;
    const auto take = [&](std::size_t i) {
        if ((lane.ends[i] - lane.begins[i]).value > (lane.ends[best] - lane.begins[best]).value) best = i;
    };
    while (first < last) {
        if (first % kTogether == 0 && first + kTogether <= last) {
            take(lane.longest[first / kTogether]);
            first += kTogether;
        } else {
            take(first++);
        }
    }
    return best;
}

std::vector<CollectiveChart::Bar> CollectiveChart::bars(std::size_t row, std::size_t lane, TimeRange window,
                                                        int columns) const {
    std::vector<Bar> bars;
    const Lane& own = m_rows[row].lanes[lane];
    const ColumnScale scale(window, columns);
    auto i =
        static_cast<std::size_t>(std::lower_bound(own.ends.begin(), own.ends.end(), window.begin) - own.ends.begin());
    // An instant ends where it begins, and is seen there; what merely ends there is not.
    while (i < own.items.size() && own.ends[i] == window.begin && own.begins[i] < window.begin) ++i;
    while (i < own.items.size() && own.begins[i] < window.end) {
        const int first = scale.column(own.begins[i]), last = scale.column(own.ends[i]);
        if (last > first) {
            bars.push_back(
                {first, std::min(columns, last + (scale.begin(last) < own.ends[i] ? 1 : 0)), own.items[i], 1});
            ++i;
            continue;
        }
        // All that begin in this column and do not leave it.
        const TimeNs next = scale.begin(first + 1);
        std::size_t end = static_cast<std::size_t>(
            std::lower_bound(own.begins.begin() + static_cast<std::ptrdiff_t>(i), own.begins.end(), next) -
            own.begins.begin());
        if (end > i + 1 && own.ends[end - 1] > next) --end;
        const std::size_t shown = longestOf(own, i, end);
        bars.push_back({first, first + 1, own.items[shown], static_cast<std::uint32_t>(end - i)});
        i = end;
    }
    return bars;
}

}  // namespace altiscope
