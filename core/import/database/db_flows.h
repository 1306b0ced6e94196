#pragma once

#include "core/import/database/db_pass.h"

#include <vector>

namespace altiscope::reader {

/// Connects rows of several tables: HostToDevice (launch to task and collective), async_npu (operator to the first task
/// of each of its launches), fwdbwd, async_task_queue and MsTx. Points without a partner give no flow: a connection id
/// says what a row would be connected to, not that there is something.
/// Source: core/import/database/FORMAT.md section 1, "Connection ids".
Segment connectRows(std::vector<DbFlowPoint> points, TraceBuilder::Names& names);

}  // namespace altiscope::reader
