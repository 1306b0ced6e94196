#pragma once

#include "core/import/contracts/trace_reader.h"

#include <memory>

namespace altiscope::reader {

/// Reads profiler databases (ascend_pytorch_profiler_{R}.db, ascend_mindspore_profiler_{R}.db, msprof_{T}.db,
/// msmonitor_*.db), all versions of their schema: what a table or column is missing is missing from the trace. Errors
/// as openDatabase, and "db.not_a_timeline" for a database of something else.
/// Source: core/import/database/FORMAT.md.
std::unique_ptr<TraceReader> makeDbTraceReader();

}  // namespace altiscope::reader
