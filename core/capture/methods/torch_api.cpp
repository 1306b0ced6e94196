#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>
#include <string>

namespace altiscope::capture {

namespace {

constexpr std::string_view kOfNpu = "activities has NPU";

// Keys name the call that takes the argument: profile(), schedule(), tensorboard_trace_handler(),
// _ExperimentalConfig(). Sources: torch_npu `profiler/profiler.py`, `scheduler.py`, `experimental_config.py`, and the
// guide of its profiler, which asks for one step of warm-up and for one round.
constexpr Field kTorchApiFields[] = {
    steps("job_steps", "", "0", 0),
    choices("activities", "profile.activities", R"(["CPU", "NPU"])", "CPU NPU"),
    flag("record_shapes", "profile.record_shapes").when("activities has CPU"),
    flag("profile_memory", "profile.profile_memory"),
    flag("with_stack", "profile.with_stack").when("activities has CPU"),
    flag("with_modules", "profile.with_modules").when("activities has CPU"),
    flag("with_flops", "profile.with_flops").when("activities has CPU"),
    steps("wait", "schedule.wait", "0", 0),
    steps("active", "schedule.active", "1", 1),
    steps("warmup", "schedule.warmup", "1", 0),
    steps("repeat", "schedule.repeat", "1", 0),
    steps("skip_first", "schedule.skip_first", "0", 0),
    path("dir_name", "handler.dir_name", R"("./prof")"),
    Field{"worker_name", "handler.worker_name"},
    flag("analyse_flag", "handler.analyse_flag", "true"),
    flag("async_mode", "handler.async_mode").when("analyse_flag"),
    choice("profiler_level", "config.profiler_level", R"("Level0")", "Level0 Level1 Level2 Level_none").when(kOfNpu),
    choice("aic_metrics", "config.aic_metrics", R"("AiCoreNone")", kAicMetrics).when(kOfNpu),
    flag("l2_cache", "config.l2_cache").when(kOfNpu),
    flag("op_attr", "config.op_attr").when("export_type has db and activities has NPU"),
    number("gc_detect_threshold", "config.gc_detect_threshold", "null", "ms", {0})
        .orNull()
        .when("activities has CPU and activities has NPU"),
    flag("data_simplification", "config.data_simplification", "true").when(kOfNpu),
    flag("record_op_args", "config.record_op_args").when(kOfNpu),
    choices("export_type", "config.export_type", R"(["text"])", kTextDb).when(kOfNpu),
    flag("mstx", "config.mstx").when(kOfNpu),
    texts("mstx_domain_include", "config.mstx_domain_include").when("mstx and activities has NPU"),
    texts("mstx_domain_exclude", "config.mstx_domain_exclude").when("mstx and activities has NPU"),
    choices("host_sys", "config.host_sys", "[]", "cpu mem disk network osrt").when(kOfNpu),
    flag("sys_io", "config.sys_io").when(kOfNpu),
    flag("sys_interconnection", "config.sys_interconnection").when(kOfNpu),
};

/// The recording must end before the job does, where its length is known.
void checkRounds(const Settings& settings, SettingProblems& problems) {
    const auto number = [&settings](std::string_view field) { return settings.integer(field).value_or(0); };
    const std::int64_t length = number("job_steps"), round = number("wait") + number("warmup") + number("active");
    const std::int64_t rounds = std::max<std::int64_t>(number("repeat"), 1);
    const std::int64_t first = number("skip_first") + round, all = number("skip_first") + rounds * round;
    if (length == 0 || all <= length) return;
    const MessageParameters said{{"needed", std::to_string(first > length ? first : all)},
                                 {"steps", std::to_string(length)}};
    if (first > length) addError(problems, "active", "capture.rule.beyond_job", said);
    else addWarning(problems, "repeat", "capture.rule.beyond_job", said);
}

void checkTorchApi(const Settings& settings, SettingProblems& problems) {
    checkRounds(settings, problems);
    checkMetrics(settings, "profiler_level", "aic_metrics", "AiCoreNone", problems);
    checkMarksOnly(settings, "profiler_level", "Level_none", problems);
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
    if (settings.text("export_type").empty()) addError(problems, "export_type", "capture.rule.empty_means_text");
    static constexpr std::string_view kCosts[] = {"with_stack", "profile_memory", "with_modules"};
    warnOfCosts(settings, kCosts, problems);
}

/// One for each repeat; with 0 as often as fits.
std::int64_t roundsOfTorch(const Settings& settings) {
    return std::clamp(settings.integer("repeat").value_or(1), std::int64_t{0}, kMaxResults);
}

}  // namespace

const Method kTorchApi{.name = "torch-api",
                       .medium = Medium::Snippet,
                       .fields = kTorchApiFields,
                       .outputFields = "dir_name",
                       .check = checkTorchApi,
                       .forbids = kOtherTools,
                       .resultsPerRank = roundsOfTorch};

}  // namespace altiscope::capture
