#include "core/capture/methods/tables.h"

#include "core/base/text/json_text.h"
#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::string_view kHostSys = "cpu mem disk network osrt numa";
constexpr std::string_view kNpu = "activities has NPU";
// msprof_tx is its name of before, and still means the same.
constexpr std::string_view kMarks = "mstx or msprof_tx and activities has NPU";

constexpr Field kTorchDynamicFields[] = {
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
        .when(kNpu),
    choice("aic_metrics", "experimental_config.aic_metrics", R"("AiCoreNone")", kAicMetrics).when(kNpu),
    flag("l2_cache", "experimental_config.l2_cache").when(kNpu),
    flag("op_attr", "experimental_config.op_attr").when("export_type has db and activities has NPU"),
    number("gc_detect_threshold", "experimental_config.gc_detect_threshold", "null", "ms", {0})
        .orNull()
        .when("activities has CPU and activities has NPU"),
    flag("data_simplification", "experimental_config.data_simplification", "true").when(kNpu),
    flag("record_op_args", "experimental_config.record_op_args").when(kNpu),
    choices("export_type", "experimental_config.export_type", R"(["text"])", kTextDb).when(kNpu),
    flag("msprof_tx", "experimental_config.msprof_tx").when(kNpu),
    flag("mstx", "experimental_config.mstx").when(kNpu),
    choices("host_sys", "experimental_config.host_sys", "[]", kHostSys).when(kNpu),
    texts("mstx_domain_include", "experimental_config.mstx_domain_include").when(kMarks),
    texts("mstx_domain_exclude", "experimental_config.mstx_domain_exclude").when(kMarks),
    flag("sys_io", "experimental_config.sys_io").when(kNpu),
    flag("sys_interconnection", "experimental_config.sys_interconnection").when(kNpu),
};

// The file that torch_npu writes by itself has 0, which never starts in a job that runs.
void adoptTorchDynamic(Settings& settings) {
    if (settings.integer("start_step") == 0 || settings.find("start_step")->origin == SettingOrigin::Standard) {
        settings.set("start_step", std::int64_t{-1}, SettingOrigin::User);
    }
}

std::size_t longestText(const nlohmann::json& json) {
    if (json.is_string()) return json.get_ref<const std::string&>().size();
    std::size_t longest = 0;
    if (json.is_structured()) {
        for (const auto& inner : json) longest = std::max(longest, longestText(inner));
    }
    return longest;
}

/// What the watcher hands to the ranks has room for so much of it.
void checkMetadata(const Settings& settings, SettingProblems& problems) {
    constexpr std::size_t kMaxText = 4096, kMaxMetadata = std::size_t{50} << 10;
    const auto* object = std::get_if<JsonObject>(&settings.value("metadata"));
    if (object == nullptr) return;
    const bool isLong = longestText(parseJson(object->text)) > kMaxText;
    if (!isLong && object->text.size() <= kMaxMetadata) return;
    addError(problems, "metadata", "capture.rule.too_long",
             {{"limit", std::to_string(isLong ? kMaxText : kMaxMetadata)}});
}

void checkTorchDynamic(const Settings& settings, SettingProblems& problems) {
    checkMetadata(settings, problems);
    if (settings.integer("start_step") == 0) addError(problems, "start_step", "capture.rule.start_never");
    checkMetrics(settings, "profiler_level", "aic_metrics", "AiCoreNone", problems);
    checkMarksOnly(settings, "profiler_level", "Level_none", problems);
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
    if (settings.text("export_type").empty()) addError(problems, "export_type", "capture.rule.empty_means_text");
    if (settings.isOn("is_rank") && settings.text("rank_list").empty()) {
        addError(problems, "rank_list", "capture.rule.no_ranks");
    }
    if (settings.isOn("is_rank") && settings.isOn("analyse") && !settings.isOn("async_mode")) {
        addWarning(problems, "analyse", "capture.rule.ranks_not_analysed");
    }
    static constexpr std::string_view kCosts[] = {"with_stack", "profile_memory", "with_modules"};
    warnOfCosts(settings, kCosts, problems);
}

/// For single ranks it is done in a process of its own only.
Analysis analysisOfTorch(const Settings& settings) {
    const bool isDone = settings.isOn("analyse") && (!settings.isOn("is_rank") || settings.isOn("async_mode"));
    return isDone ? Analysis::Yes : Analysis::No;
}

}  // namespace

const Method kTorchDynamic{.name = "torch-dynamic",
                           .medium = Medium::JsonFile,
                           .trigger = Trigger::Edit,
                           .fields = kTorchDynamicFields,
                           .adopt = adoptTorchDynamic,
                           .outputFields = "prof_dir",
                           .check = checkTorchDynamic,
                           .forbids = kOtherTools,
                           .steps = {.end = "active"},
                           .analysis = analysisOfTorch,
                           .watchedBy = JobFramework::Torch,
                           .polls = kTorchPolls,
                           .startField = "start_step"};

}  // namespace altiscope::capture
