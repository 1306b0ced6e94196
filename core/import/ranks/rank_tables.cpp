#include "core/import/ranks/rank_tables.h"

#include "core/base/threads/parallel.h"
#include "core/import/csv/aicpu_times.h"
#include "core/import/csv/kernel_slices.h"
#include "core/import/csv/operator_slices.h"
#include "core/import/mindspore/legacy_flops.h"
#include "core/import/mindspore/legacy_operators.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/table_formats.h"

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
    std::optional<LegacyOperators> operators;
    if (builder.rowCount(RowKind::Kernel) > 0 && hasLegacyTimes(rank)) {
        operators.emplace(rank, context);
        operators->addTexts(builder);
    }
    auto sealed = builder.seal(cancel);
    if (!sealed.ok() || sealed.value() == nullptr) return sealed;
    if (operators) sealed = Tables(std::make_shared<const RowTables>(operators->complete(*sealed.value())));
    std::vector<SourceFile> aicpuFiles;
    for (const TableFile& table : rank.tables) {
        if (table.format == kFlopsFormat)
            sealed = Tables(std::make_shared<const RowTables>(withLegacyFlops(*sealed.value(), table.source, context)));
        if (table.format == kAicpuFormat) aicpuFiles.push_back(table.source);
    }
    if (!aicpuFiles.empty())
        sealed = Tables(std::make_shared<const RowTables>(withAicpuTimes(*sealed.value(), aicpuFiles, context)));
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
