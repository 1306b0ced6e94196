#include "core/import/contracts/csv_format.h"

#include "core/base/text/ascii.h"
#include "core/import/csv/task_times.h"

namespace altiscope::reader {

namespace {

// Constants only. Headers of all levels and versions stand side by side; a file has those of one.

using enum CsvCell;

constexpr auto to = rowColumn;

constexpr auto K = RowKind::Kernel;
constexpr CsvColumn kKernel[] = {
    {"Step Id", Step, to(K, "step")},
    {"Step ID", Step, to(K, "step")},  // of MindSpore
    {"Infer ID", Step, to(K, "step")},
    {"Name", Name, to(K, "name"), true},
    {"Op Name", Name, to(K, "name"), true},
    {"Type", Text, to(K, "type")},
    {"OP Type", Text, to(K, "type")},
    {"Accelerator Core", Text, to(K, "accelerator_core")},
    {"Task Type", Text, to(K, "accelerator_core")},
    {"Stream ID", Integer, to(K, "stream")},
    {"Start Time", Time, to(K, "ts"), true},
    {"Task Start Time", Time, to(K, "ts"), true},
    {"Duration", Time, to(K, "dur"), true},
    {"Task Duration", Time, to(K, "dur"), true},
    {"Wait Time", Time, to(K, "wait")},
    {"Task Wait Time", Time, to(K, "wait")},
    {"Block Dim", Integer, to(K, "block_num")},
    {"Block Num", Integer, to(K, "block_num")},
    {"Input Shapes", List, to(K, "input_shapes")},
    {"Input Data Types", List, to(K, "input_types")},
    {"Input Formats", List, to(K, "input_formats")},
    {"Output Shapes", List, to(K, "output_shapes")},
    {"Output Data Types", List, to(K, "output_types")},
    {"Output Formats", List, to(K, "output_formats")},
    {"Device_id", Device, to(K, "device_id")},
};
constexpr std::string_view kNoKernelMetrics[] = {"Model Name",    "Model ID",      "Task ID",       "OP State",
                                                 "Mix Block Dim", "Mix Block Num", "HF32 Eligible", "Context ID"};

/// Rows of communication operators say so in the column of the core, and at level 0, where it is empty, by their names.
std::string_view kernelKind(std::span<const std::string_view> texts) {
    const std::string_view core = texts[to(K, "accelerator_core")];
    const bool isCommunication = core.empty() ? startsWithIgnoringCase(texts[to(K, "name")], "hcom_")
                                              : core == "COMMUNICATION" || core == "HCCL";
    return isCommunication ? "communication" : "compute";
}

// Columns in which MindSpore up to 2.3 lists its kernels.
constexpr CsvColumn kLegacyKernel[] = {
    {"op_name", Name, to(K, "name"), true},  {"kernel_name", Name, to(K, "name"), true},
    {"stream_id", Integer, to(K, "stream")}, {"start_time", Time, to(K, "ts"), true},
    {"duration", Time, to(K, "dur"), true},
};

// Tasks of a device; those that compute are kernels.
constexpr CsvColumn kTaskKernel[] = {
    {"kernel_name", Name, to(K, "name"), true}, {"kernel_type", Text, to(K, "accelerator_core")},
    {"stream_id", Integer, to(K, "stream")},    {"task_start", Time, to(K, "ts"), true},
    {"task_time", Time, to(K, "dur"), true},    {"Device_id", Device, to(K, "device_id")},
};

constexpr auto O = RowKind::Operator;
constexpr CsvColumn kOperator[] = {
    {"Name", Name, to(O, "name"), true},
    {"Input Shapes", List, to(O, "input_shapes")},
    {"Input Data Types", List, to(O, "input_types")},
    {"Call Stack", Text, to(O, "call_stack")},
    {"Host Self Duration", Time, to(O, "self_dur")},
    {"Host Total Duration", Time, to(O, "dur")},
    {"Device Total Duration", Time, to(O, "device_dur")},
};

constexpr auto OS = RowKind::OpStat;
constexpr CsvColumn kOpStat[] = {
    {"OP Type", Name, to(OS, "name"), true}, {"Core Type", Text, to(OS, "core_type")},
    {"Count", Integer, to(OS, "count")},     {"Total Time", Time, to(OS, "total")},
    {"Min Time", Time, to(OS, "min")},       {"Avg Time", TimeReal, to(OS, "avg")},
    {"Max Time", Time, to(OS, "max")},       {"Device_id", Device, to(OS, "device_id")},
};
constexpr CsvColumn kLegacyOpStat[] = {
    {"op_type", Name, to(OS, "name"), true},
    {"kernel_type", Name, to(OS, "name"), true},
    {"execution_frequency", Integer, to(OS, "count")},
    {"execution_time", Time, to(OS, "total")},
    {"total_time", Time, to(OS, "total")},
    {"task_time", Time, to(OS, "total")},
};
constexpr std::size_t kLegacyOpStatKey[] = {to(OS, "name")};
constexpr std::size_t kOpStatKey[] = {to(OS, "name"), to(OS, "core_type"), to(OS, "device_id")};
constexpr CsvConstant kOpStatOrigin[] = {{to(OS, "origin"), "recorded"}};

constexpr auto AS = RowKind::ApiStat;
constexpr CsvColumn kApiStat[] = {
    {"Level", Text, to(AS, "level")},      {"API Name", Name, to(AS, "name"), true},
    {"Time", Time, to(AS, "total")},       {"Total Time", Time, to(AS, "total")},
    {"Count", Integer, to(AS, "count")},   {"Avg", TimeReal, to(AS, "avg")},
    {"Avg Time", TimeReal, to(AS, "avg")}, {"Min", Time, to(AS, "min")},
    {"Min Time", Time, to(AS, "min")},     {"Max", Time, to(AS, "max")},
    {"Max Time", Time, to(AS, "max")},     {"Variance", SquaredTime, to(AS, "variance")},
};
constexpr CsvConstant kApiStatOrigin[] = {{to(AS, "origin"), "recorded"}};

constexpr auto MS = RowKind::MemorySample;
constexpr CsvColumn kMemorySample[] = {
    {"Component", Name, to(MS, "component"), true}, {"Timestamp", Time, to(MS, "ts"), true},
    {"Total Allocated", Size, to(MS, "allocated")}, {"Total Reserved", Size, to(MS, "reserved")},
    {"Total Active", Size, to(MS, "active")},       {"Stream Ptr", Integer, to(MS, "stream")},
    {"Device Type", Device, to(MS, "device_id")},   {"Device_id", Device, to(MS, "device_id")},
    {"Device", Device, to(MS, "device_id")},
};

constexpr auto AL = RowKind::Allocation;
constexpr CsvColumn kAllocation[] = {
    {"Name", Name, to(AL, "name")},
    {"Size", Size, to(AL, "size"), true},
    {"Allocation Time", Time, to(AL, "alloc_ts")},
    {"Release Time", Time, to(AL, "release_ts")},
    {"Active Release Time", Time, to(AL, "active_release_ts")},
    {"Duration", TimeAfter, to(AL, "release_ts"), false, to(AL, "alloc_ts")},
    {"Allocation Total Allocated", Size, to(AL, "alloc_allocated")},
    {"Allocation Total Reserved", Size, to(AL, "alloc_reserved")},
    {"Allocation Total Active", Size, to(AL, "alloc_active")},
    {"Release Total Allocated", Size, to(AL, "release_allocated")},
    {"Release Total Reserved", Size, to(AL, "release_reserved")},
    {"Release Total Active", Size, to(AL, "release_active")},
    {"Stream Ptr", Integer, to(AL, "stream")},
    {"Device Type", Device, to(AL, "device_id")},
    {"Device_id", Device, to(AL, "device_id")},
    {"Device", Device, to(AL, "device_id")},
};

constexpr auto MM = RowKind::ModuleMemory;
constexpr CsvColumn kModuleMemory[] = {
    {"Component", Name, to(MM, "component"), true}, {"Timestamp", Time, to(MM, "ts"), true},
    {"Total Reserved", Size, to(MM, "reserved")},   {"Device_id", Device, to(MM, "device_id")},
    {"Device", Device, to(MM, "device_id")},
};

constexpr auto SM = RowKind::StaticMemory;
constexpr CsvColumn kStaticMemory[] = {
    {"Op Name", Name, to(SM, "name"), true},
    {"Graph ID", Name, to(SM, "graph")},
    {"Node Index Start", Integer, to(SM, "node_start")},
    {"Node Index End", Integer, to(SM, "node_end")},
    {"Size", Size, to(SM, "size"), true},
};

constexpr auto SB = RowKind::StepBreakdown;
constexpr CsvColumn kStepBreakdown[] = {
    {"Step", Step, to(SB, "step")},
    {"Computing", Time, to(SB, "computing"), true},
    {"Communication(Not Overlapped)", Time, to(SB, "not_overlapped")},
    {"Overlapped", Time, to(SB, "overlapped")},
    {"Communication", Time, to(SB, "communication")},
    {"Free", Time, to(SB, "free")},
    {"Stage", Time, to(SB, "stage")},
    {"Bubble", Time, to(SB, "bubble")},
    {"Communication(Not Overlapped and Exclude Receive)", Time, to(SB, "not_overlapped_excl_receive")},
    {"Preparing", Time, to(SB, "preparing")},
    {"Device_id", Integer, to(SB, "device_id")},
};
constexpr CsvConstant kStepBreakdownOrigin[] = {{to(SB, "origin"), "recorded"}};

// A step of a device has one row: each is counted where steps are summed up.
constexpr std::size_t kStepBreakdownKey[] = {to(SB, "step"), to(SB, "device_id")};

constexpr auto DO = RowKind::DatasetOp;
constexpr CsvColumn kDatasetOp[] = {
    {"Operation", Name, to(DO, "operation"), true},  {"Stage", Name, to(DO, "stage")},
    {"Occurrences", Integer, to(DO, "occurrences")}, {"Avg. time", TimeReal, to(DO, "avg_time")},
    {"Custom Info", Name, to(DO, "custom_info")},
};

constexpr auto PQ = RowKind::PipelineQueue;
constexpr CsvColumn kPipelineQueue[] = {
    {"op_id", Integer, to(PQ, "op_id"), true},
    {"op_type", Name, to(PQ, "op_type")},
    {"num_workers", Integer, to(PQ, "num_workers")},
    {"output_queue_size", Text, to(PQ, "output_queue_size")},
    {"output_queue_average_size", Real, to(PQ, "output_queue_average_size")},
    {"output_queue_length", Integer, to(PQ, "output_queue_length")},
    {"output_queue_usage_rate", Real, to(PQ, "output_queue_usage_rate")},
    {"sample_interval", Time, to(PQ, "sample_interval")},
    {"parent_id", Integer, to(PQ, "parent_id")},
    {"children_id", Text, to(PQ, "children_id")},
};

constexpr auto L2 = RowKind::L2Cache;
constexpr CsvColumn kL2Cache[] = {
    {"Device_id", Integer, to(L2, "device_id")},  {"Stream Id", Integer, to(L2, "stream_id")},
    {"Task Id", Integer, to(L2, "task_id")},      {"Hit Rate", Real, to(L2, "hit_rate")},
    {"Victim Rate", Real, to(L2, "victim_rate")}, {"Op Name", Name, to(L2, "op_name")},
};

/// An allocation has a size, and is released afterwards. A release without an allocation has a size below 0.
std::vector<std::size_t> oddAllocation(const RowBatch& batch) {
    std::vector<std::size_t> odd;
    constexpr std::size_t kBegin = to(AL, "alloc_ts");
    if (!batch.isSet(kBegin)) return odd;
    if (batch.isSet(to(AL, "size")) && batch.cell(to(AL, "size")) < 0) odd.push_back(to(AL, "size"));
    for (const std::size_t end : {to(AL, "release_ts"), to(AL, "active_release_ts")}) {
        if (batch.isSet(end) && batch.cell(end) < batch.cell(kBegin)) odd.push_back(end);
    }
    return odd;
}

constexpr CsvFormat allocations(std::string_view name) {
    CsvFormat format{name, AL, kAllocation};
    format.oddCells = oddAllocation;
    return format;
}

constexpr CsvFormat kernels(std::string_view name) {
    return {name, K, kKernel, "us", {}, kNoKernelMetrics, kernelKind, to(K, "kind")};
}

constexpr CsvFormat cannKernels() {
    CsvFormat format = kernels("op_summary");
    format.unquoted = "Op Name";
    return format;
}

constexpr CsvFormat legacyKernels() {
    CsvFormat format{"output_timeline_data", K, kLegacyKernel, "ms", {}, {}, kernelKind, to(K, "kind")};
    format.ending = ".txt";
    return format;
}

constexpr CsvFormat taskKernels() {
    CsvFormat format{kTaskTimesFormat, K, kTaskKernel, "us", {}, {}, kernelKind, to(K, "kind")};
    format.complete = completeTaskKernel;
    format.unquoted = "kernel_name";
    return format;
}

constexpr CsvFormat opStats() {
    CsvFormat format{"op_statistic", OS, kOpStat, "us", kOpStatOrigin};
    format.key = kOpStatKey;
    return format;
}

constexpr CsvFormat legacyOpStats() {
    CsvFormat format{"aicore_intermediate", OS, kLegacyOpStat, "ms", kOpStatOrigin};
    format.ending = "_type.csv";
    format.key = kLegacyOpStatKey;
    return format;
}

constexpr CsvFormat stepBreakdown() {
    CsvFormat format{"step_trace_time", SB, kStepBreakdown, "us", kStepBreakdownOrigin};
    format.key = kStepBreakdownKey;
    return format;
}

constexpr CsvFormat stating(InputSample sample, InDatabases inDatabases, CsvFormat format) {
    format.sample = sample;
    format.inDatabases = inDatabases;
    return format;
}

using Sample = InputSample;
using Databases = InDatabases;

constexpr CsvFormat kFormats[] = {
    stating(Sample::Real, Databases::Too, kernels("kernel_details")),
    stating(Sample::Real, Databases::Too, cannKernels()),
    stating(Sample::Real, Databases::Too, legacyKernels()),
    stating(Sample::Real, Databases::Too, taskKernels()),
    stating(Sample::Real, Databases::Lacking, {"operator_details", O, kOperator}),
    stating(Sample::Real, Databases::Lacking, opStats()),
    stating(Sample::Real, Databases::Too, legacyOpStats()),
    stating(Sample::Real, Databases::Lacking, {"api_statistic", AS, kApiStat, "us", kApiStatOrigin}),
    stating(Sample::Real, Databases::Too, {"memory_record", MS, kMemorySample}),
    stating(Sample::None, Databases::Too, {"ge_memory_record", MS, kMemorySample}),
    stating(Sample::Real, Databases::Too, allocations("operator_memory")),
    stating(Sample::None, Databases::Too, allocations("ge_operator_memory")),
    stating(Sample::Real, Databases::Too, {"npu_module_mem", MM, kModuleMemory}),
    stating(Sample::Real, Databases::Lacking, {"static_op_mem", SM, kStaticMemory}),
    stating(Sample::Real, Databases::Too, stepBreakdown()),
    stating(Sample::None, Databases::Lacking, {"dataset", DO, kDatasetOp}),
    stating(Sample::Real, Databases::Lacking, {"minddata_pipeline_raw", PQ, kPipelineQueue, "ms"}),
    stating(Sample::Real, Databases::Lacking, {"l2_cache", L2, kL2Cache}),
};
static_assert(std::none_of(std::begin(kFormats), std::end(kFormats),
                           [](const CsvFormat& format) {
                               return format.sample == InputSample::Unstated ||
                                      format.inDatabases == InDatabases::Unstated;
                           }),
              "a format does not say whether a real file proves it, or whether databases have its content too");

}  // namespace

std::span<const CsvFormat> csvFormats() { return kFormats; }

std::string_view csvUnit(std::string_view header) {
    static constexpr std::string_view kUnits[] = {"us", "ms", "ns",   "s",    "B",    "KB", "kB",
                                                  "MB", "GB", "GB/s", "MB/s", "KB/s", "%"};
    const auto open = header.rfind('(');
    if (open == std::string_view::npos || !header.ends_with(')')) return {};
    const std::string_view unit = header.substr(open + 1, header.size() - open - 2);
    return std::find(std::begin(kUnits), std::end(kUnits), unit) != std::end(kUnits) ? unit : std::string_view{};
}

}  // namespace altiscope::reader
