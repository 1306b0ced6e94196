#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

/// op_summary of msprof, or kernel_details of torch_npu: the rows of `kernel` with what tasks and their counters say.
/// Source: core/report/deliverables/FORMAT.md section 2. O(rows).
DeliverableResult writeKernelFile(const DeliverableInput& input, const TaskIndex& tasks);

}  // namespace altiscope
