#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

/// The tables of a profiler's database that CANN fills: facts, calls, tasks, collectives, counters, overlap.
/// Source: core/report/deliverables/FORMAT.md section 7. O(events). After a cancel some of the rows.
/// @param input  With the records of TaskDetail::Everything.
void addCannRows(const DeliverableInput& input, SqliteFile& file);

}  // namespace altiscope
