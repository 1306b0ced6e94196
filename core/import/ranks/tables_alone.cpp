#include "core/import/ranks/tables_alone.h"

#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/reader_registry.h"
#include "core/import/ranks/table_formats.h"

#include <algorithm>
#include <iterator>

namespace altiscope::reader {

bool isReadFromRaw(const RankManifest& rank) {
    return std::any_of(rank.traces.begin(), rank.traces.end(),
                       [](const SourceFile& file) { return file.format == SourceFormat::Raw; });
}

bool standInTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds) {
    constexpr RowKind kOfTimelines[] = {RowKind::Operator, RowKind::Kernel, RowKind::MemorySample, RowKind::Allocation,
                                        RowKind::ModuleMemory};
    // Raw records are read in one go: all rows of the rank come with its timeline.
    if (isReadFromRaw(rank)) return false;
    const bool isFilledByTimeline = std::any_of(rank.traces.begin(), rank.traces.end(), [](const SourceFile& file) {
        return traitsOf(file.format).fillsTables;
    });
    if (hasLegacyTimes(rank) && holdsKind(kinds, RowKind::Kernel)) return false;
    return !isFilledByTimeline || std::none_of(std::begin(kOfTimelines), std::end(kOfTimelines),
                                               [kinds](RowKind kind) { return holdsKind(kinds, kind); });
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
