#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope {

// Files of what the graph engine planned. Source: FORMAT.md section 9.

/// fusion_op: operators into which several were fused, by model.
DeliverableResult writeFusions(const DeliverableInput& input);

/// memory_record and operator_memory of the graph engine: what it had after each allocation and release, and how long
/// operators kept memory.
DeliverableResult writeGraphMemoryRecord(const DeliverableInput& input);
DeliverableResult writeGraphAllocations(const DeliverableInput& input);

/// static_op_mem: memory that is planned for operators.
DeliverableResult writeStaticMemory(const DeliverableInput& input);

/// A line of memory_record that torch_npu takes over: MB of KB to three digits. By time; none without any allocation.
struct GraphMemoryLine {
    std::int64_t time = 0;
    double allocated = 0, reserved = 0;
    std::string device;  ///< "NPU:0"
};
std::vector<GraphMemoryLine> graphMemoryLines(const DeliverableInput& input);
/// Lines of operator_memory that it takes over, as lines of its own table.
std::vector<std::vector<std::string>> graphAllocationLines(const DeliverableInput& input);

}  // namespace altiscope
