#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// The summaries of msprof, of which torch_npu copies most. Source: core/report/deliverables/FORMAT.md section 3.

/// task_time: every task of a device. O(tasks log tasks).
DeliverableResult writeTaskTimes(const DeliverableInput& input);
/// op_statistic: tasks by the type of their operator and their core. O(tasks).
DeliverableResult writeOpStatistic(const DeliverableInput& input);
/// api_statistic: calls of CANN by name. Two passes over its slices.
DeliverableResult writeApiStatistic(const DeliverableInput& input);
/// communication_statistic: collectives by the type of their operator; only where one has a type.
DeliverableResult writeCommunicationStatistic(const DeliverableInput& input);

}  // namespace altiscope
