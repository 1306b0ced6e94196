#pragma once

#include "core/import/contracts/trace_reader.h"

#include <memory>

namespace altiscope::reader {

/// Reads Chrome trace events: a JSON array of event objects, or an object with such an array as "traceEvents".
/// Source: core/import/trace/FORMAT.md; what happens to each kind of bad input: diagnostic_log.h.
///
/// Errors besides those of files: "trace.empty", "trace.not_json", "trace.not_a_timeline".
std::unique_ptr<TraceReader> makeTraceJsonReader();

}  // namespace altiscope::reader
