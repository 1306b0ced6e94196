#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// What the graph engine planned. Source: FORMAT.md section 9.

/// fusion_op: operators into which several were fused, by model.
DeliverableResult writeFusions(const DeliverableInput& input);

/// memory_record and operator_memory of the graph engine: what it had after each allocation and release, and how long
/// operators kept memory.
DeliverableResult writeGraphMemoryRecord(const DeliverableInput& input);
DeliverableResult writeGraphAllocations(const DeliverableInput& input);

/// static_op_mem: memory that is planned for operators.
DeliverableResult writeStaticMemory(const DeliverableInput& input);

}  // namespace altiscope
