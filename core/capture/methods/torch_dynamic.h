#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/outcome.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

namespace altiscope::capture {

// The file that torch_npu looks at while a job runs. MindSpeed-MM has its jobs look at one, too: sources of the rows
// are named in core/capture/README.md.

inline constexpr std::string_view kTorchHostSys = "cpu mem disk network osrt numa";
inline constexpr std::string_view kRecordsNpu = "activities has NPU";
// msprof_tx is its name of before, and still means the same.
inline constexpr std::string_view kRecordsMarks = "mstx or msprof_tx and activities has NPU";

inline constexpr Field kTorchDynamicRows[] = {
    choices("activities", "activities", R"(["CPU", "NPU"])", "CPU NPU"),
    path("prof_dir", "prof_dir", R"("./")"),
    flag("analyse", "analyse"),
    flag("async_mode", "async_mode").when("analyse"),
    flag("record_shapes", "record_shapes"),
    flag("profile_memory", "profile_memory"),
    flag("with_stack", "with_stack"),
    flag("with_flops", "with_flops"),
    flag("with_modules", "with_modules"),
    steps("active", "active", "1", 1),
    steps("warmup", "warmup", "0", 0),
    steps("start_step", "start_step", "-1", -1),
    flag("is_rank", "is_rank"),
    ranks("rank_list", "rank_list", "[]", 0).when("is_rank"),
    Field{"metadata", "metadata", FieldType::Object, "null"}.orNull(),
    choice("profiler_level", "experimental_config.profiler_level", R"("Level0")", "Level0 Level1 Level2 Level_none")
        .when(kRecordsNpu),
    choice("aic_metrics", "experimental_config.aic_metrics", R"("AiCoreNone")", kAicMetrics).when(kRecordsNpu),
    flag("l2_cache", "experimental_config.l2_cache").when(kRecordsNpu),
    flag("op_attr", "experimental_config.op_attr").when("export_type has db and activities has NPU"),
    number("gc_detect_threshold", "experimental_config.gc_detect_threshold", "null", "ms", {0})
        .orNull()
        .when("activities has CPU and activities has NPU"),
    flag("data_simplification", "experimental_config.data_simplification", "true").when(kRecordsNpu),
    flag("record_op_args", "experimental_config.record_op_args").when(kRecordsNpu),
    choices("export_type", "experimental_config.export_type", R"(["text"])", kTextDb).when(kRecordsNpu),
    flag("msprof_tx", "experimental_config.msprof_tx").when(kRecordsNpu),
    flag("mstx", "experimental_config.mstx").when(kRecordsNpu),
    choices("host_sys", "experimental_config.host_sys", "[]", kTorchHostSys).when(kRecordsNpu),
    texts("mstx_domain_include", "experimental_config.mstx_domain_include").when(kRecordsMarks),
    texts("mstx_domain_exclude", "experimental_config.mstx_domain_exclude").when(kRecordsMarks),
    flag("sys_io", "experimental_config.sys_io").when(kRecordsNpu),
    flag("sys_interconnection", "experimental_config.sys_interconnection").when(kRecordsNpu),
};

/// Rules between the rows, whichever method has them.
void checkTorchDynamic(const Settings& settings, SettingProblems& problems);
/// Whether the job analyses: for single ranks it is done in a process of its own only.
Analysis analysisOfTorch(const Settings& settings);

}  // namespace altiscope::capture
