#pragma once

#include "core/generate/database/db_tables.h"
#include "core/generate/records/step_truth.h"
#include "core/generate/text/communication_json.h"

namespace altiscope::generate {

/// Rows of analysis.db: the numbers of communication.json, communication_matrix.json and step_trace_time.csv.
/// Source of the format: torch_npu's db export at level 1.
void addStepTraceRow(const StepTruth& step, SqliteFile& file);
void addCommunicationRows(const Run& run, std::uint64_t step, const StepCommunication& communication, SqliteFile& file);

}  // namespace altiscope::generate
