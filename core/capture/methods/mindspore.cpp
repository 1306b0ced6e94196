#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

namespace altiscope::capture {

namespace {

// Spelled otherwise than in the file of the dynamic monitor: AicoreNone.
constexpr std::string_view kEnvMetrics = "AicoreNone ArithmeticUtilization PipeUtilization Memory MemoryL0 "
                                         "ResourceConflictRatio MemoryUB L2Cache MemoryAccess";
constexpr std::string_view kOld = "2.3", kMiddle = "2.4", kNew = "2.6", kSince24 = "2.4 2.6";

// 2.4 and 2.5 know numbers only, 2.6 announces their end: the table has a row for each. The numbers of metrics differ
// from those
// of the Profiler class of 2.3.
constexpr Field kDynamicFields[] = {
    choice("version", "", R"("2.6")", "2.4 2.6"),
    steps("start_step", "start_step", "-1", -1),
    steps("stop_step", "stop_step", "-1", -1),
    choice("aic_metrics", "aic_metrics", R"("AiCoreNone")", kAicMetrics).in(kNew),
    integer("aicore_metrics", "aicore_metrics", "-1", "", {-1, 7}).in(kMiddle),
    choice("profiler_level", "profiler_level", R"("Level0")", "LevelNone Level0 Level1 Level2").in(kNew),
    integer("profiler_level", "profiler_level", "0", "", {-1, 2}).in(kMiddle),
    choices("activities", "activities", R"(["CPU", "NPU"])", "CPU NPU").in(kNew),
    integer("activities", "activities", "0", "", {0, 2}).in(kMiddle),
    choices("export_type", "export_type", R"(["text"])", kTextDb).in(kNew),
    integer("export_type", "export_type", "0", "", {0, 2}).in(kMiddle),
    flag("profile_memory", "profile_memory"),
    flag("mstx", "mstx"),
    flag("parallel_strategy", "parallel_strategy"),
    flag("with_stack", "with_stack"),
    flag("data_simplification", "data_simplification", "true"),
    flag("l2_cache", "l2_cache"),
    flag("analyse", "analyse").in(kNew),
    integer("analyse_mode", "analyse_mode", "-1", "", {-1, 1}),
    flag("record_shapes", "record_shapes").when("activities has CPU").in(kNew),
    path("prof_path", "prof_path", R"("./")"),
    texts("mstx_domain_include", "mstx_domain_include").when("mstx").in(kNew),
    texts("mstx_domain_exclude", "mstx_domain_exclude").when("mstx").in(kNew),
    choices("host_sys", "host_sys", "[]", "cpu mem disk network osrt").in(kNew),
    flag("sys_io", "sys_io").in(kNew),
    flag("sys_interconnection", "sys_interconnection").in(kNew),
};

constexpr Field kEnvFields[] = {
    choice("version", "", R"("2.6")", "2.3 2.4 2.6"),
    flag("start", "start", "true").always(),
    path("output_path", "output_path", R"("")"),
    choices("activities", "activities", R"(["CPU", "NPU"])", "CPU NPU").in(kSince24),
    choice("profiler_level", "profiler_level", R"("Level0")", "Level0 Level1 Level2").in(kMiddle),
    choice("profiler_level", "profiler_level", R"("Level0")", "LevelNone Level0 Level1 Level2").in(kNew),
    choice("aic_metrics", "aic_metrics", R"("AicoreNone")", kEnvMetrics).in(kNew),
    choice("aicore_metrics", "aicore_metrics", R"("AicoreNone")", kEnvMetrics).in(kMiddle),
    integer("aicore_metrics", "aicore_metrics", "0", "", {-1, 6}).in(kOld),
    flag("with_stack", "with_stack").when("activities has CPU").in(kSince24),
    flag("profile_memory", "profile_memory"),
    flag("profile_communication", "profile_communication").in(kOld),
    flag("l2_cache", "l2_cache"),
    flag("op_time", "op_time", "true").in(kOld),
    flag("data_process", "data_process", "true").in(kOld),
    flag("data_process", "data_process").in(kSince24),
    flag("parallel_strategy", "parallel_strategy", "true").in(kOld),
    flag("sync_enable", "sync_enable", "true").in(kOld),
    flag("parallel_strategy", "parallel_strategy").in(kSince24),
    integer("timeline_limit", "timeline_limit", "500", "MB", {1}).in(kOld),
    choice("profile_framework", "profile_framework", R"("all")", "all time memory").orNull().in(kOld),
    flag("hbm_ddr", "hbm_ddr").in(kSince24),
    flag("pcie", "pcie").in(kSince24),
    choices("export_type", "export_type", R"(["text"])", kTextDb).in(kNew),
    flag("record_shapes", "record_shapes").when("activities has CPU").in(kNew),
    flag("data_simplification", "data_simplification", "true").in(kNew),
    flag("mstx", "mstx").in(kNew),
    texts("mstx_domain_include", "mstx_domain_include").when("mstx").in(kNew),
    texts("mstx_domain_exclude", "mstx_domain_exclude").when("mstx").in(kNew),
    choices("host_sys", "host_sys", "[]", "cpu mem disk network osrt").in(kNew),
    flag("sys_io", "sys_io").in(kNew),
    flag("sys_interconnection", "sys_interconnection").in(kNew),
    flag("start_profile", "start_profile", "true").in(kNew),
};

void checkMindsporeDynamic(const Settings& settings, SettingProblems& problems) {
    const auto start = settings.integer("start_step"), stop = settings.integer("stop_step");
    if (start && *start < 1) addError(problems, "start_step", "capture.rule.start_from_one");
    // Both ends are inclusive here.
    if (start && stop && *stop < *start) {
        addError(problems, "stop_step", "capture.rule.stop_before_start",
                 {{"start", std::to_string(*start)}, {"end", std::to_string(*stop)}, {"start_field", "start_step"}});
    }
    // The monitor looks at nothing else to find out that there is something new.
    const auto isAsInFile = [&settings](std::string_view name) {
        const Setting& setting = *settings.find(name);
        return setting.inFile && sameValue(*setting.inFile, setting.value);
    };
    if (start && *start >= 1 && isAsInFile("start_step") && isAsInFile("stop_step"))
        addWarning(problems, "stop_step", "capture.rule.same_steps");
    if (settings.variant() == kNew) {
        checkMetrics(settings, "profiler_level", "aic_metrics", "AiCoreNone", problems);
        checkNoMetrics(settings, "profiler_level", "aic_metrics", "AiCoreNone", problems);
        checkMarksOnly(settings, "profiler_level", "LevelNone", problems);
    }
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    if (settings.variant() == kNew) {
        if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
        if (settings.text("export_type").empty()) addError(problems, "export_type", "capture.rule.empty_means_text");
    }
    if (settings.isOn("analyse") && settings.integer("analyse_mode") == -1) {
        addWarning(problems, "analyse_mode", "capture.rule.analyse_wins");
    }
    static constexpr std::string_view kCosts[] = {"with_stack", "profile_memory"};
    warnOfCosts(settings, kCosts, problems);
}

void checkMindsporeEnv(const Settings& settings, SettingProblems& problems) {
    const std::string output = settings.text("output_path");
    if (output.empty()) addWarning(problems, "output_path", "capture.rule.default_path");
    else if (!output.starts_with('/')) addError(problems, "output_path", "capture.rule.absolute_path");
    if (settings.variant() == kNew) {
        checkMetrics(settings, "profiler_level", "aic_metrics", "AicoreNone", problems);
        checkNoMetrics(settings, "profiler_level", "aic_metrics", "AicoreNone", problems);
        checkMarksOnly(settings, "profiler_level", "LevelNone", problems);
        checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
        if (settings.text("export_type").empty()) addError(problems, "export_type", "capture.rule.empty_means_text");
        // Nothing in the environment starts it later.
        if (!settings.isOn("start_profile")) addError(problems, "start_profile", "capture.rule.never_started");
        // The tool expects its own list and not words here, and takes none of them.
        if (!settings.text("host_sys").empty()) addWarning(problems, "host_sys", "capture.rule.env_host_sys");
    }
    if (settings.variant() == kMiddle)
        checkMetrics(settings, "profiler_level", "aicore_metrics", "AicoreNone", problems);
    if (settings.variant() != kOld && settings.text("activities").empty()) {
        addError(problems, "activities", "capture.rule.empty_means_all");
    }
    addWarning(problems, {}, "capture.rule.single_card");
}

/// Newer flavours have a switch for it, older ones the mode alone.
Analysis analysisOfDynamic(const Settings& settings) {
    if (settings.find("analyse") != nullptr) return settings.isOn("analyse") ? Analysis::Yes : Analysis::No;
    return settings.integer("analyse_mode") == -1 ? Analysis::No : Analysis::Yes;
}

}  // namespace

const Method kMindsporeDynamic{.name = "mindspore-dynamic",
                               .medium = Medium::JsonFile,
                               .trigger = Trigger::Edit,
                               .fields = kDynamicFields,
                               .variantField = "version",
                               .outputFields = "prof_path",
                               .check = checkMindsporeDynamic,
                               .forbids = "PROFILING_MODE PROFILER_SAMPLECONFIG MSMONITOR_USE_DAEMON=1",
                               .steps = {"start_step", "stop_step", 1},
                               .analysis = analysisOfDynamic,
                               .watchedBy = JobFramework::Mindspore,
                               .polls = {2, 2, 2},
                               .paths = PathRule::Mindspore};
const Method kMindsporeEnv{.name = "mindspore-env",
                           .medium = Medium::Environment,
                           .fields = kEnvFields,
                           .variantField = "version",
                           .outputFields = "output_path",
                           .check = checkMindsporeEnv,
                           .forbids = kOtherTools,
                           .paths = PathRule::Mindspore};

}  // namespace altiscope::capture
