#include "core/generate/snapshot/snapshot_writer.h"

#include "core/generate/records/memory_history.h"
#include "core/generate/snapshot/block_allocator.h"
#include "core/generate/snapshot/pickle_writer.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::generate {

namespace {

/// What the model holds is no tensor of the program.
constexpr std::uint32_t kModelTensor = ~std::uint32_t{0};
/// Nor is what a side stream keeps, and what failed to be allocated.
constexpr std::uint32_t kSideTensor = kModelTensor - 1, kFailedTensor = kModelTensor - 2;
constexpr std::uint64_t kSideStream = 911'238'144;

struct HistoryEvent {
    TimeNs time;
    std::size_t row = 0;
    enum class Change : std::uint8_t { Allocate, Request, Complete } change = Change::Allocate;
};

/// Changes of a unit's blocks in their order. A block is requested back when the program lets go of it, and is free
/// once no stream uses it any more.
std::vector<HistoryEvent> historyOf(const std::vector<AllocationRow>& rows) {
    using Change = HistoryEvent::Change;
    std::vector<HistoryEvent> events;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const AllocationRow& block = rows[row];
        events.push_back({block.allocated, row, Change::Allocate});
        if (block.released.value == 0) continue;
        const TimeNs requested = std::min(block.released, block.activeReleased);
        events.push_back({requested, row, Change::Request});
        events.push_back({std::max(requested, block.activeReleased), row, Change::Complete});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const HistoryEvent& a, const HistoryEvent& b) { return a.time < b.time; });
    return events;
}

class RankSnapshot {
public:
    RankSnapshot(const PassContext& context, std::uint32_t rank, OutputStream& stream)
        : m_context(context), m_run(context.run), m_rank(rank), m_stream(stream),
          m_allocator(kFirstAddress + (std::uint64_t{rank} << kRankBits)),
          m_sideAllocator(kFirstAddress + (std::uint64_t{rank} << kRankBits) + (std::uint64_t{1} << (kRankBits - 1))) {}

    Result<Done> write() {
        m_pickle.begin();
        m_pickle.openDict();
        m_pickle.text("device_traces");
        m_pickle.openList();
        const std::uint32_t device = m_run.plan.identities[m_rank].device;
        for (std::uint32_t i = 0; i < device; ++i) emptyList();
        m_pickle.openList();
        addSideBlocks();
        addModel();
        TraceTally unused;
        const auto collect = [this](RenderedUnit& unit) { return addUnit(unit.record); };
        Result<Done> done =
            runUnitPass(m_context, m_rank, {UnitParts::Memory, {}, [](RenderedUnit&) {}, collect, 0}, unused);
        if (!done.ok()) return done;
        addFailure();
        m_pickle.closeList();
        m_pickle.closeList();
        m_pickle.text("segments");
        m_pickle.openList();
        for (const BlockAllocator* allocator : {&m_allocator, &m_sideAllocator}) {
            for (const auto& [address, segment] : allocator->segments()) addSegment(*allocator, segment, device);
        }
        m_pickle.closeList();
        m_pickle.closeDict();
        m_pickle.end();
        return flush();
    }

private:
    static constexpr std::uint64_t kFirstAddress = std::uint64_t{0x12C0} << 32;
    static constexpr unsigned kRankBits = 36;
    struct Block {
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::uint32_t tensor = kModelTensor;
    };

    Result<Done> flush() {
        Result<Done> done = m_stream.write(m_text.view());
        m_context.progress.addDone(m_text.size());
        m_text.clear();
        return done;
    }
    void emptyList() {
        m_pickle.openList();
        m_pickle.closeList();
    }
    std::uint64_t streamOf(std::uint32_t tensor) const {
        // A request fails where the holes are that would have been enough.
        const bool hasHoles = m_run.memory[m_run.stageOf(m_rank)].sideSegments > 0;
        if (tensor == kSideTensor || (tensor == kFailedTensor && hasHoles)) return kSideStream;
        return streamPointer(tensor < kFailedTensor && m_run.program.tensors[tensor].crossesStreams);
    }
    void frame(std::string_view file, std::uint64_t line, std::string_view name);
    void frames(std::uint32_t tensor);
    void event(std::string_view action, std::uint64_t address, std::uint64_t size, std::uint32_t tensor);
    Block allocate(BlockAllocator& allocator, std::uint32_t tensor, std::uint64_t size);
    void release(BlockAllocator& allocator, const Block& block);
    void addSideBlocks();
    void addModel();
    void addFailure();
    Result<Done> addUnit(const UnitRecord& record);
    void addSegment(const BlockAllocator& allocator, const BlockAllocator::Segment& segment, std::uint32_t device);

    const PassContext& m_context;
    const Run& m_run;
    std::uint32_t m_rank;
    OutputStream& m_stream;
    TextBuffer m_text;
    PickleWriter m_pickle{m_text};
    BlockAllocator m_allocator, m_sideAllocator;                // streams have segments of their own
    std::unordered_map<std::uint64_t, Block> m_blocks;          // by address
    std::unordered_map<std::uint32_t, std::uint32_t> m_stacks;  // numbers in the pickle, by tensor
    std::uint32_t m_events = 0;
};

void RankSnapshot::frame(std::string_view file, std::uint64_t line, std::string_view name) {
    m_pickle.openDict();
    m_pickle.entry("filename", file);
    m_pickle.entry("line", line);
    m_pickle.entry("name", name);
    m_pickle.closeDict();
}

void RankSnapshot::frames(std::uint32_t tensor) {
    m_pickle.text("frames");
    const auto known = m_stacks.find(tensor);
    if (known != m_stacks.end()) return m_pickle.again(known->second);
    m_pickle.openList();
    if (tensor == kModelTensor) {
        frame("/workspace/train/model.py", 41, "build");
    } else if (tensor == kSideTensor) {
        frame("/workspace/train/prefetch.py", 58, "stage_batch");
    } else if (tensor == kFailedTensor) {
        frame("/workspace/train/evaluate.py", 73, "logits_of_all");
    } else {
        const TensorSpec& spec = m_run.program.tensors[tensor];
        frame("??", 0, m_run.program.texts[spec.owner]);
        if (spec.leaks) frame("/workspace/train/metrics.py", 27, "keep_outputs");
        else frame("/workspace/train/model.py", 100 + spec.owner.value % 400, "forward");
        frame("/workspace/train/train.py", 88, "train_step");
    }
    frame("/workspace/train/train.py", 132, "<module>");
    m_pickle.closeList();
    m_stacks.emplace(tensor, m_pickle.takeNumber());
}

void RankSnapshot::event(std::string_view action, std::uint64_t address, std::uint64_t size, std::uint32_t tensor) {
    // As many items at a time as Python's pickler.
    constexpr std::uint32_t kBatch = 1000;
    if (m_events++ % kBatch == kBatch - 1) {
        m_pickle.closeList();
        m_pickle.moreItems();
    }
    m_pickle.openDict();
    m_pickle.entry("action", action);
    if (tensor == kFailedTensor) m_pickle.entry("device_free", address);
    else m_pickle.entry("addr", address);
    m_pickle.entry("size", size);
    m_pickle.entry("stream", streamOf(tensor));
    frames(tensor);
    m_pickle.closeDict();
}

RankSnapshot::Block RankSnapshot::allocate(BlockAllocator& allocator, std::uint32_t tensor, std::uint64_t size) {
    const BlockAllocator::Placed placed = allocator.allocate(size);
    if (placed.made) event("segment_alloc", placed.made->address, placed.made->size, tensor);
    event("alloc", placed.address, size, tensor);
    const Block block{placed.address, size, tensor};
    m_blocks[placed.address] = block;
    return block;
}

void RankSnapshot::release(BlockAllocator& allocator, const Block& block) {
    event("free_requested", block.address, block.size, block.tensor);
    event("free_completed", block.address, block.size, block.tensor);
    allocator.release(block.address);
    m_blocks.erase(block.address);
}

/// A stream beside the others allocates in turns what stays and what goes: in each of its segments a block stays, so
/// that none can be given back.
void RankSnapshot::addSideBlocks() {
    std::vector<Block> fillers;
    for (std::uint64_t i = 0; i < m_run.memory[m_run.stageOf(m_rank)].sideSegments; ++i) {
        allocate(m_sideAllocator, kSideTensor, kSideBlock * kBlockBytes);
        fillers.push_back(allocate(m_sideAllocator, kSideTensor, kSideHole * kBlockBytes));
    }
    for (const Block& filler : fillers) release(m_sideAllocator, filler);
}

void RankSnapshot::addModel() {
    constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;
    const std::uint32_t stage = m_run.stageOf(m_rank);
    std::uint64_t left =
        (frameworkBefore(m_run, stage, 0) - m_run.memory[stage].sideSegments * kSideBlock) * kBlockBytes;
    while (left > 0) left -= allocate(m_allocator, kModelTensor, std::min(left, kLargest)).size;
}

/// Nothing changes any more: the program ended.
void RankSnapshot::addFailure() {
    constexpr std::uint64_t kLeftOfDevice = std::uint64_t{312} << 20;
    for (const Plant& plant : m_run.plan.conditions.plants) {
        if (plant.kind != FaultKind::Oom) continue;
        const auto amount = static_cast<std::uint64_t>(plant.amount);
        event("oom", std::min(kLeftOfDevice, amount / 4), plant.amount, kFailedTensor);
    }
}

Result<Done> RankSnapshot::addUnit(const UnitRecord& record) {
    std::vector<Block> blocks(record.allocations.size());
    for (const HistoryEvent& one : historyOf(record.allocations)) {
        const std::uint32_t tensor = record.allocations[one.row].tensor;
        Block& block = blocks[one.row];
        switch (one.change) {
        case HistoryEvent::Change::Allocate:
            block = allocate(m_allocator, tensor, std::uint64_t{m_run.program.tensors[tensor].blocks} * kBlockBytes);
            break;
        case HistoryEvent::Change::Request: event("free_requested", block.address, block.size, tensor); break;
        case HistoryEvent::Change::Complete:
            event("free_completed", block.address, block.size, tensor);
            m_allocator.release(block.address);
            m_blocks.erase(block.address);
            break;
        }
    }
    return flush();
}

void RankSnapshot::addSegment(const BlockAllocator& allocator, const BlockAllocator::Segment& segment,
                              std::uint32_t device) {
    std::uint64_t used = 0, requested = 0;
    m_pickle.openDict();
    m_pickle.text("blocks");
    m_pickle.openList();
    allocator.eachPart(segment, [&](std::uint64_t address, std::uint64_t size, bool isUsed) {
        m_pickle.openDict();
        m_pickle.entry("address", address);
        m_pickle.entry("size", size);
        m_pickle.entry("requested_size", isUsed ? m_blocks.at(address).size : 0);
        m_pickle.entry("state", isUsed ? "active_allocated" : "inactive");
        if (isUsed) {
            frames(m_blocks.at(address).tensor);
            used += size;
            requested += m_blocks.at(address).size;
        } else {
            m_pickle.text("frames");
            emptyList();
        }
        m_pickle.closeDict();
    });
    m_pickle.closeList();
    m_pickle.entry("device", std::uint64_t{device});
    m_pickle.entry("address", segment.address);
    m_pickle.entry("total_size", segment.size);
    m_pickle.entry("allocated_size", used);
    m_pickle.entry("active_size", used);
    m_pickle.entry("requested_size", requested);
    m_pickle.entry("stream", &allocator == &m_sideAllocator ? kSideStream : streamPointer(false));
    m_pickle.text("segment_pool_id");
    m_pickle.pair(0, 0);
    m_pickle.entry("segment_type", segment.isSmall ? "small" : "large");
    m_pickle.text("is_expandable");
    m_pickle.boolean(false);
    m_pickle.text("frames");
    emptyList();
    m_pickle.closeDict();
}

}  // namespace

Result<Done> writeSnapshot(const PassContext& context, OutputTarget& target, std::uint32_t rank) {
    const std::filesystem::path file =
        std::filesystem::path("memory_snapshot") / ("snapshot_" + std::to_string(rank) + ".pickle");
    Result<std::unique_ptr<OutputStream>> stream = target.open(file);
    if (!stream.ok()) return stream.as<Done>();
    Result<Done> done = RankSnapshot(context, rank, *stream.value()).write();
    return done.ok() ? stream.value()->close() : done;
}

}  // namespace altiscope::generate
