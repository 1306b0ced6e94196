#include "core/generate/text/memory_csv.h"

#include "core/generate/records/allocator_states.h"
#include "core/generate/records/counter_samples.h"

namespace altiscope::generate {

namespace {

/// Blocks of 512 bytes as MB: a multiple of 1/2048 = 5^11 / 10^11, so at most eleven decimals.
void addMegabytes(std::uint64_t blocks, TextBuffer& out) {
    constexpr std::uint64_t kBlocksPerMb = 2048;
    std::uint64_t fraction = blocks % kBlocksPerMb * 48'828'125;
    unsigned digits = 11;
    for (; digits > 1 && fraction % 10 == 0; --digits) fraction /= 10;
    out.addNumber(blocks / kBlocksPerMb);
    out.add('.');
    out.addPadded(fraction, digits);
}

/// Blocks of 512 bytes as MindSpore's memory_record counts them: a multiple of 1/2000.
void addMegabytes(std::uint64_t blocks, Framework framework, TextBuffer& out) {
    if (framework == Framework::MindSpore) out.addTrimmed(static_cast<std::int64_t>(blocks * 5), 4);
    else addMegabytes(blocks, out);
}

void addDevice(const Run& run, std::uint32_t rank, TextBuffer& out) {
    out.add("NPU:");
    out.addNumber(std::uint64_t{run.plan.identities[rank].device});
}

void addRecord(std::string_view component, TimeNs time, TextBuffer& out) {
    out.add(component);
    out.add(',');
    out.addTime(time);
    out.add("\t,");
}

void addDuration(TimeNs from, TimeNs to, TextBuffer& out) {
    out.addNumber((to - from).value / 1000);
    out.add('.');
    out.addPadded(static_cast<std::uint64_t>((to - from).value % 1000), 3);
    out.add('\t');
}

}  // namespace

std::string_view memoryRecordHeader(Framework framework) {
    if (framework == Framework::MindSpore)
        return "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device Type\r\n";
    return "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\r\n";
}

void addProcessMemory(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                      TextBuffer& out) {
    for (const TimeNs time : memorySampleTimes(run.plan.startOf(rank), record.window)) {
        addRecord("APP", time, out);
        // MindSpore writes a zero where nothing is known.
        if (framework == Framework::MindSpore) out.add("0.0");
        out.add(',');
        addMegabytes(processBlocks(run, record, time), framework, out);
        out.add(framework == Framework::MindSpore ? ",0.0," : ",,,");
        addDevice(run, rank, out);
        out.add("\r\n");
    }
}

void addAllocatorRecords(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                         TextBuffer& out) {
    for (const AllocatorState& state : allocatorStates(run, record)) {
        addRecord(componentName(state.component, framework), state.time, out);
        const bool isGraph = state.component == AllocatorComponent::GraphEngine;
        addMegabytes(state.allocated, framework, out);
        out.add(',');
        addMegabytes(state.reserved, framework, out);
        out.add(',');
        if (!isGraph) addMegabytes(state.active, framework, out);
        else if (framework == Framework::MindSpore) out.add("0.0");
        out.add(',');
        if (framework == Framework::Torch) {
            if (!isGraph) out.addNumber(streamPointer(state.secondStream));
            out.add(',');
        }
        addDevice(run, rank, out);
        out.add("\r\n");
    }
}

std::string_view operatorMemoryHeader() {
    return "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),Active "
           "Duration(us),"
           "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total "
           "Allocated(MB),"
           "Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type\r\n";
}

void addOperatorMemory(const Run& run, std::uint32_t rank, const UnitRecord& record, MemoryPool pool, TextBuffer& out) {
    const bool inFramework = pool == MemoryPool::Framework;
    for (const AllocationRow& row : inFramework ? record.allocations : record.graphAllocations) {
        const TensorSpec& tensor = run.program.tensors[row.tensor];
        const bool released = row.released.value != 0;
        out.add(run.program.texts[tensor.owner]);
        out.add(',');
        out.addTrimmed(std::int64_t{tensor.blocks} * 5, 1);
        out.add(',');
        out.addTime(row.allocated);
        out.add("\t,");
        if (released) {
            out.addTime(row.released);
            out.add('\t');
        }
        out.add(',');
        if (released && inFramework) {
            out.addTime(row.activeReleased);
            out.add('\t');
        }
        out.add(',');
        if (released && inFramework) addDuration(row.allocated, row.released, out);
        else if (released) out.addTrimmed((row.released - row.allocated).value, 3);
        out.add(',');
        if (released && inFramework) addDuration(row.allocated, row.activeReleased, out);
        for (const MemoryRow* state : {&row.atAllocation, &row.atRelease}) {
            const bool known = state == &row.atAllocation || released;
            out.add(',');
            if (known) addMegabytes(state->allocated, out);
            out.add(',');
            if (known) addMegabytes(state->reserved, out);
            out.add(',');
            if (known && inFramework) addMegabytes(state->active, out);
        }
        out.add(',');
        if (inFramework) out.addNumber(streamPointer(tensor.crossesStreams));
        out.add(',');
        addDevice(run, rank, out);
        out.add("\r\n");
    }
}

std::string_view moduleMemoryHeader(Framework framework) {
    return framework == Framework::MindSpore ? "Device_id,Component,Timestamp(us),Total Reserved(KB),Device\n"
                                             : "Device_id,Component,Timestamp(us),Total Reserved(MB),Device\n";
}

const std::vector<std::string_view>& memoryModules() {
    static const std::vector<std::string_view> kModules{
        "SLOG",  "IDEDD", "HCCL",   "FMK",      "DVPP",     "RUNTIME",   "CCE", "HDC",  "DEVMM", "GE",
        "AICPU", "TSYNC", "TBE",    "DRV",      "ASCENDCL", "PROFILING", "TDT", "HCCP", "ROCE",  "TEFUSION",
        "AML",   "FE",    "KERNEL", "AIVECTOR", "TS",       "BBOX",      "OP",  "FFTS", "TPRT",  "MBUFF"};
    return kModules;
}

std::uint64_t moduleBlocks(const Run& run, std::uint32_t stage, std::size_t module) {
    constexpr std::uint64_t kBlocksPerMb = 2048;
    const std::string_view name = memoryModules()[module];
    // A few components hold memory all the time; the others hold none on the device.
    if (name == "HCCL") return run.plan.groups.empty() ? 0 : 400 * kBlocksPerMb;
    if (name == "RUNTIME") return 58 * kBlocksPerMb + 640;
    if (name == "SLOG") return 158 * kBlocksPerMb + 1'336;
    if (name == "GE") return run.memory[stage].graphReserved;
    return 0;
}

std::vector<TimeNs> moduleSampleTimes(TimeNs profilerStart, std::size_t module, const TimeRange& window) {
    std::vector<TimeNs> times = memorySampleTimes(profilerStart, window);
    for (TimeNs& time : times) time = time + DurationNs{static_cast<std::int64_t>(module) * 310};
    return times;
}

void addModuleMemory(const Run& run, std::uint32_t rank, std::size_t module, Framework framework, TextBuffer& out) {
    const TimeRange window{run.plan.startOf(rank), run.schedule.end(rank) + kLeadOut};
    const std::uint64_t blocks = moduleBlocks(run, run.stageOf(rank), module);
    for (const TimeNs time : moduleSampleTimes(run.plan.startOf(rank), module, window)) {
        out.addNumber(std::uint64_t{run.plan.identities[rank].device});
        out.add(',');
        addRecord(memoryModules()[module], time, out);
        if (framework == Framework::MindSpore) out.addTrimmed(static_cast<std::int64_t>(blocks) * 5, 1);
        else addMegabytes(blocks, out);
        out.add(',');
        addDevice(run, rank, out);
        out.add('\n');
    }
}

}  // namespace altiscope::generate
