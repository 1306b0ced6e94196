#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// Files that MindSpore's analysis writes otherwise than that of torch_npu, or alone. Source:
// core/report/deliverables/FORMAT.md section 11.

/// memory_record: each event of one pool, then the sum of both; what the process holds is behind them.
DeliverableResult writeMindsporeMemory(const DeliverableInput& input);
/// operator_memory.
DeliverableResult writeMindsporeAllocations(const DeliverableInput& input);
/// operator_details: names and shapes.
DeliverableResult writeMindsporeOperators(const DeliverableInput& input);
/// dataset: means of what the data pipeline did on the host.
DeliverableResult writeMindsporeDataset(const DeliverableInput& input);

}  // namespace altiscope
