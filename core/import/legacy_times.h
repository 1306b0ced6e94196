#pragma once

#include "core/base/result.h"
#include "core/import/capture_manifest.h"
#include "core/import/table_reader.h"
#include "core/store/row_table.h"
#include "core/store/trace_store.h"
#include "core/trace/rank.h"

#include <vector>

namespace altiscope::reader {

/// TableFile::format of step_trace_raw_{rank}_detail_time.csv; it fills no table of its own but tells the steps.
inline constexpr std::string_view kStepTraceFormat = "step_trace_raw";

/// The format of output_timeline_data_{rank}.txt, one of csvFormats().
inline constexpr std::string_view kLegacyKernelFormat = "output_timeline_data";

/// Checks step_trace_raw_{rank}_detail_time.csv: "table.broken" (lost) names records that are no step.
/// @return Error of eachCsvRecord(), or "csv.no_column".
Result<Done> readStepTrace(const SourceFile& file, TableContext& context);

/// The steps of a rank of MindSpore up to 2.3, ascending, from its step_trace_raw file, whose unit is the 10 ns tick of the system's
/// counter; the record of means is none. Where the rank's timeline counts from its first kernel the steps do so too;
/// beside a timeline of another clock they have numbers only.
/// Empty if there is no such file, or it cannot be read: a record that is no step is passed over.
/// Source: formats/framework-specific.md section 3.
std::vector<Step> legacySteps(const RankManifest& rank, const TraceStore* trace);

/// Rows in which kernels of output_timeline_data_{rank}.txt, which count from the system's start, have the times of the timeline, which
/// counts from its first kernel, and the slices that they are: those of the same begin within 1 ns whose name is the end of theirs. Rows
/// that do not agree with the timeline in most kernels stay as they are.
RowTables withLegacyKernels(const RowTables& tables, const TraceStore& trace);

}  // namespace altiscope::reader
