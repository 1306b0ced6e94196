#include "core/trace/data_kinds.h"

namespace altiscope {

namespace {

bool isTrue(std::string_view value) { return value == "true"; }
bool isLevelOne(std::string_view value) { return value == "Level1" || value == "Level2"; }
bool hasCpu(std::string_view value) { return value.find("CPU") != std::string_view::npos; }
bool hasNpu(std::string_view value) { return value.find("NPU") != std::string_view::npos; }
bool isGiven(std::string_view value) { return value != "null" && value != "[]" && !value.empty(); }
bool countsMetrics(std::string_view value) {
    return isGiven(value) && value != "ACL_AICORE_NONE" && value != "AiCoreNone";
}

constexpr DataKind kKinds[] = {
    {"missing.kernels", "activities", "NPU", hasNpu, true},
    {"missing.steps", "activities", "NPU", hasNpu, true},
    {"missing.operators", "activities", "CPU", hasCpu, true},
    {"missing.op_stats", "profiler_level", "Level1", isLevelOne, true},
    {"missing.api_stats", "profiler_level", "Level1", isLevelOne, true},
    {"missing.communication", "profiler_level", "Level1", isLevelOne, true},
    {"missing.memory", "profile_memory", "True", isTrue, true},
    {"missing.l2_cache", "l2_cache", "True", isTrue, true},
    {"missing.io", "sys_io", "True", isTrue, true},
    {"missing.interconnection", "sys_interconnection", "True", isTrue, true},
    {"missing.stacks", "with_stack", "True", isTrue, false},
    {"missing.shapes", "record_shapes", "True", isTrue, false},
    {"missing.modules", "with_modules", "True", isTrue, false},
    {"missing.ai_core_metrics", "aic_metrics", "PipeUtilization", countsMetrics, false},
    {"missing.mstx", "mstx", "True", isTrue, false},
    {"missing.gc", "gc_detect_threshold", "0", isGiven, false},
    {"missing.host_system", "host_sys", "cpu, mem", isGiven, false},
};

}  // namespace

std::span<const DataKind> dataKinds() { return kKinds; }

}  // namespace altiscope
