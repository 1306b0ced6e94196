#include "core/analysis/memory/memory_reach.h"

#include "core/store/columns/home_range.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <array>

namespace altiscope {

namespace {

/// Times before and from kFirstTimeOfDay on: what lies on the other side than most was never set, or has another clock.
class TimesBySide {
public:
    void add(const MemorySeries& series) {
        const std::size_t first = series.firstAt(TimeNs{kFirstTimeOfDay}), all = series.size();
        if (first > 0) widen(false, {series.time(0), series.time(first - 1)}, first);
        if (first < all) widen(true, {series.time(first), series.time(all - 1)}, all - first);
    }
    /// By the blocks' smallest and largest cells, where these lie on one side.
    void add(const RowTable& table, std::size_t column) {
        for (std::size_t row = 0; row < table.size(); row += RowBlock::kBlock) {
            const RowBlock& block = table.block(column, row);
            if (block.nulls == RowBlock::Nulls::All) continue;
            const std::size_t end = std::min(table.size(), row + RowBlock::kBlock);
            const TimeRange range{{block.min}, {block.max}};
            if (mayShareClock(range.begin, range.end)) {
                widen(block.min >= kFirstTimeOfDay, range, end - row);
                continue;
            }
            for (std::size_t i = row; i < end; ++i) {
                if (const auto time = table.integer(column, i)) widen(*time >= kFirstTimeOfDay, {{*time}, {*time}}, 1);
            }
        }
    }
    MemoryReach reach() const {
        // Of equally many the times of day: 0 stands for a time that was not set.
        const bool isOfDay = m_sides[1].count >= m_sides[0].count;
        MemoryReach reach;
        reach.home = m_sides[isOfDay ? 1 : 0].range;
        reach.strayTimes = m_sides[isOfDay ? 0 : 1].count;
        reach.data = reach.home;
        if (reach.strayTimes == 0) return reach;
        const TimeRange& other = m_sides[isOfDay ? 0 : 1].range;
        reach.data = {std::min(reach.home.begin, other.begin), std::max(reach.home.end, other.end)};
        return reach;
    }

private:
    struct Side {
        TimeRange range;
        std::uint64_t count = 0;
    };
    void widen(bool isOfDay, TimeRange by, std::uint64_t count) {
        Side& side = m_sides[isOfDay ? 1 : 0];
        if (side.count == 0) side.range = by;
        side.range = {std::min(side.range.begin, by.begin), std::max(side.range.end, by.end)};
        side.count += count;
    }
    std::array<Side, 2> m_sides;
};

}  // namespace

MemoryReach memoryReach(const RowTables& rows, const MemorySeriesSet& series) {
    TimesBySide times;
    for (const auto& one : series.series) times.add(*one);
    if (const RowTable* table = rows.find(RowKind::Allocation)) {
        for (const char* column : {"alloc_ts", "release_ts"}) times.add(*table, rowColumn(RowKind::Allocation, column));
    }
    return times.reach();
}

bool isMemoryOfAnotherRecording(const RankEntry& rank) {
    const bool hasSamples = rank.rows != nullptr && rank.rows->find(RowKind::MemorySample) != nullptr;
    return isOfAnotherRecording(rank, hasSamples ? RowKind::MemorySample : RowKind::Allocation);
}

}  // namespace altiscope
