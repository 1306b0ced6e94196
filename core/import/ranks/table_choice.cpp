#include "core/import/ranks/table_choice.h"

#include "core/import/contracts/csv_format.h"
#include "core/import/database/db_analysis.h"
#include "core/import/memscope/memscope_reader.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/scan/table_files.h"
#include "core/import/snapshot/snapshot_reader.h"

#include <algorithm>
#include <iterator>

namespace altiscope::reader {

namespace {

bool isAmong(std::span<const RowKind> kinds, RowKind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Whether a file may hold rows of these kinds; of what is not known here, yes.
bool mayHold(std::string_view format, std::span<const RowKind> kinds) {
    for (const CsvFormat& one : csvFormats()) {
        if (one.name == format) return isAmong(kinds, one.kind);
    }
    // Some special formats fill more than one table; they are small.
    if (format == kStepTraceFormat || format == kAnalysisSteps) return isAmong(kinds, RowKind::StepBreakdown);
    if (format == kSnapshotFormat)
        return isAmong(kinds, RowKind::SnapshotEvent) || isAmong(kinds, RowKind::SnapshotBlock) ||
               isAmong(kinds, RowKind::SnapshotAnnotation);
    if (format == kMemscopeFormat)
        return isAmong(kinds, RowKind::MemorySample) || isAmong(kinds, RowKind::Allocation) ||
               isAmong(kinds, RowKind::SnapshotEvent) || isAmong(kinds, RowKind::SnapshotBlock);
    if (format == kMatrixFormat || format == kAnalysisLinks) return isAmong(kinds, RowKind::Link);
    if (format == kAnalysisTimes) return isAmong(kinds, RowKind::Collective);
    if (format == kAnalysisBandwidths) return isAmong(kinds, RowKind::Bandwidth) || isAmong(kinds, RowKind::Packet);
    if (format == kCommunicationFormat)
        return isAmong(kinds, RowKind::Collective) || isAmong(kinds, RowKind::Bandwidth) ||
               isAmong(kinds, RowKind::Packet);
    return true;
}

}  // namespace

bool isReadFromRaw(const RankManifest& rank) {
    return std::any_of(rank.traces.begin(), rank.traces.end(),
                       [](const SourceFile& file) { return file.format == SourceFormat::Raw; });
}

bool standInTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds) {
    constexpr RowKind kOfDatabases[] = {RowKind::Operator, RowKind::Kernel, RowKind::MemorySample, RowKind::Allocation,
                                        RowKind::ModuleMemory};
    // Raw records are read in one go: all rows of the rank come with its timeline.
    if (isReadFromRaw(rank)) return false;
    // What fills tables of these comes with their timeline.
    const bool isOfDatabase = std::any_of(rank.traces.begin(), rank.traces.end(), [](const SourceFile& file) {
        return file.format == SourceFormat::Database || file.format == SourceFormat::MonitorLines;
    });
    if (hasLegacyTimes(rank) && isAmong(kinds, RowKind::Kernel)) return false;
    return !isOfDatabase || std::none_of(std::begin(kOfDatabases), std::end(kOfDatabases),
                                         [kinds](RowKind kind) { return isAmong(kinds, kind); });
}

bool hasTablesOf(const RankManifest& rank, std::span<const RowKind> kinds) {
    return std::any_of(rank.tables.begin(), rank.tables.end(),
                       [kinds](const TableFile& table) { return mayHold(table.format, kinds); });
}

RankManifest withTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds) {
    RankManifest alone{rank.info, {}, {}, rank.steps, rank.clusterRows, rank.clusterSources};
    std::copy_if(rank.tables.begin(), rank.tables.end(), std::back_inserter(alone.tables),
                 [kinds](const TableFile& table) { return mayHold(table.format, kinds); });
    return alone;
}

}  // namespace altiscope::reader
