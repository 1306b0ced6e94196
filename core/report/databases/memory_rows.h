#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

/// Writes MEMORY_RECORD and OP_MEMORY of torch_npu: the framework's memory, and that of the graph engine where it
/// allocated. Source: core/report/deliverables/FORMAT.md section 7.
void addMemoryRows(const DeliverableInput& input, SqliteFile& file);

}  // namespace altiscope
