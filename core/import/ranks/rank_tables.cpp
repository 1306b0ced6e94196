#include "core/import/ranks/rank_tables.h"

#include "core/base/threads/parallel.h"
#include "core/import/csv/aicpu_times.h"
#include "core/import/csv/kernel_slices.h"
#include "core/import/csv/operator_slices.h"
#include "core/import/csv/task_times.h"
#include "core/import/mindspore/legacy_flops.h"
#include "core/import/mindspore/legacy_operators.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/table_formats.h"

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

/// @return False if cancelled.
bool readTableFiles(const RankManifest& rank, TableContext& context, const GroupDirectory& groups) {
    for (const TableFile& table : rank.tables) {
        if (context.cancel.cancelled()) return false;
        // The timeline's database had them.
        if (table.format == kOperatorSummary && context.builder.rowCount(RowKind::Operator) > 0) {
            context.progress.addDone(table.source.size);
            continue;
        }
        context.progress.setFile(table.source.name);
        const auto read = readTable(table, groups, context);
        if (read.cancelled()) return false;
        if (read.failed())
            context.diagnostics.add(read.error().code, Severity::Lost, table.source.name, placeOf(read.error()),
                                    read.error().parameters);
    }
    return true;
}

using Tables = std::shared_ptr<const RowTables>;

Tables shared(RowTables rows) { return std::make_shared<const RowTables>(std::move(rows)); }

/// Adds to kernels what files beside theirs hold.
Tables withFlopsAndTimes(Tables rows, const RankManifest& rank, TableContext& context) {
    std::vector<SourceFile> aicpuFiles;
    for (const TableFile& table : rank.tables) {
        if (table.format == kFlopsFormat) rows = shared(withLegacyFlops(*rows, table.source, context));
        if (table.format == kAicpuFormat) aicpuFiles.push_back(table.source);
    }
    return aicpuFiles.empty() ? rows : shared(withAicpuTimes(*rows, aicpuFiles, context));
}

/// Finds the slices of kernels and operators.
RowTables withSlices(const RowTables& rows, const TraceStore& trace, const RankManifest& rank, bool isWhole) {
    std::optional<RowTables> withKernels, withOperators;
    parallelTogether(2, [&](std::size_t i) {
        if (i == 0) withKernels = withKernelSlices(rows, trace);
        else withOperators = withOperatorSlices(rows, trace, rank.steps, isWhole);
    });
    std::vector<RowTable> tables = withOperators->tables();
    for (RowTable& table : tables) {
        if (table.kind() == RowKind::Kernel) table = *withKernels->find(RowKind::Kernel);
    }
    return RowTables(std::move(tables), withOperators->texts());
}

}  // namespace

Result<std::shared_ptr<const RowTables>> readRankTables(const RankManifest& rank, TableContext& context,
                                                        const GroupDirectory& groups, const TraceStore* trace,
                                                        bool isWhole) {
    RowTablesBuilder& builder = context.builder;
    if (!readTableFiles(rank, context, groups)) return Cancelled{};
    if (trace != nullptr) addThreadNames(builder, *trace);
    std::optional<LegacyOperators> operators;
    if (builder.rowCount(RowKind::Kernel) > 0 && hasLegacyTimes(rank)) {
        operators.emplace(rank, context);
        operators->addTexts(builder);
    }
    auto sealed = builder.seal(context.cancel);
    if (!sealed.ok() || sealed.value() == nullptr) return sealed;
    Tables rows = operators ? shared(operators->complete(*sealed.value())) : std::move(sealed).value();
    if (std::any_of(rank.tables.begin(), rank.tables.end(),
                    [](const TableFile& table) { return table.format == kTaskTimesFormat; }))
        rows = shared(withoutFusedParents(*rows));
    rows = withFlopsAndTimes(std::move(rows), rank, context);
    // Their kernels have a clock of their own, see legacy_times.h.
    if (trace == nullptr || hasLegacyTimes(rank)) return rows;
    return shared(withSlices(*rows, *trace, rank, isWhole));
}

}  // namespace altiscope::reader
