#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/step_rows.h"

#include <span>

namespace altiscope {

/// The tables of a profiler's database that torch_npu adds: operators, queue, calls of Python, garbage collections,
/// steps, memory. Source: core/report/deliverables/FORMAT.md section 7. O(slices of the framework + rows of memory);
/// arguments of operators are read again. After a cancel some of the rows.
/// @param input  With the records of TaskDetail::Everything.
/// @param steps  hostSteps().
void addFrameworkRows(const DeliverableInput& input, std::span<const HostStep> steps, SqliteFile& file);

}  // namespace altiscope
