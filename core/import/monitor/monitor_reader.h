#pragma once

#include "core/import/contracts/trace_reader.h"

#include <memory>
#include <optional>
#include <string>

namespace altiscope::reader {

/// Reads lines of npu-monitor (msmonitor_{pid}_{stamp}_{rank}.jsonl): tracks, flows and kernels as those of the
/// database that it writes instead (core/import/database/FORMAT.md section 2). Files of one process are parts of one
/// recording: one object reads all of them, see TraceReader::finish().
/// Reports by line "monitor.broken_line", "monitor.cut", "monitor.unknown_kind", "monitor.bad_field",
/// "monitor.long_line" (lost), "monitor.odd_field", "monitor.reversed" (repaired). Error "monitor.no_lines" for a file
/// that has lines, and none of npu-monitor. One thread. Source: core/import/monitor/FORMAT.md.
std::unique_ptr<TraceReader> makeMonitorReader();

/// Makes the source of the further arguments in the lines of its slices.
std::shared_ptr<const ArgumentSource> makeMonitorArguments(const SourceFile& file);

/// Facts at the end of a process's last file. npu-monitor writes them when it stops; a killed one has not.
struct MonitorFacts {
    std::optional<std::int64_t> device;  ///< If it is only one.
    std::string groups;                  ///< As parallel_group_info of profiler_metadata.json; empty: none.
};
/// Reads at most the last megabyte.
MonitorFacts readMonitorFacts(const std::filesystem::path& path);

}  // namespace altiscope::reader
