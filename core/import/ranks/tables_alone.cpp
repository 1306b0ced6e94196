#include "core/import/ranks/tables_alone.h"

#include "core/import/files/file_names.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/reader_registry.h"
#include "core/import/ranks/table_formats.h"
#include "core/store/rows/row_traits.h"

#include <algorithm>
#include <iterator>

namespace altiscope::reader {

bool isReadFromRaw(const RankManifest& rank) {
    return std::any_of(rank.traces.begin(), rank.traces.end(),
                       [](const SourceFile& file) { return file.format == SourceFormat::Raw; });
}

bool standInTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds) {
    // Raw records are read in one go: all rows of the rank come with its timeline.
    if (isReadFromRaw(rank)) return false;
    const bool isFilledByTimeline = std::any_of(rank.traces.begin(), rank.traces.end(), [](const SourceFile& file) {
        return traitsOf(file.format).fillsTables;
    });
    const auto isOfTimelines = [](RowKind kind) { return rowTraits(kind).filler == RowFiller::Timelines; };
    // Their times are on the timeline's clock only beside it.
    const auto isTimed = [&](RowKind kind) {
        return kind == RowKind::StepPhase || (isOfTimelines(kind) && rowTraits(kind).clock == RowClock::Trace);
    };
    if (hasLegacyTimes(rank) && std::any_of(kinds.begin(), kinds.end(), isTimed)) return false;
    const bool isAnyPacked = std::any_of(rank.tables.begin(), rank.tables.end(), [kinds](const TableFile& table) {
        return isPackedJson(table.source.path.filename().string()) && mayFillRows(table.format, kinds);
    });
    if (isAnyPacked) return false;
    return !isFilledByTimeline || std::none_of(kinds.begin(), kinds.end(), isOfTimelines);
}

bool hasTablesOf(const RankManifest& rank, std::span<const RowKind> kinds) {
    return std::any_of(rank.tables.begin(), rank.tables.end(),
                       [kinds](const TableFile& table) { return mayFillRows(table.format, kinds); });
}

RankManifest withTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds) {
    RankManifest alone{rank.info, {}, {}, rank.steps, rank.clusterRows, rank.clusterSources};
    std::copy_if(rank.tables.begin(), rank.tables.end(), std::back_inserter(alone.tables),
                 [kinds](const TableFile& table) { return mayFillRows(table.format, kinds); });
    return alone;
}

}  // namespace altiscope::reader
