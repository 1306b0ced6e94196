#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// Tables of what was counted for single tasks, of the AI CPU, and of iterations.
// Source: core/report/deliverables/FORMAT.md section 10.

/// l2_cache: hits and victims of the L2 cache by task.
DeliverableResult writeL2Cache(const DeliverableInput& input);
/// soc_pmu: hits and misses of the translation of addresses by task.
DeliverableResult writeTranslations(const DeliverableInput& input);
/// page_fault: by task.
DeliverableResult writePageFaults(const DeliverableInput& input);
/// aicpu: kernels of the AI CPU.
DeliverableResult writeAicpuKernels(const DeliverableInput& input);
/// dp: what it did to queues of data.
DeliverableResult writeQueueActions(const DeliverableInput& input);
/// aicpu_mi: how long it waited for data.
DeliverableResult writeQueueWaits(const DeliverableInput& input);
/// step_trace: a line for each iteration of a model, with its collectives.
DeliverableResult writeIterations(const DeliverableInput& input);

}  // namespace altiscope
