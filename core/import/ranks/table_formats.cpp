#include "core/import/ranks/table_formats.h"

#include "core/import/contracts/csv_format.h"
#include "core/import/csv/aicpu_times.h"
#include "core/import/csv/hardware_stats.h"
#include "core/import/database/db_analysis.h"
#include "core/import/memscope/memscope_reader.h"
#include "core/import/mindspore/legacy_events.h"
#include "core/import/mindspore/legacy_flops.h"
#include "core/import/mindspore/legacy_operators.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/scan/table_files.h"
#include "core/import/snapshot/snapshot_reader.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace altiscope::reader {

namespace {

constexpr RowKind kRowsOfSteps[] = {RowKind::StepBreakdown};
constexpr RowKind kRowsOfPhases[] = {RowKind::StepPhase};
constexpr RowKind kRowsOfHardware[] = {RowKind::HardwareStat};
constexpr RowKind kRowsOfLinks[] = {RowKind::Link};
constexpr RowKind kRowsOfTimes[] = {RowKind::Collective};
constexpr RowKind kRowsOfBandwidths[] = {RowKind::Bandwidth, RowKind::Packet};
constexpr RowKind kRowsOfCommunication[] = {RowKind::Collective, RowKind::Bandwidth, RowKind::Packet};
constexpr RowKind kRowsOfSnapshot[] = {RowKind::SnapshotEvent, RowKind::SnapshotBlock, RowKind::SnapshotAnnotation};
constexpr RowKind kRowsOfMemscope[] = {RowKind::MemorySample, RowKind::Allocation, RowKind::SnapshotEvent,
                                       RowKind::SnapshotBlock};

Result<Done> readAnalysis(const TableFile& table, const GroupDirectory& groups, TableContext& context) {
    return readAnalysisTable(table.source, table.format, groups, context);
}

/// Reads a file on its own.
template <Result<Done> (*read)(const SourceFile&, TableContext&)>
Result<Done> readAlone(const TableFile& table, const GroupDirectory&, TableContext& context) {
    return read(table.source, context);
}

template <Result<Done> (*read)(const SourceFile&, const GroupDirectory&, TableContext&)>
Result<Done> readWithGroups(const TableFile& table, const GroupDirectory& groups, TableContext& context) {
    return read(table.source, groups, context);
}

/// Columns of kernels; joined when they are there.
Result<Done> readLater(const TableFile&, const GroupDirectory&, TableContext&) { return Done{}; }

constexpr std::string_view kAnalysisFile = "analysis.db";

constexpr FurtherFormat kFurtherFormats[] = {
    {kStepTraceFormat, "step_trace_raw_*_detail_time.csv", kRowsOfPhases, readAlone<readStepTrace>},
    {kClusterStepsFormat, "ascend_cluster_analyse_*.csv", kRowsOfPhases, readAlone<readClusterSteps>},
    {kIterationsFormat, "step_trace_*.csv", kRowsOfPhases, readAlone<readIterations>},
    {kHardwareFormat, "hbm*.csv, ddr*.csv, hccs*.csv, pcie*.csv, nic*.csv, roce*.csv, llc_*.csv, host_*_usage*.csv",
     kRowsOfHardware, readAlone<readHardwareStats>},
    {kMinCycleFormat, "", {}, readAlone<readMinCycle>},
    {kFlopsFormat, "", {}, readLater},
    {kAicpuFormat, "", {}, readLater},
    {kFrameworkRawFormat, "", {}, readLater},
    {kOperatorDetailFormat, "", {}, readLater},
    {kCommunicationFormat, "communication.json", kRowsOfCommunication, readWithGroups<readCommunication>},
    {kMatrixFormat, "communication_matrix.json", kRowsOfLinks, readWithGroups<readCommunicationMatrix>},
    {kAnalysisSteps, kAnalysisFile, kRowsOfSteps, readAnalysis},
    {kAnalysisTimes, kAnalysisFile, kRowsOfTimes, readAnalysis},
    {kAnalysisBandwidths, kAnalysisFile, kRowsOfBandwidths, readAnalysis},
    {kAnalysisLinks, kAnalysisFile, kRowsOfLinks, readAnalysis},
    {kSnapshotFormat, "*.pkl, *.pickle", kRowsOfSnapshot, readAlone<readSnapshot>},
    {kMemscopeFormat, "memscope_dump_*.db, leaks_dump_*.db, memscope_dump_*.csv, leaks_dump_*.csv", kRowsOfMemscope,
     readAlone<readMemscope>},
};
static_assert(std::all_of(std::begin(kFurtherFormats), std::end(kFurtherFormats),
                          [](const FurtherFormat& format) { return format.files.empty() == format.kinds.empty(); }),
              "a format that fills tables says how its files are called");

template <class Formats>
auto formatNamed(const Formats& formats, std::string_view name) -> decltype(&*std::begin(formats)) {
    const auto found =
        std::find_if(std::begin(formats), std::end(formats), [name](const auto& one) { return one.name == name; });
    return found == std::end(formats) ? nullptr : &*found;
}

}  // namespace

std::span<const FurtherFormat> furtherFormats() { return kFurtherFormats; }

Result<Done> readTable(const TableFile& table, const GroupDirectory& groups, TableContext& context) {
    if (const auto* csv = formatNamed(csvFormats(), table.format)) return readCsv(table.source, *csv, context);
    if (const auto* special = formatNamed(specialFormats(), table.format)) return special->read(table.source, context);
    if (const auto* further = formatNamed(kFurtherFormats, table.format)) return further->read(table, groups, context);
    return Error{"table.no_reader", table.source.path.string(), {}, {{"format", std::string(table.format)}}};
}

bool holdsKind(std::span<const RowKind> kinds, RowKind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool fillsRows(std::string_view format, RowKind kind) {
    if (const auto* csv = formatNamed(csvFormats(), format)) return csv->kind == kind;
    const auto* further = formatNamed(kFurtherFormats, format);
    return further != nullptr && holdsKind(further->kinds, kind);
}

bool mayFillRows(std::string_view format, std::span<const RowKind> kinds) {
    if (const auto* csv = formatNamed(csvFormats(), format)) return holdsKind(kinds, csv->kind);
    const auto* further = formatNamed(kFurtherFormats, format);
    // Some special formats fill more than one table; they are small.
    if (further == nullptr || further->kinds.empty()) return true;
    return std::any_of(kinds.begin(), kinds.end(), [further](RowKind kind) { return holdsKind(further->kinds, kind); });
}

}  // namespace altiscope::reader
