#include "core/import/ranks/rank_tables.h"

#include "core/base/threads/parallel.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/csv/kernel_slices.h"
#include "core/import/csv/operator_slices.h"
#include "core/import/database/db_analysis.h"
#include "core/import/memscope/memscope_reader.h"
#include "core/import/mindspore/legacy_events.h"
#include "core/import/mindspore/legacy_flops.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/scan/table_files.h"
#include "core/import/snapshot/snapshot_reader.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::string_view kOperatorSummary = "operator_details";

Place placeOf(const Error& error) {
    const std::string_view place = error.place;
    for (const auto& [word, unit] :
         {std::pair{std::string_view("byte "), PlaceUnit::Byte}, {std::string_view("row "), PlaceUnit::Row}}) {
        if (!place.starts_with(word)) continue;
        std::uint64_t value = 0;
        for (const char c : place.substr(word.size())) value = value * 10 + static_cast<unsigned>(c - '0');
        return {unit, value};
    }
    return {};
}

Result<Done> readTable(const TableFile& table, const GroupDirectory& groups, TableContext& context) {
    for (const CsvFormat& format : csvFormats()) {
        if (format.name == table.format) return readCsv(table.source, format, context);
    }
    for (const SpecialFormat& format : specialFormats()) {
        if (format.name == table.format) return format.read(table.source, context);
    }
    if (table.format == kStepTraceFormat) return readStepTrace(table.source, context);
    if (table.format == kMinCycleFormat) return readMinCycle(table.source, context);
    // A column of kernels; joined when they are there.
    if (table.format == kFlopsFormat) return Done{};
    if (std::find(kAnalysisTables.begin(), kAnalysisTables.end(), table.format) != kAnalysisTables.end())
        return readAnalysisTable(table.source, table.format, groups, context);
    if (table.format == kSnapshotFormat) return readSnapshot(table.source, context);
    if (table.format == kMemscopeFormat) return readMemscope(table.source, context);
    if (table.format == kCommunicationFormat) return readCommunication(table.source, groups, context);
    return readCommunicationMatrix(table.source, groups, context);
}

}  // namespace

Result<std::shared_ptr<const RowTables>> readRankTables(const RankManifest& rank, RowTablesBuilder& builder,
                                                        const TraceStore* trace, const GroupDirectory& groups,
                                                        bool isWhole, std::size_t chunkBytes, Diagnostics& diagnostics,
                                                        ProgressSlot& progress, const CancelToken& cancel) {
    using Tables = std::shared_ptr<const RowTables>;
    TableContext context{builder, diagnostics, progress, cancel, chunkBytes};
    for (const TableFile& table : rank.tables) {
        if (cancel.cancelled()) return Cancelled{};
        // The timeline's database had them.
        if (table.format == kOperatorSummary && builder.rowCount(RowKind::Operator) > 0) {
            progress.addDone(table.source.size);
            continue;
        }
        progress.setFile(table.source.name);
        const auto read = readTable(table, groups, context);
        if (read.cancelled()) return Cancelled{};
        if (read.failed())
            diagnostics.add(read.error().code, Severity::Lost, table.source.name, placeOf(read.error()),
                            read.error().parameters);
    }
    if (trace != nullptr) addThreadNames(builder, *trace);
    auto sealed = builder.seal(cancel);
    if (!sealed.ok() || sealed.value() == nullptr) return sealed;
    for (const TableFile& table : rank.tables) {
        if (table.format == kFlopsFormat)
            sealed = Tables(std::make_shared<const RowTables>(withLegacyFlops(*sealed.value(), table.source, context)));
    }
    // Their kernels have a clock of their own, see legacy_times.h.
    if (trace == nullptr || hasLegacyTimes(rank)) return sealed;
    std::optional<RowTables> withKernels, withOperators;
    parallelTogether(2, [&](std::size_t i) {
        if (i == 0) withKernels = withKernelSlices(*sealed.value(), *trace);
        else withOperators = withOperatorSlices(*sealed.value(), *trace, rank.steps, isWhole);
    });
    std::vector<RowTable> tables = withOperators->tables();
    for (RowTable& table : tables) {
        if (table.kind() == RowKind::Kernel) table = *withKernels->find(RowKind::Kernel);
    }
    return Tables(std::make_shared<const RowTables>(std::move(tables), withOperators->texts()));
}

}  // namespace altiscope::reader
