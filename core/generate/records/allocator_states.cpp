#include "core/generate/records/allocator_states.h"

#include "core/generate/records/memory_history.h"

namespace altiscope::generate {

std::string_view componentName(AllocatorComponent component, Framework framework) {
    const bool torch = framework == Framework::Torch;
    switch (component) {
    case AllocatorComponent::Framework: return torch ? "PTA" : "MindSpore";
    case AllocatorComponent::GraphEngine: return "GE";
    case AllocatorComponent::Both: return torch ? "PTA+GE" : "MindSpore+GE";
    }
    return {};
}

std::vector<AllocatorState> allocatorStates(const Run& run, const UnitRecord& record) {
    const std::uint64_t found = frameworkBefore(run, record.stage, record.unit);
    MemoryRow framework{{}, MemoryPool::Framework, found, reservedBefore(run, record.stage, record.unit), found};
    MemoryRow graph{{}, MemoryPool::GraphEngine, 0, run.memory[record.stage].graphReserved, 0};
    std::vector<AllocatorState> states;
    for (const MemoryRow& row : record.memory) {
        const bool inFramework = row.pool == MemoryPool::Framework;
        (inFramework ? framework : graph) = row;
        states.push_back({row.time, inFramework ? AllocatorComponent::Framework : AllocatorComponent::GraphEngine,
                          row.allocated, row.reserved, inFramework ? row.active : 0, framework.secondStream});
        states.push_back({row.time, AllocatorComponent::Both, framework.allocated + graph.allocated,
                          framework.reserved + graph.reserved, framework.active, framework.secondStream});
    }
    return states;
}

}  // namespace altiscope::generate
