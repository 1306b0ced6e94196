#pragma once

#include "core/import/contracts/trace_reader.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace altiscope {
class RowBatch;
class RowTables;
}  // namespace altiscope

namespace altiscope::reader {

// task_time.csv, task_time_{stamp}.csv: a row for each task of a device. Source: core/import/csv/FORMAT.md section 14.

/// TableFile::format.
inline constexpr std::string_view kTaskTimesFormat = "task_time";

/// Whether the rows of such a file have times. Those of the first generation of chips are sums by task. Reads a line.
bool holdsTaskTimes(const std::filesystem::path& path);

/// The name of a task, or else its kind; empty: it has neither.
std::string_view taskName(std::string_view name, std::string_view kind);

/// Leaves of the rows those of tasks that compute, and names those without a name: CsvFormat::complete.
bool completeTaskKernel(RowBatch& kernels, std::span<const std::string_view> texts);

/// Kernels of such a file without the parents of fused tasks, whose parts are kernels: nameless ones that the next one
/// on their stream lies within. O(rows).
RowTables withoutFusedParents(const RowTables& tables);

/// Makes a timeline of the file: a slice per task on the streams of its device, as other sources have them. Reports
/// what is wrong with its records, unless they are read as kernels too: "csv.missing_value" (lost).
std::unique_ptr<TraceReader> makeTaskTimeReader();

/// Arguments of its slices: numbers and kind of the task.
std::shared_ptr<const ArgumentSource> makeTaskTimeArguments(const SourceFile& file);

}  // namespace altiscope::reader
