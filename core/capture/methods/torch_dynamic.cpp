#include "core/capture/methods/torch_dynamic.h"

#include "core/capture/methods/tables.h"

#include "core/base/text/json_text.h"
#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/words.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::capture {

namespace {

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

}  // namespace

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

const Method kTorchDynamic{.name = "torch-dynamic",
                           .medium = Medium::JsonFile,
                           .trigger = Trigger::Edit,
                           .fields = kTorchDynamicRows,
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
