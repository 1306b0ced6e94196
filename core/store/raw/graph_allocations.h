#pragma once

#include "core/store/raw/task_records.h"

#include <vector>

namespace altiscope {

/// Memory of the graph engine from its allocation to its release.
struct GraphAllocation {
    const GraphMemoryRecord* begin = nullptr;
    const GraphMemoryRecord* end = nullptr;  ///< Null: it was not released.
};

/// Pairs what was allocated with the next release of the same operator, address and device: those that were released in
/// the order of their releases, then the others in that of their allocations. One that is allocated again without a
/// release counts from then on. O(n log n). Source: core/report/deliverables/FORMAT.md section 9.
std::vector<GraphAllocation> graphAllocations(const std::vector<GraphMemoryRecord>& events);

}  // namespace altiscope
