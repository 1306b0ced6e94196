#pragma once

#include "core/import/database/db_pass.h"

#include <vector>

namespace altiscope::reader {

/// Tables of the device: TASK (with the small tasks of collectives on their planes), COMMUNICATION_OP, OVERLAP_ANALYSIS
/// where it can be used, CCU, DPU_TASK. `context` must outlive them.
/// Source: core/import/database/FORMAT.md sections 2 and 3.
std::vector<DbScan> deviceScans(const DbContext& context);

/// Names of the threads of "Overlap Analysis"; OVERLAP_ANALYSIS.type and the thread are the same number.
std::string_view overlapName(std::int64_t type);

}  // namespace altiscope::reader
