#include "core/generate/records/memory_history.h"

#include "core/generate/model/trained_model.h"

#include <algorithm>
#include <unordered_map>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kBlocksPerMb = (1ULL << 20) / kBlockBytes;
/// The caching allocator takes memory from the device in segments of this size.
constexpr std::uint64_t kSegment = 20 * kBlocksPerMb;
/// From the end of use on the device to the release on the host.
constexpr DurationNs kReleaseLag{610};
constexpr DurationNs kSecondStreamLag{1'290'000};

std::uint64_t segments(std::uint64_t blocks) { return (blocks + kSegment - 1) / kSegment * kSegment; }

static_assert(kSideBlock + kSideHole == kSegment);

/// What is reserved for so much that is allocated, blocks of side streams among it.
std::uint64_t reservedFor(const MemoryLevels& levels, std::uint64_t blocks) {
    return segments(blocks + levels.sideSegments * kSideHole);
}

/// Most blocks that a unit holds at once, above what it found.
std::uint64_t peakOf(const RunProgram& program, const UnitProgram& unit) {
    std::uint64_t selected = 0;
    std::uint64_t peak = 0;
    for (const HostAction& action : unit.actions) {
        if (action.kind == ActionKind::Allocate) selected += program.tensors[action.detail].blocks;
        if (action.kind == ActionKind::Release) selected -= program.tensors[action.detail].blocks;
        peak = std::max(peak, selected);
    }
    return peak;
}

struct TensorEvent {
    TimeNs time;
    std::uint32_t tensor;
    MemoryChange change;
    HostThread thread;
};

std::vector<TensorEvent> eventsOf(const Run& run, const UnitRecord& record) {
    const bool lastUnit = record.unit + 1 == run.plan.units();
    std::vector<TensorEvent> events;
    for (const MemoryEvent& event : record.host.memory) {
        const TensorSpec& tensor = run.program.tensors[event.tensor];
        if (event.allocated) {
            events.push_back({event.time, event.tensor, MemoryChange::Allocate, event.thread});
            continue;
        }
        if (lastUnit && tensor.outlivesRun) continue;
        const TimeNs active =
            tensor.crossesStreams ? std::min(event.time + kSecondStreamLag, record.host.end) : event.time;
        if (tensor.pool == MemoryPool::Framework)
            events.push_back({active, event.tensor, MemoryChange::ReleaseActive, event.thread});
        events.push_back({tensor.pool == MemoryPool::Framework ? event.time + kReleaseLag : event.time, event.tensor,
                          MemoryChange::Release, event.thread});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const TensorEvent& a, const TensorEvent& b) { return a.time < b.time; });
    return events;
}

/// Bytes that the model needs all the time on a rank of a pipeline stage.
std::uint64_t stateBytes(const ModelShape& shape, std::uint32_t stage) {
    if (shape.kind == ModelKind::Resnet) {
        std::uint64_t weights = 0;
        for (const Tensor& tensor : resnetModel(shape).parameters()) weights += tensor.bytes();
        // Their gradients and momenta are as large.
        return weights * 3;
    }
    // Weights, gradients and, in single precision and shared by the data parallel ranks, the optimizer's states.
    const std::uint64_t perLayer = 4ULL * shape.hidden * shape.hidden + 3ULL * shape.hidden * shape.feedForward;
    const std::uint64_t ends = 2ULL * shape.vocabulary * shape.hidden;
    std::uint64_t experts = 0;
    std::uint64_t dense = ends / shape.pipelineParallel;
    for (std::uint32_t i = 0; i < shape.layersOfStage(); ++i) {
        if (!shape.hasExperts(stage * shape.layersOfStage() + i)) {
            dense += perLayer;
            continue;
        }
        dense += 4ULL * shape.hidden * shape.hidden;
        experts += 3ULL * shape.hidden * shape.expertFeedForward * (shape.experts / shape.expertParallel);
    }
    dense /= shape.tensorParallel;
    experts /= shape.tensorParallel;
    return (dense + experts) * 4 + dense * 12 / shape.dataParallel + experts * 12 / shape.expertDataParallel;
}

}  // namespace

MemoryLevels memoryLevels(const RunPlan& plan, const RunProgram& program, std::uint32_t stage) {
    MemoryLevels levels;
    for (const Plant& plant : plan.conditions.plants) {
        constexpr std::uint64_t kHoleBytes = kSideHole * kBlockBytes;
        if (plant.kind == FaultKind::Fragmentation) levels.sideSegments = (plant.amount + kHoleBytes - 1) / kHoleBytes;
    }
    levels.frameworkBase = stateBytes(plan.model, stage) / kBlockBytes + levels.sideSegments * kSideBlock;
    const StageProgram& units = program.stages[stage];
    for (std::size_t variant = 0; variant < units.units.size(); ++variant)
        levels.peakOf[variant] = peakOf(program, units.units[variant]);
    std::uint64_t graph = 0;
    for (const UnitProgram& unit : units.units) {
        for (const HostAction& action : unit.actions) {
            // Only the last unit of a step leaves something behind.
            if (action.kind == ActionKind::Allocate && program.tensors[action.detail].leaks)
                levels.leakedPerStep += program.tensors[action.detail].blocks;
            if (action.kind != ActionKind::Launch) continue;
            std::uint64_t selected = 0;
            for (const std::uint32_t tensor : program.launches[action.detail].workspaces)
                selected += program.tensors[tensor].blocks;
            graph = std::max(graph, selected);
        }
    }
    levels.graphReserved = (graph + kBlocksPerMb) / 128 * 128;
    levels.process = 657 * kBlocksPerMb + 1'640;
    return levels;
}

std::uint64_t frameworkBefore(const Run& run, std::uint32_t stage, std::uint64_t unit) {
    // A leak is left behind by the last unit of a step.
    const MemoryLevels& levels = run.memory[stage];
    return levels.frameworkBase + unit / run.program.microBatches * levels.leakedPerStep;
}

std::uint64_t reservedBefore(const Run& run, std::uint32_t stage, std::uint64_t unit) {
    const std::uint32_t microBatches = run.program.microBatches;
    const MemoryLevels& levels = run.memory[stage];
    std::uint64_t reserved = reservedFor(levels, levels.frameworkBase);
    // Three units are enough: those in the middle of a step are all the same, and the last of each kind found the most.
    for (const std::uint32_t microBatch : {0U, 1U, microBatches - 1}) {
        if (microBatch >= std::min<std::uint64_t>(unit, microBatches)) continue;
        const std::uint64_t last = unit - 1 - (unit - 1 - microBatch) % microBatches;
        const std::size_t variant = RunProgram::unitVariant(microBatch == 0, microBatch + 1 == microBatches);
        reserved = std::max(reserved, reservedFor(levels, frameworkBefore(run, stage, last) + levels.peakOf[variant]));
    }
    return reserved;
}

void recordMemory(const Run& run, UnitRecord& record) {
    const MemoryLevels& levels = run.memory[record.stage];
    const std::uint64_t found = frameworkBefore(run, record.stage, record.unit);
    MemoryRow framework{{}, MemoryPool::Framework, found, reservedBefore(run, record.stage, record.unit), found};
    MemoryRow graph{{}, MemoryPool::GraphEngine, 0, levels.graphReserved, 0};
    std::unordered_map<std::uint32_t, std::size_t> rows;  // Tensor -> its row in the list of its pool.
    for (const TensorEvent& event : eventsOf(run, record)) {
        const TensorSpec& tensor = run.program.tensors[event.tensor];
        const bool inFramework = tensor.pool == MemoryPool::Framework;
        MemoryRow& state = inFramework ? framework : graph;
        auto& list = inFramework ? record.allocations : record.graphAllocations;
        state.time = event.time;
        state.secondStream = tensor.crossesStreams;
        state.change = event.change;
        state.tensor = event.tensor;
        state.thread = event.thread;
        switch (event.change) {
        case MemoryChange::Allocate:
            state.allocated += tensor.blocks;
            state.active += tensor.blocks;
            if (inFramework) state.reserved = std::max(state.reserved, reservedFor(levels, state.allocated));
            else if (state.allocated > state.reserved) state.reserved = segments(state.allocated);
            rows[event.tensor] = list.size();
            list.push_back({event.tensor, event.time, {}, {}, state, {}});
            break;
        case MemoryChange::ReleaseActive:
            state.active -= tensor.blocks;
            // Without a second stream the block is free at once; the release that follows finds nothing more to do.
            if (!tensor.crossesStreams) state.allocated -= tensor.blocks;
            list[rows[event.tensor]].activeReleased = event.time;
            break;
        case MemoryChange::Release:
            if (!inFramework) state.active -= tensor.blocks;
            if (!inFramework || tensor.crossesStreams) state.allocated -= tensor.blocks;
            list[rows[event.tensor]].released = event.time;
            list[rows[event.tensor]].atRelease = state;
            break;
        }
        record.memory.push_back(state);
    }
}

}  // namespace altiscope::generate
