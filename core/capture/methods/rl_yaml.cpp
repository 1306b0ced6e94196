#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>
#include <set>
#include <string>

namespace altiscope::capture {

namespace {

constexpr std::string_view kStages = "all actor_generate actor_compute_log_prob reference_compute_log_prob "
                                     "actor_update critic_compute_values critic_update "
                                     "actor_image_embeds";

constexpr Field kRlFields[] = {
    flag("profile", "profiler_config.integrated.profile", "true").always(),
    flag("mstx", "profiler_config.integrated.mstx"),
    choices("stage", "profiler_config.integrated.stage", R"("all")", kStages),
    path("profile_save_path", "profiler_config.integrated.profile_save_path", R"("./profiler_data")"),
    choice("profile_export_type", "profiler_config.integrated.profile_export_type", R"("text")", kTextDb),
    steps("profile_step_start", "profiler_config.integrated.profile_step_start", "1", 1),
    steps("profile_step_end", "profiler_config.integrated.profile_step_end", "2", 2),
    choice("profile_level", "profiler_config.integrated.profile_level", R"("level0")", kSmallLevels),
    flag("profile_with_memory", "profiler_config.integrated.profile_with_memory"),
    flag("profile_record_shapes", "profiler_config.integrated.profile_record_shapes"),
    flag("profile_with_cpu", "profiler_config.integrated.profile_with_cpu", "true"),
    flag("profile_with_npu", "profiler_config.integrated.profile_with_npu", "true"),
    flag("profile_with_module", "profiler_config.integrated.profile_with_module"),
    flag("profile_analysis", "profiler_config.integrated.profile_analysis"),
    ranks("profile_ranks", "profiler_config.integrated.profile_ranks", R"("all")", 0).orWord("all"),
};

void checkRlYaml(const Settings& settings, SettingProblems& problems) {
    checkSteps(settings, "profile_step_start", "profile_step_end", problems);
    checkMarksOnly(settings, "profile_level", "level_none", problems);
    if (!settings.isOn("profile_with_cpu") && !settings.isOn("profile_with_npu")) {
        addError(problems, "profile_with_npu", "capture.rule.cpu_or_npu", {{"other", "profile_with_cpu"}});
    }
    if (settings.text("stage").empty()) addError(problems, "stage", "capture.rule.no_stage");
    if (settings.text("profile_ranks").empty()) addError(problems, "profile_ranks", "capture.rule.no_ranks");
    if (settings.has("stage", "all") && settings.text("stage") != "all") {
        addError(problems, "stage", "capture.rule.all_stages_alone");
    }
    if (settings.has("stage", "all")) addWarning(problems, "stage", "capture.rule.all_stages_of_ppo");
    static constexpr std::string_view kCosts[] = {"profile_with_memory", "profile_with_module"};
    warnOfCosts(settings, kCosts, problems);
}

/// A folder for each stage and iteration, unless all stages are one.
std::int64_t foldersPerRank(const Settings& settings) {
    if (settings.has("stage", "all")) return 1;
    const auto* stages = std::get_if<Texts>(&settings.value("stage"));
    const std::int64_t start = settings.integer("profile_step_start").value_or(1),
                       end = settings.integer("profile_step_end").value_or(2);
    const std::int64_t iterations = std::clamp(end - start, std::int64_t{1}, kMaxResults);
    const std::size_t distinct = stages == nullptr ? 0 : std::set<std::string>(stages->begin(), stages->end()).size();
    return iterations * static_cast<std::int64_t>(std::max<std::size_t>(1, distinct));
}

}  // namespace

const Method kRlYaml{.name = "rl-yaml",
                     .medium = Medium::YamlFile,
                     .fields = kRlFields,
                     .outputFields = "profile_save_path",
                     .check = checkRlYaml,
                     .forbids = kOtherTools,
                     .steps = {"profile_step_start", "profile_step_end"},
                     .resultsPerRank = foldersPerRank};

}  // namespace altiscope::capture
