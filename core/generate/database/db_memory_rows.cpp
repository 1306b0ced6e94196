#include "core/generate/database/db_rows.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/counter_samples.h"
#include "core/generate/text/memory_csv.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

constexpr std::int64_t kBytesPerMb = std::int64_t{1} << 20U;
constexpr std::int64_t kBytesPerKb = 1024;

std::uint64_t bytesOf(std::uint64_t blocks) { return blocks * kBlockBytes; }

}  // namespace

void DbMemoryRows::unit(const UnitRecord& record) {
    allocators(record);
    allocations(record);
    graphEvents(record);
    modules(record);
    counters(record);
}

void DbMemoryRows::allocators(const UnitRecord& record) {
    const TextRange& texts = m_rank.texts.memory();
    for (const AllocatorState& state : allocatorStates(m_rank.run, record)) {
        const bool graph = state.component == AllocatorComponent::GraphEngine;
        m_rank.file.insert(DbTable::MemoryRecord,
                           {texts[componentName(state.component, Framework::Torch)], state.time.value,
                            bytesOf(state.allocated), bytesOf(state.reserved), bytesOf(state.active),
                            graph ? DbValue(nullptr) : DbValue(streamPointer(state.secondStream)),
                            m_rank.identity().device});
    }
}

void DbMemoryRows::allocations(const UnitRecord& record) {
    for (const std::vector<AllocationRow>* rows : {&record.allocations, &record.graphAllocations}) {
        const bool graph = rows == &record.graphAllocations;
        for (const AllocationRow& row : *rows) {
            const TensorSpec& tensor = m_rank.run.program.tensors[row.tensor];
            const bool released = row.released.value != 0;
            // The graph engine knows no streams and not what is active.
            const auto ifKnown = [](bool known, auto value) { return known ? DbValue(value) : DbValue(nullptr); };
            m_rank.file.insert(DbTable::OpMemory,
                               {m_rank.texts.memory()[m_rank.run.program.texts[tensor.owner]], bytesOf(tensor.blocks),
                                row.allocated.value, ifKnown(released, row.released.value),
                                ifKnown(released && !graph, row.activeReleased.value),
                                ifKnown(released, (row.released - row.allocated).value),
                                ifKnown(released && !graph, (row.activeReleased - row.allocated).value),
                                bytesOf(row.atAllocation.allocated), bytesOf(row.atAllocation.reserved),
                                ifKnown(!graph, bytesOf(row.atAllocation.active)),
                                ifKnown(released, bytesOf(row.atRelease.allocated)),
                                ifKnown(released, bytesOf(row.atRelease.reserved)),
                                ifKnown(released && !graph, bytesOf(row.atRelease.active)),
                                ifKnown(!graph, streamPointer(tensor.crossesStreams)), m_rank.identity().device});
        }
    }
}

void DbMemoryRows::graphEvents(const UnitRecord& record) {
    struct GraphEvent {
        const AllocationRow* row;
        bool allocates;
        TimeNs time() const { return allocates ? row->allocated : row->released; }
    };
    std::vector<GraphEvent> events;
    for (const AllocationRow& row : record.graphAllocations) {
        events.push_back({&row, true});
        if (row.released.value != 0) events.push_back({&row, false});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const GraphEvent& a, const GraphEvent& b) { return a.time() < b.time(); });
    const TextRange& texts = m_rank.texts.cann();
    for (const GraphEvent& event : events) {
        constexpr std::uint64_t kFirstAddress = 20'617'629'794'304;
        constexpr std::uint64_t kBetween = std::uint64_t{1} << 26U;
        const TensorSpec& tensor = m_rank.run.program.tensors[event.row->tensor];
        const MemoryRow& state = event.allocates ? event.row->atAllocation : event.row->atRelease;
        m_rank.file.insert(DbTable::NpuOpMem,
                           {texts[m_rank.run.program.texts[tensor.owner]], kFirstAddress + event.row->tensor * kBetween,
                            texts[event.allocates ? "allocate" : "release"], bytesOf(tensor.blocks), event.time().value,
                            m_rank.globalTid(m_rank.tracks.cann(ApiThread::Queue)), bytesOf(state.allocated),
                            bytesOf(state.reserved), texts["GE"], m_rank.identity().device});
    }
}

void DbMemoryRows::modules(const UnitRecord& record) {
    for (std::size_t module = 0; module < memoryModules().size(); ++module) {
        const std::uint32_t id = enumerationId(DbTable::EnumModule, memoryModules()[module]);
        for (const TimeNs time : moduleSampleTimes(m_rank.run.plan.startOf(m_rank.rank), module, record.window)) {
            m_rank.file.insert(
                DbTable::NpuModuleMem,
                {id, time.value, bytesOf(moduleBlocks(m_rank.run, record.stage, module)), m_rank.identity().device});
        }
    }
}

void DbMemoryRows::counters(const UnitRecord& record) {
    const TextRange& texts = m_rank.texts.cann();
    const std::uint32_t device = m_rank.identity().device;
    const std::vector<CounterSample>& samples = record.counters;
    m_rank.tally.counters += samples.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const CounterSample& sample = samples[i];
        const std::int64_t time = sample.time.value;
        // Samples of one row follow each other; the first of them writes it.
        const auto next = [&](std::size_t after) { return samples[i + after].value; };
        switch (sample.kind) {
        case CounterKind::CoreFrequency: m_rank.file.insert(DbTable::AicoreFreq, {device, time, sample.value}); break;
        case CounterKind::HbmRead:
        case CounterKind::HbmWrite:
            m_rank.file.insert(DbTable::Hbm, {device, time, sample.value * (kBytesPerMb / kHbmResolution), sample.index,
                                              texts[sample.kind == CounterKind::HbmRead ? "read" : "write"]});
            break;
        case CounterKind::CacheThroughput:
            // Whole bytes per second of thousandths of MB/s.
            m_rank.file.insert(DbTable::Llc, {device, sample.index, time, static_cast<double>(next(1)) / 10.0,
                                              (sample.value * kBytesPerMb + 500) / 1000, texts["read"]});
            break;
        case CounterKind::AppMemory:
        case CounterKind::DeviceMemory:
            if (sample.index == 0)
                m_rank.file.insert(DbTable::NpuMem, {texts[sample.kind == CounterKind::AppMemory ? "app" : "device"],
                                                     sample.value * kBytesPerKb, next(1) * kBytesPerKb, time, device});
            break;
        case CounterKind::Qos:
            m_rank.file.insert(DbTable::Qos, {device, texts["OTHERS"], sample.value * kBytesPerMb, time, -1});
            break;
        case CounterKind::AccReadBandwidth:
            m_rank.file.insert(DbTable::AccPmu, {sample.index, sample.value, next(1), next(2), next(3), time, device});
            break;
        case CounterKind::MataLevel:
            m_rank.file.insert(DbTable::SocBandwidthLevel, {next(1), sample.value, time, device});
            break;
        case CounterKind::CacheHitRate:
        case CounterKind::AccWriteBandwidth:
        case CounterKind::AccReadOutstanding:
        case CounterKind::AccWriteOutstanding:
        case CounterKind::BufferLevel: break;
        }
    }
}

}  // namespace altiscope::generate
