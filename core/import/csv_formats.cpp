#include "core/import/csv_format.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

// Constants only. Headers of all levels and versions stand side by side; a file has those of one.

using enum CsvCell;

constexpr auto at = rowColumn;

constexpr auto K = RowKind::Kernel;
constexpr CsvColumn kKernel[] = {
    {"Step Id", Step, at(K, "step")},
    {"Name", Name, at(K, "name"), true},
    {"Op Name", Name, at(K, "name"), true},
    {"Type", Text, at(K, "type")},
    {"OP Type", Text, at(K, "type")},
    {"Accelerator Core", Text, at(K, "accelerator_core")},
    {"Task Type", Text, at(K, "accelerator_core")},
    {"Stream ID", Integer, at(K, "stream")},
    {"Start Time", Time, at(K, "ts"), true},
    {"Task Start Time", Time, at(K, "ts"), true},
    {"Duration", Time, at(K, "dur"), true},
    {"Task Duration", Time, at(K, "dur"), true},
    {"Wait Time", Time, at(K, "wait")},
    {"Task Wait Time", Time, at(K, "wait")},
    {"Block Dim", Integer, at(K, "block_num")},
    {"Block Num", Integer, at(K, "block_num")},
    {"Input Shapes", List, at(K, "input_shapes")},
    {"Input Data Types", List, at(K, "input_types")},
    {"Input Formats", List, at(K, "input_formats")},
    {"Output Shapes", List, at(K, "output_shapes")},
    {"Output Data Types", List, at(K, "output_types")},
    {"Output Formats", List, at(K, "output_formats")},
};
constexpr std::string_view kNoKernelMetrics[] = {
    "Device_id", "Model Name", "Infer ID", "Model ID", "Task ID", "OP State", "Mix Block Dim", "Mix Block Num", "HF32 Eligible", "Context ID"};

bool startsWithHcom(std::string_view text) {
    static constexpr std::string_view kHcom = "hcom_";
    return text.size() >= kHcom.size() && std::equal(kHcom.begin(), kHcom.end(), text.begin(), [](char a, char b) {
               return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
           });
}

/// Rows of communication operators say so in the column of the core, and at level 0, where it is empty, by their names.
std::string_view kernelKind(std::span<const std::string_view> texts) {
    const std::string_view core = texts[at(K, "accelerator_core")];
    const bool isCommunication = core.empty() ? startsWithHcom(texts[at(K, "name")]) : core == "COMMUNICATION" || core == "HCCL";
    return isCommunication ? "communication" : "compute";
}

constexpr auto O = RowKind::Operator;
constexpr CsvColumn kOperator[] = {
    {"Name", Name, at(O, "name"), true},
    {"Input Shapes", List, at(O, "input_shapes")},
    {"Input Data Types", List, at(O, "input_types")},
    {"Call Stack", Text, at(O, "call_stack")},
    {"Host Self Duration", Time, at(O, "self_dur")},
    {"Host Total Duration", Time, at(O, "dur")},
    {"Device Total Duration", Time, at(O, "device_dur")},
};

constexpr auto OS = RowKind::OpStat;
constexpr CsvColumn kOpStat[] = {
    {"OP Type", Name, at(OS, "name"), true}, {"Core Type", Text, at(OS, "core_type")}, {"Count", Integer, at(OS, "count")},
    {"Total Time", Time, at(OS, "total")},   {"Min Time", Time, at(OS, "min")},        {"Avg Time", TimeReal, at(OS, "avg")},
    {"Max Time", Time, at(OS, "max")},
};
constexpr CsvConstant kOpStatOrigin[] = {{at(OS, "origin"), "recorded"}};

constexpr auto AS = RowKind::ApiStat;
constexpr CsvColumn kApiStat[] = {
    {"Level", Text, at(AS, "level")},     {"API Name", Name, at(AS, "name"), true}, {"Time", Time, at(AS, "total")},
    {"Total Time", Time, at(AS, "total")}, {"Count", Integer, at(AS, "count")},     {"Avg", TimeReal, at(AS, "avg")},
    {"Avg Time", TimeReal, at(AS, "avg")}, {"Min", Time, at(AS, "min")},            {"Min Time", Time, at(AS, "min")},
    {"Max", Time, at(AS, "max")},          {"Max Time", Time, at(AS, "max")},       {"Variance", SquaredTime, at(AS, "variance")},
};
constexpr CsvConstant kApiStatOrigin[] = {{at(AS, "origin"), "recorded"}};

constexpr auto MS = RowKind::MemorySample;
constexpr CsvColumn kMemorySample[] = {
    {"Component", Name, at(MS, "component"), true},  {"Timestamp", Time, at(MS, "ts"), true},
    {"Total Allocated", Size, at(MS, "allocated")}, {"Total Reserved", Size, at(MS, "reserved")},
    {"Total Active", Size, at(MS, "active")},       {"Stream Ptr", Integer, at(MS, "stream")},
};

constexpr auto AL = RowKind::Allocation;
constexpr CsvColumn kAllocation[] = {
    {"Name", Name, at(AL, "name")},
    {"Size", Size, at(AL, "size"), true},
    {"Allocation Time", Time, at(AL, "alloc_ts")},
    {"Release Time", Time, at(AL, "release_ts")},
    {"Active Release Time", Time, at(AL, "active_release_ts")},
    {"Allocation Total Allocated", Size, at(AL, "alloc_allocated")},
    {"Allocation Total Reserved", Size, at(AL, "alloc_reserved")},
    {"Allocation Total Active", Size, at(AL, "alloc_active")},
    {"Release Total Allocated", Size, at(AL, "release_allocated")},
    {"Release Total Reserved", Size, at(AL, "release_reserved")},
    {"Release Total Active", Size, at(AL, "release_active")},
    {"Stream Ptr", Integer, at(AL, "stream")},
};

constexpr auto MM = RowKind::ModuleMemory;
constexpr CsvColumn kModuleMemory[] = {
    {"Component", Name, at(MM, "component"), true},
    {"Timestamp", Time, at(MM, "ts"), true},
    {"Total Reserved", Size, at(MM, "reserved")},
};

constexpr auto SM = RowKind::StaticMemory;
constexpr CsvColumn kStaticMemory[] = {
    {"Op Name", Name, at(SM, "name"), true},          {"Graph ID", Name, at(SM, "graph")},
    {"Node Index Start", Integer, at(SM, "node_start")}, {"Node Index End", Integer, at(SM, "node_end")},
    {"Size", Size, at(SM, "size"), true},
};

constexpr auto SB = RowKind::StepBreakdown;
constexpr CsvColumn kStepBreakdown[] = {
    {"Step", Step, at(SB, "step")},
    {"Computing", Time, at(SB, "computing"), true},
    {"Communication(Not Overlapped)", Time, at(SB, "not_overlapped")},
    {"Overlapped", Time, at(SB, "overlapped")},
    {"Communication", Time, at(SB, "communication")},
    {"Free", Time, at(SB, "free")},
    {"Stage", Time, at(SB, "stage")},
    {"Bubble", Time, at(SB, "bubble")},
    {"Communication(Not Overlapped and Exclude Receive)", Time, at(SB, "not_overlapped_excl_receive")},
    {"Preparing", Time, at(SB, "preparing")},
};
constexpr CsvConstant kStepBreakdownOrigin[] = {{at(SB, "origin"), "recorded"}};

constexpr auto DO = RowKind::DatasetOp;
constexpr CsvColumn kDatasetOp[] = {
    {"Operation", Name, at(DO, "operation"), true},  {"Stage", Name, at(DO, "stage")},
    {"Occurrences", Integer, at(DO, "occurrences")}, {"Avg. time", TimeReal, at(DO, "avg_time")},
    {"Custom Info", Name, at(DO, "custom_info")},
};

constexpr auto PQ = RowKind::PipelineQueue;
constexpr CsvColumn kPipelineQueue[] = {
    {"op_id", Integer, at(PQ, "op_id"), true},
    {"op_type", Name, at(PQ, "op_type")},
    {"num_workers", Integer, at(PQ, "num_workers")},
    {"output_queue_size", Text, at(PQ, "output_queue_size")},
    {"output_queue_average_size", Real, at(PQ, "output_queue_average_size")},
    {"output_queue_length", Integer, at(PQ, "output_queue_length")},
    {"output_queue_usage_rate", Real, at(PQ, "output_queue_usage_rate")},
    {"sample_interval", Time, at(PQ, "sample_interval")},
    {"parent_id", Integer, at(PQ, "parent_id")},
    {"children_id", Text, at(PQ, "children_id")},
};

constexpr auto L2 = RowKind::L2Cache;
constexpr CsvColumn kL2Cache[] = {
    {"Device_id", Integer, at(L2, "device_id")}, {"Stream Id", Integer, at(L2, "stream_id")},
    {"Task Id", Integer, at(L2, "task_id")},     {"Hit Rate", Real, at(L2, "hit_rate")},
    {"Victim Rate", Real, at(L2, "victim_rate")}, {"Op Name", Name, at(L2, "op_name")},
};

constexpr CsvFormat kernels(std::string_view name) {
    return {name, K, kKernel, "us", {}, kNoKernelMetrics, kernelKind, at(K, "kind")};
}

constexpr CsvFormat kFormats[] = {
    kernels("kernel_details"),
    kernels("op_summary"),
    {"operator_details", O, kOperator},
    {"op_statistic", OS, kOpStat, "us", kOpStatOrigin},
    {"api_statistic", AS, kApiStat, "us", kApiStatOrigin},
    {"memory_record", MS, kMemorySample},
    {"ge_memory_record", MS, kMemorySample},
    {"operator_memory", AL, kAllocation},
    {"ge_operator_memory", AL, kAllocation},
    {"npu_module_mem", MM, kModuleMemory},
    {"static_op_mem", SM, kStaticMemory},
    {"step_trace_time", SB, kStepBreakdown, "us", kStepBreakdownOrigin},
    {"dataset", DO, kDatasetOp},
    {"minddata_pipeline_raw", PQ, kPipelineQueue, "ms"},
    {"l2_cache", L2, kL2Cache},
};

}  // namespace

std::span<const CsvFormat> csvFormats() { return kFormats; }

std::string_view csvUnit(std::string_view header) {
    static constexpr std::string_view kUnits[] = {"us", "ms", "ns", "s", "B", "KB", "kB", "MB", "GB", "GB/s", "MB/s", "KB/s", "%"};
    const auto open = header.rfind('(');
    if (open == std::string_view::npos || !header.ends_with(')')) return {};
    const std::string_view unit = header.substr(open + 1, header.size() - open - 2);
    return std::find(std::begin(kUnits), std::end(kUnits), unit) != std::end(kUnits) ? unit : std::string_view{};
}

}  // namespace altiscope::reader
