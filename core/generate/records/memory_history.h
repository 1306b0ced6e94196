#pragma once

#include "core/generate/records/unit_record.h"

namespace altiscope::generate {

/// Fills `record.memory`, `record.allocations` and `record.graphAllocations` from `record.host.memory`: totals of both
/// allocators after every event. A framework block that a second stream uses stays active for a while after its
/// release. O(n log n) for n events.
void recordMemory(const Run& run, UnitRecord& record);

/// Levels that follow from the model's size and from what the units allocate. O(program).
MemoryLevels memoryLevels(const RunPlan& plan, const RunProgram& program, std::uint32_t stage);

/// Of a segment of a side stream: the block that keeps it, and the hole beside it that no other stream can use; in
/// blocks of kBlockBytes.
inline constexpr std::uint64_t kSideBlock = 2 * ((1ULL << 20) / kBlockBytes);
inline constexpr std::uint64_t kSideHole = 18 * ((1ULL << 20) / kBlockBytes);

/// What the framework's allocator of a rank of the stage holds when a unit begins: the model, and what leaked.
std::uint64_t frameworkBefore(const Run& run, std::uint32_t stage, std::uint64_t unit);
/// What the framework's allocator has reserved when a unit begins.
std::uint64_t reservedBefore(const Run& run, std::uint32_t stage, std::uint64_t unit);

}  // namespace altiscope::generate
