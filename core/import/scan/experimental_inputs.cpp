#include "core/import/scan/experimental_inputs.h"

#include "core/base/values/parse.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/csv/aicpu_times.h"
#include "core/import/files/file_names.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/mindspore/step_phases.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace altiscope::reader {

namespace {

/// The kind of a timeline that no sample describes; empty if there are samples.
std::string_view kindWithoutSample(const RankManifest& rank, const SourceFile& file) {
    const std::string_view name = unpackedName(lastPathPart(file.name));
    switch (file.format) {
    case SourceFormat::HostInfo: return "host_info";
    case SourceFormat::CpuUsage: return "minddata_cpu_utilization";
    case SourceFormat::MonitorLines: return "msmonitor";
    case SourceFormat::PythonTrace: return "python_trace";
    case SourceFormat::TraceJson:
    case SourceFormat::Database:
    case SourceFormat::Raw:
    case SourceFormat::TaskTimes:
    case SourceFormat::Other: break;
    }
    if (name.starts_with("ascend_mindspore_profiler")) return "ascend_mindspore_profiler";
    if (name.starts_with("msmonitor_")) return "msmonitor";
    if (rank.info.framework == Framework::MindSpore && name == "trace_view.json") return "MindSpore trace_view.json";
    // Only the profiler of PyTorch for other devices writes its rank into the trace itself.
    if (rank.info.framework == Framework::Chrome && rank.info.rankId) return "Kineto";
    return {};
}

}  // namespace

void reportExperimental(const RankManifest& rank, Diagnostics& diagnostics, const CancelToken& cancel) {
    std::set<std::string> stated;
    const auto report = [&](const SourceFile& file, std::string_view kind) {
        if (kind.empty() || !stated.insert(file.name).second) return;
        diagnostics.add("reader.experimental", Severity::Info, file.name, {}, {{"kind", std::string(kind)}});
    };
    for (const SourceFile& file : rank.traces) {
        if (cancel.cancelled()) return;
        report(file, kindWithoutSample(rank, file));
        // A process leaves any number of parts.
        if (file.format == SourceFormat::MonitorLines) break;
    }
    for (const TableFile& table : rank.tables) {
        if (cancel.cancelled()) return;
        for (const CsvFormat& format : csvFormats()) {
            if (format.name == table.format && format.sample == InputSample::None) report(table.source, format.name);
        }
        if (table.format == kClusterStepsFormat || table.format == kIterationsFormat || table.format == kAicpuFormat)
            report(table.source, table.format);
        const auto special = specialFormats();
        const auto found = std::find_if(special.begin(), special.end(),
                                        [&](const SpecialFormat& one) { return one.name == table.format; });
        if (found != special.end() && found->sample == InputSample::None) report(table.source, found->name);
    }
}

}  // namespace altiscope::reader
