#pragma once

#include "core/base/files/sqlite_file.h"
#include "core/report/databases/database_texts.h"
#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

/// Tables of sampled counters and of memory: DDR, LLC, NPU_MEM, NPU_MODULE_MEM, QOS, HCCS, PCIE, NIC, ROCE.
/// Source: core/report/deliverables/FORMAT.md section 8.
void addSampleRows(const DeliverableInput& input, SqliteFile& file, DatabaseTexts& texts);

/// MSTX_EVENTS, and the marks of streams as rows of TASK, after those of the tasks.
void addMarkRows(const DeliverableInput& input, SqliteFile& file, DatabaseTexts& texts);

}  // namespace altiscope
