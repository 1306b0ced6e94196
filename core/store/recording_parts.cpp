#include "core/store/recording_parts.h"

#include "core/store/columns/home_range.h"
#include "core/store/rows/row_traits.h"

#include <algorithm>

namespace altiscope {

std::optional<TimeRange> rowTimes(const RowTable& table, std::string_view column) {
    const std::size_t place = rowColumn(table.kind(), column);
    std::optional<TimeRange> times;
    for (std::size_t row = 0; row < table.size(); row += RowBlock::kBlock) {
        const RowBlock& block = table.block(place, row);
        if (block.nulls == RowBlock::Nulls::All) continue;
        if (!times) times = TimeRange{{block.min}, {block.max}};
        times->begin.value = std::min(times->begin.value, block.min);
        times->end.value = std::max(times->end.value, block.max);
    }
    return times;
}

std::optional<TimeRange> usualTimes(const RowTable& table, std::string_view column) {
    const auto all = rowTimes(table, column);
    if (!all || mayShareClock(all->begin, all->end)) return all;
    const std::size_t place = rowColumn(table.kind(), column);
    std::size_t before = 0, after = 0;
    TimeNs lastBefore = all->begin, firstAfter = all->end;
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto cell = table.integer(place, row);
        if (!cell) continue;
        const TimeNs time{*cell};
        if (mayShareClock(time, all->begin)) {
            ++before;
            lastBefore = std::max(lastBefore, time);
        } else {
            ++after;
            firstAfter = std::min(firstAfter, time);
        }
    }
    return before > after ? TimeRange{all->begin, lastBefore} : TimeRange{firstAfter, all->end};
}

std::string_view timeColumn(RowKind kind) { return rowTraits(kind).time; }

bool isOfAnotherRecording(const RankEntry& rank, RowKind kind) {
    const std::string_view column = timeColumn(kind);
    const RowTable* table = rank.rows == nullptr || column.empty() ? nullptr : rank.rows->find(kind);
    if (table == nullptr || rank.trace == nullptr) return false;
    const TraceStore& trace = *rank.trace;
    const auto times = usualTimes(*table, column);
    // Events that lie far from the others would make any two recordings meet.
    TimeRange all = trace.homeRange();
    if (const auto excluded = trace.columns().excludedSlices)
        all = trace.sliceCount() == 0
                  ? *excluded
                  : TimeRange{std::min(all.begin, excluded->begin), std::max(all.end, excluded->end)};
    else if (trace.sliceCount() == 0) return false;
    // Times that were never set tell nothing.
    if (!times || *times == TimeRange{} || (times->begin <= all.end && all.begin <= times->end)) return false;
    return kind != RowKind::Kernel || table->presentCount(rowColumn(kind, "slice_id")) == 0;
}

bool showsDevice(const TraceStore& trace) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind == TrackKind::Hardware && trace.extent({t}).sliceCount > 0) return true;
    }
    return false;
}

const RowTable* kernelsOfTimeline(const RankEntry& rank) {
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel);
    return table == nullptr || isOfAnotherRecording(rank, RowKind::Kernel) ? nullptr : table;
}

}  // namespace altiscope
