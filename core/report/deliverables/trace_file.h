#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

/// msprof_*.json of msprof, or trace_view.json of torch_npu: all tracks of a rank but those that were computed from
/// others. Source: core/report/deliverables/FORMAT.md section 5. O(events).
DeliverableResult writeTraceFile(const DeliverableInput& input);
/// step_trace.json: the iterations of models alone.
DeliverableResult writeIterationTrace(const DeliverableInput& input);
/// msprof_tx.json: the marks of mstx alone, of the host and of streams.
DeliverableResult writeMarkTrace(const DeliverableInput& input);

}  // namespace altiscope
