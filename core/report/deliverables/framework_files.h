#pragma once

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/framework_work.h"

#include <string>
#include <vector>

namespace altiscope {

// Files of torch_npu. Source: core/report/deliverables/FORMAT.md section 6.

/// operator_details: the operators of the framework. O(operators + kernels · depth of their operators, at most 1000).
DeliverableResult writeOperatorDetails(const DeliverableInput& input, const FrameworkWork& work,
                                       const TaskIndex& tasks);
/// Header of operator_memory, for both frameworks.
std::vector<std::string> operatorMemoryHeader();
/// operator_memory: memory from its allocation to its release. O(allocations).
DeliverableResult writeOperatorMemory(const DeliverableInput& input);
/// memory_record: how much memory was in use. O(samples).
DeliverableResult writeMemoryRecord(const DeliverableInput& input);
/// step_trace_time: what each step was spent on. O(steps · bars of the overlap analysis).
DeliverableResult writeStepTimes(const DeliverableInput& input, const FrameworkWork& work);

}  // namespace altiscope
