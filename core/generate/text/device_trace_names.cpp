#include "core/generate/text/device_trace_names.h"

namespace altiscope::generate {

std::string_view taskTypeOf(const RunProgram& program, const TaskSpec& task) {
    switch (task.kind) {
    case TaskKind::HostCopy: return "PCIE_DMA_SQE";
    case TaskKind::DeviceCopy: return "SDMA_SQE";
    case TaskKind::EventRecord: return "EVENT_RECORD_SQE";
    case TaskKind::EventWait: return "EVENT_WAIT_SQE";
    case TaskKind::Collective: return {};
    case TaskKind::Kernel: break;
    }
    // The timeline calls kernels on vector cores AI_CORE too; only the summary files tell them apart.
    switch (program.kernels[task.index].core) {
    case CoreKind::Cube:
    case CoreKind::Vector: return "AI_CORE";
    case CoreKind::MixCube: return "MIX_AIC";
    case CoreKind::MixVector: return "MIX_AIV";
    case CoreKind::Random: return "DSA_SQE";
    case CoreKind::AiCpu: return "AI_CPU";
    }
    return {};
}

std::string_view taskNameOf(const TaskSpec& task) {
    if (task.kind == TaskKind::EventRecord) return "EVENT_RECORD";
    if (task.kind == TaskKind::EventWait) return "EVENT_WAIT";
    return "MEMCPY_ASYNC";
}

void addFlowId(const DeviceWork& work, TextBuffer& out) {
    switch (work.task->kind) {
    case TaskKind::Kernel: {
        // n * 2^48 + 2^32 - 1, in two halves of decimal digits because it exceeds 64 bits.
        const std::uint64_t n = 142'123 + work.connection;
        constexpr std::uint64_t kHalf = 1'000'000'000;
        const std::uint64_t low = n * 976'710'656 + 4'294'967'295;
        out.addNumber(n * 281'474 + low / kHalf);
        out.addPadded(low % kHalf, 9);
        break;
    }
    case TaskKind::Collective: out.addNumber(((work.connection + 1) << 32) - 1); break;
    case TaskKind::HostCopy:
    case TaskKind::DeviceCopy:
    case TaskKind::EventRecord:
    case TaskKind::EventWait: out.addNumber(work.connection); break;
    }
}

ApiNames namesOf(ApiKind kind) {
    switch (kind) {
    case ApiKind::AscendClNn: return {"AscendCL@", "ACL_NN", "acl"};
    case ApiKind::AscendClOp: return {"AscendCL@", "ACL_OP", "acl"};
    case ApiKind::AscendClRts: return {"AscendCL@", "ACL_RTS", "acl"};
    case ApiKind::AscendClCollective: return {"AscendCL@", "HOST_HCCL", "acl"};
    case ApiKind::NodeLaunch: return {"Node@launch", "launch", "node"};
    case ApiKind::HcclLaunch: return {"Hccl@", "master", "hccl"};
    }
    return {};
}

PlaneNames namesOf(const PlaneTask& task) {
    constexpr std::uint64_t kNoNotify = 18'446'744'073'709'551'615ULL;
    constexpr std::uint64_t kNoRank = 4'294'967'295;
    const bool remote = task.transport == Transport::Rdma;
    const bool onChip = task.transport == Transport::Local;
    const std::uint64_t notify = 56 + std::uint64_t{task.peer} * 4;
    switch (task.kind) {
    case PlaneTaskKind::NotifyRecord:
        return {"Notify_Record",
                "Write Value",
                (std::uint64_t{task.peer + 1} << 32) + notify,
                task.peer,
                remote ? "RDMA" : "SDMA",
                "INVALID_TYPE",
                "INVALID_TYPE"};
    case PlaneTaskKind::NotifyWait:
        return {"Notify_Wait", "Notify Wait", notify, task.peer, "LOCAL", "INVALID_TYPE", "INVALID_TYPE"};
    case PlaneTaskKind::Memcpy:
    case PlaneTaskKind::ReduceInline: break;
    }
    const bool reduce = task.kind == PlaneTaskKind::ReduceInline;
    return {remote   ? "RDMASend"
            : reduce ? "Reduce_Inline"
                     : "Memcpy",
            "SDMA",
            reduce ? 0 : kNoNotify,
            reduce && onChip ? kNoRank : task.peer,
            remote ? "RDMA" : "SDMA",
            !reduce  ? "INVALID_TYPE"
            : onChip ? "INT32"
                     : "BFP16",
            onChip   ? "ON_CHIP"
            : remote ? "ROCE"
                     : "HCCS"};
}

double estimatedUs(const PlaneTask& task) {
    if (task.kind == PlaneTaskKind::NotifyRecord) return 1;
    if (task.kind == PlaneTaskKind::NotifyWait) return 0.02;
    return static_cast<double>(task.bytes) / 19'300.0 + 0.6;
}

CounterNames namesOf(CounterKind kind) {
    switch (kind) {
    case CounterKind::CoreFrequency: return {TraceProcess::Frequency, "AI Core Freq", {}, "MHz", 0};
    case CounterKind::HbmRead: return {TraceProcess::Hbm, "HBM ", "/Read", "Read(MB/s)", 0};
    case CounterKind::HbmWrite: return {TraceProcess::Hbm, "HBM ", "/Write", "Write(MB/s)", 0};
    case CounterKind::CacheThroughput: return {TraceProcess::Cache, "LLC ", " Read/Throughput", "Throughput(MB/s)", 3};
    case CounterKind::CacheHitRate: return {TraceProcess::Cache, "LLC ", " Read/Hit Rate", "Hit Rate(%)", 3};
    case CounterKind::AppMemory: return {TraceProcess::NpuMemory, "APP/", {}, "KB", 1};
    case CounterKind::DeviceMemory: return {TraceProcess::NpuMemory, "Device/", {}, "KB", 1};
    case CounterKind::Qos: return {TraceProcess::Qos, "QoS OTHERS", {}, "value", 0};
    case CounterKind::AccReadBandwidth: return {TraceProcess::Accelerator, "read_bandwidth", {}, "value", 0};
    case CounterKind::AccWriteBandwidth: return {TraceProcess::Accelerator, "write_band_width", {}, "value", 0};
    case CounterKind::AccReadOutstanding: return {TraceProcess::Accelerator, "read_ost", {}, "value", 0};
    case CounterKind::AccWriteOutstanding: return {TraceProcess::Accelerator, "write_ost", {}, "value", 0};
    case CounterKind::MataLevel: return {TraceProcess::StarsSoc, "Mata Bw Level", {}, "Mata Bw Level", 0};
    case CounterKind::BufferLevel: return {TraceProcess::StarsSoc, "L2 Buffer Bw Level", {}, "L2 Buffer Bw Level", 0};
    }
    return {};
}

}  // namespace altiscope::generate
