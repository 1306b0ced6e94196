#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>
#include <string>

namespace altiscope::capture {

namespace {

/// The class Profiler of 2.3, with a schedule in 2.4 and 2.5, and profile() since 2.6.
constexpr std::string_view kOldApi = "2.3", kClass = "2.4 2.5", kNewest = "2.6", kSchedules = "2.4 2.5 2.6";
constexpr std::string_view kClassMetrics = "AiCoreNone ArithmeticUtilization PipeUtilization Memory MemoryL0 "
                                           "ResourceConflictRatio MemoryUB L2Cache";
constexpr std::string_view kOpTime = "op_time", kLoop = "program=loop";

// Keys name the call that takes the argument: profile(), schedule(), tensorboard_trace_handler(),
// _ExperimentalConfig(), or the class Profiler() up to 2.5.
constexpr Field kApiFields[] = {
    choice("version", "", R"("2.6")", "2.3 2.4 2.5 2.6"),
    // Who calls train(): the program itself, or Model.train() with a callback that counts steps or epochs.
    choice("program", "", R"("loop")", "loop step epoch"),
    integer("start", "", "1", "", {1, kMaxStep}).when("program!=loop"),
    integer("stop", "", "1", "", {1, kMaxStep}).when("program!=loop"),
    steps("job_steps", "", "0", 0),
    // profile(), 2.6 and later
    choices("activities", "profile.activities", R"(["CPU", "NPU"])", "CPU NPU").in(kNewest),
    flag("with_stack", "profile.with_stack").when("activities has CPU").in(kNewest),
    flag("profile_memory", "profile.profile_memory").when("activities has CPU and activities has NPU").in(kNewest),
    flag("data_process", "profile.data_process").in(kNewest),
    flag("parallel_strategy", "profile.parallel_strategy").in(kNewest),
    flag("start_profile", "profile.start_profile", "true").when(kLoop).in(kNewest),
    flag("hbm_ddr", "profile.hbm_ddr").in(kNewest),
    flag("pcie", "profile.pcie").in(kNewest),
    flag("record_shapes", "profile.record_shapes").when("activities has CPU").in(kNewest),
    steps("wait", "schedule.wait", "0", 0).when(kLoop).in(kSchedules),
    steps("warmup", "schedule.warmup", "1", 0).when(kLoop).in(kSchedules),
    steps("active", "schedule.active", "1", 1).when(kLoop).in(kSchedules),
    steps("repeat", "schedule.repeat", "1", 0).when(kLoop).in(kSchedules),
    steps("skip_first", "schedule.skip_first", "0", 0).when(kLoop).in(kSchedules),
    path("dir_name", "handler.dir_name", R"("./data")").in(kNewest),
    Field{"worker_name", "handler.worker_name"}.in(kNewest),
    flag("analyse_flag", "handler.analyse_flag", "true").in(kNewest),
    flag("async_mode", "handler.async_mode").when("analyse_flag").in(kNewest),
    choice("profiler_level", "config.profiler_level", R"("Level0")", "LevelNone Level0 Level1 Level2").in(kNewest),
    choice("aic_metrics", "config.aic_metrics", R"("AiCoreNone")", kAicMetrics).in(kNewest),
    flag("l2_cache", "config.l2_cache").in(kNewest),
    flag("mstx", "config.mstx").in(kNewest),
    flag("data_simplification", "config.data_simplification", "true").in(kNewest),
    choices("export_type", "config.export_type", R"(["text"])", kTextDb).in(kNewest),
    texts("mstx_domain_include", "config.mstx_domain_include").when("mstx").in(kNewest),
    texts("mstx_domain_exclude", "config.mstx_domain_exclude").when("mstx").in(kNewest),
    choices("host_sys", "config.host_sys", "[]", "cpu mem disk network osrt").in(kNewest),
    flag("sys_io", "config.sys_io").in(kNewest),
    flag("sys_interconnection", "config.sys_interconnection").in(kNewest),
    // 2.4 and 2.5: the class, with a schedule. Source: mindspore.Profiler of the documents of 2.5.
    path("output_path", "class.output_path", R"("./data")").in(kClass),
    choice("profiler_level", "class.profiler_level", R"("Level0")", "Level0 Level1 Level2").in(kClass),
    choices("activities", "class.activities", R"(["CPU", "NPU"])", "CPU NPU").in(kClass),
    flag("with_stack", "class.with_stack").when("activities has CPU").in(kClass),
    flag("profile_memory", "class.profile_memory").when("activities has CPU and activities has NPU").in(kClass),
    choice("aicore_metrics", "class.aicore_metrics", R"("AiCoreNone")", kClassMetrics).in(kClass),
    flag("data_process", "class.data_process").in(kClass),
    flag("parallel_strategy", "class.parallel_strategy").in(kClass),
    flag("start_profile", "class.start_profile", "true").when(kLoop).in(kClass),
    flag("l2_cache", "class.l2_cache").in(kClass),
    flag("hbm_ddr", "class.hbm_ddr").in(kClass),
    flag("pcie", "class.pcie").in(kClass),
    flag("data_simplification", "class.data_simplification", "true").in(kClass),
    // 2.3: what the class takes on Ascend
    path("output_path", "class.output_path", R"("./data")").in(kOldApi),
    choice("profiler_level", "class.profiler_level", "null", "Level0 Level1 Level2").orNull().in(kOldApi),
    flag("op_time", "class.op_time", "true").in(kOldApi),
    flag("profile_communication", "class.profile_communication").when(kOpTime).in(kOldApi),
    flag("profile_memory", "class.profile_memory").when(kOpTime).in(kOldApi),
    flag("parallel_strategy", "class.parallel_strategy", "true").in(kOldApi),
    flag("start_profile", "class.start_profile", "true").when(kLoop).in(kOldApi),
    integer("aicore_metrics", "class.aicore_metrics", "0", "", {-1, 6}).when(kOpTime).in(kOldApi),
    flag("l2_cache", "class.l2_cache").in(kOldApi),
    flag("hbm_ddr", "class.hbm_ddr").in(kOldApi),
    flag("pcie", "class.pcie").in(kOldApi),
    flag("data_process", "class.data_process", "true").in(kOldApi),
    integer("timeline_limit", "class.timeline_limit", "500", "MB", {1}).when(kOpTime).in(kOldApi),
    choice("profile_framework", "class.profile_framework", R"("all")", "all time memory").orNull().in(kOldApi),
    flag("data_simplification", "class.data_simplification", "true").when(kOpTime).in(kOldApi),
    flag("host_stack", "class.host_stack", "true").when(kOpTime).in(kOldApi),
    path("ascend_job_id", "class.ascend_job_id", R"("")").in(kOldApi),
};

void checkOldClass(const Settings& settings, SettingProblems& problems) {
    const std::string level = settings.text("profiler_level");
    if ((level == "Level0" || level == "Level1") && settings.find("data_process")->origin == SettingOrigin::User &&
        settings.isOn("data_process")) {
        addError(problems, "data_process", "capture.rule.level_without_data", {{"level", level}});
    }
    // All options together, the path among them, must fit into so much.
    constexpr std::size_t kMaxOptions = 2048;
    if (settings.text("output_path").size() > kMaxOptions)
        addError(problems, "output_path", "capture.rule.too_long", {{"limit", std::to_string(kMaxOptions)}});
    if (const std::string job = settings.text("ascend_job_id"); !job.empty() && !job.starts_with('/'))
        addError(problems, "ascend_job_id", "capture.rule.absolute_path");
    const Setting& metrics = *settings.find("aicore_metrics");
    if (level == "Level0" && metrics.origin == SettingOrigin::User && settings.integer("aicore_metrics") != -1) {
        addError(problems, "aicore_metrics", "capture.rule.level_without_metrics",
                 {{"level", level}, {"none", "-1"}, {"level_field", "profiler_level"}});
    }
}

/// The recording must end before the job does, where its length is known.
void checkLength(const Settings& settings, SettingProblems& problems) {
    const auto number = [&settings](std::string_view field) { return settings.integer(field).value_or(0); };
    const std::int64_t length = number("job_steps");
    const auto check = [&](std::string_view field, std::int64_t needed, auto add) {
        if (length == 0 || needed <= length) return false;
        add(problems, field, "capture.rule.beyond_job",
            MessageParameters{{"needed", std::to_string(needed)}, {"steps", std::to_string(length)}});
        return true;
    };
    const std::string program = settings.text("program");
    if (program != "loop") {
        const std::int64_t start = number("start"), stop = number("stop");
        if (stop < start)
            addError(problems, "stop", "capture.rule.stop_before_start",
                     {{"end", std::to_string(stop)}, {"start_field", "start"}, {"start", std::to_string(start)}});
        if (program == "step") check("stop", stop, addError);
        return;
    }
    if (settings.variant() == kOldApi) return;
    const std::int64_t round = number("wait") + number("warmup") + number("active");
    if (check("active", number("skip_first") + round, addError)) return;
    // The last rounds are not there.
    if (const std::int64_t rounds = number("repeat"); rounds > 1)
        check("repeat", number("skip_first") + rounds * round, addWarning);
}

void checkMindsporeApi(const Settings& settings, SettingProblems& problems) {
    checkLength(settings, problems);
    // No line of a loop that we write calls start().
    if (settings.text("program") == "loop" && !settings.isOn("start_profile"))
        addError(problems, "start_profile", "capture.rule.never_started");
    if (settings.variant() == kOldApi) return checkOldClass(settings, problems);
    const bool isClass = settings.variant() != kNewest;
    const std::string_view metrics = isClass ? "aicore_metrics" : "aic_metrics";
    checkMetrics(settings, "profiler_level", metrics, "AiCoreNone", problems);
    checkNoMetrics(settings, "profiler_level", metrics, "AiCoreNone", problems);
    // The lines that we write always have one, but for callbacks.
    if (settings.text("program") == "loop" && settings.isOn("data_process"))
        addError(problems, "data_process", "capture.rule.schedule_without_data");
    if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
    static constexpr std::string_view kCosts[] = {"with_stack", "profile_memory"};
    warnOfCosts(settings, kCosts, problems);
    if (isClass) return;
    checkMarksOnly(settings, "profiler_level", "LevelNone", problems);
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    if (settings.text("export_type").empty()) addError(problems, "export_type", "capture.rule.empty_means_text");
}

/// One for each repeat; with 0 as often as fits.
std::int64_t repeatsOf(const Settings& settings) {
    return std::clamp(settings.integer("repeat").value_or(1), std::int64_t{0}, kMaxResults);
}

}  // namespace

const Method kMindsporeApi{.name = "mindspore-api",
                           .medium = Medium::Snippet,
                           .fields = kApiFields,
                           .variantField = "version",
                           .outputFields = "dir_name output_path",
                           .check = checkMindsporeApi,
                           .forbids = kOtherTools,
                           .resultsPerRank = repeatsOf,
                           .paths = PathRule::Mindspore};

}  // namespace altiscope::capture
