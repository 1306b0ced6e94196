#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

namespace altiscope::capture {

namespace {

// The FSDP2 back end has the same words with underscores in the section "training" of its YAML file.
constexpr Field kLlmFields[] = {
    choice("backend", "", R"("megatron")", "megatron fsdp2"),
    flag("profile", "training.profile", "true").always(),
    steps("profile_step_start", "training.profile_step_start", "10", 1).in(kMegatron),
    steps("profile_step_start", "training.profile_step_start", "0", 0).in(kFsdp2),
    steps("profile_step_end", "training.profile_step_end", "12", 2).in(kMegatron),
    steps("profile_step_end", "training.profile_step_end", "-1", -1).in(kFsdp2),
    ranks("profile_ranks", "training.profile_ranks", "[0]", -1).in(kMegatron),
    ranks("profile_ranks", "training.profile_ranks", "[-1]", -1).in(kFsdp2),
    choice("profile_level", "training.profile_level", R"("level0")", kSmallLevels),
    choice("profile_export_type", "training.profile_export_type", R"("text")", kTextDb),
    flag("profile_data_simplification", "training.profile_data_simplification"),
    flag("profile_with_cpu", "training.profile_with_cpu"),
    flag("profile_with_stack", "training.profile_with_stack"),
    flag("profile_with_memory", "training.profile_with_memory"),
    flag("profile_record_shapes", "training.profile_record_shapes"),
    path("profile_save_path", "training.profile_save_path", R"("./profile_dir")").in(kMegatron),
    path("profile_save_path", "training.profile_save_path", R"("./profile")").in(kFsdp2),
};

void checkLlmFlags(const Settings& settings, SettingProblems& problems) {
    const bool untilEnd = settings.variant() == kFsdp2 && settings.integer("profile_step_end") == -1;
    if (!untilEnd) checkSteps(settings, "profile_step_start", "profile_step_end", problems);
    if (settings.text("profile_ranks").empty()) addError(problems, "profile_ranks", "capture.rule.no_ranks");
    // FSDP2 takes a -1 anywhere for all ranks.
    if (settings.variant() == kMegatron) checkAllRanksAlone(settings, "profile_ranks", problems);
    if (settings.isOn("profile_with_stack") && !settings.isOn("profile_with_cpu")) {
        addWarning(problems, "profile_with_stack", "capture.rule.needs_cpu");
    }
    static constexpr std::string_view kCosts[] = {"profile_with_stack", "profile_with_memory"};
    warnOfCosts(settings, kCosts, problems);
}

}  // namespace

const Method kLlmFlags{.name = "llm-flags",
                       .medium = Medium::Options,
                       .fields = kLlmFields,
                       .variantField = "backend",
                       .outputFields = "profile_save_path",
                       .check = checkLlmFlags,
                       .forbids = kOtherTools,
                       .yamlVariant = kFsdp2,
                       .steps = {"profile_step_start", "profile_step_end", 0, PrintedSteps::SameCount},
                       .analysis = [](const Settings&) { return Analysis::Yes; }};

}  // namespace altiscope::capture
