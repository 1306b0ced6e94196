#include "core/store/recording_parts.h"

#include <algorithm>

namespace altiscope {

std::optional<TimeRange> rowTimes(const RowTable& table, std::string_view column) {
    const std::size_t place = rowColumn(table.kind(), column);
    std::optional<TimeRange> times;
    for (std::size_t row = 0; row < table.size(); row += RowBlock::kBlock) {
        const RowBlock& block = table.block(place, row);
        if (block.nulls == RowBlock::Nulls::All) continue;
        if (!times) times = TimeRange{{block.least}, {block.greatest}};
        times->begin.value = std::min(times->begin.value, block.least);
        times->end.value = std::max(times->end.value, block.greatest);
    }
    return times;
}

std::string_view timeColumn(RowKind kind) {
    if (kind == RowKind::Kernel || kind == RowKind::MemorySample || kind == RowKind::ModuleMemory) return "ts";
    return kind == RowKind::Allocation ? "alloc_ts" : std::string_view();
}

bool isOfAnotherRecording(const RankEntry& rank, RowKind kind) {
    const std::string_view column = timeColumn(kind);
    const RowTable* table = rank.rows == nullptr || column.empty() ? nullptr : rank.rows->find(kind);
    if (table == nullptr || rank.trace == nullptr || rank.window || rank.trace->sliceCount() == 0) return false;
    const auto times = rowTimes(*table, column);
    const TimeRange all = rank.trace->range();
    if (!times || (times->begin <= all.end && all.begin <= times->end)) return false;
    return kind != RowKind::Kernel || table->presentCount(rowColumn(kind, "slice_id")) == 0;
}

const RowTable* kernelsOfTimeline(const RankEntry& rank) {
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel);
    return table == nullptr || isOfAnotherRecording(rank, RowKind::Kernel) ? nullptr : table;
}

}  // namespace altiscope
