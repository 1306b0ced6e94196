#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/databases/step_trace.h"
#include "core/report/deliverables/deliverable_input.h"

#include <span>

namespace altiscope {

/// Tables of analysis.db or communication_analyzer.db, but for StepTraceTime: for torch_npu by step and kind, with
/// the ranked links; for msprof the collectives alone. Source: core/report/deliverables/FORMAT.md section 7.
/// @param steps  For torch_npu: databaseSteps().
void addCommunicationRows(const DeliverableInput& input, std::span<const DeviceStep> steps, SqliteFile& file);
/// StepTraceTime.
void addStepRows(std::span<const StepTraceRow> rows, SqliteFile& file);

}  // namespace altiscope
