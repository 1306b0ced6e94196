#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace altiscope::capture {

namespace {

// As verl of August 2026 has them: `trainer/config/ppo_trainer.yaml`, `trainer/config/*/*.yaml` and
// `utils/profiler/config.py`. What a role does not set the rollout takes from the actor, so its rows are spelled out.
constexpr std::string_view kYaml = "yaml";
constexpr std::string_view kContents = "npu cpu memory shapes module stack";
constexpr std::string_view kStandardContents = R"(["npu", "cpu"])";

constexpr Field tokens(std::string_view name, std::string_view key) {
    return integer(name, key, "null", "token", {0, kMaxStep}).orNull().when("rollout_enable");
}

constexpr Field kVerlFields[] = {
    choice("form", "", R"("overrides")", "overrides yaml"),
    choice("tool", "global_profiler.tool", R"("npu")", "npu").always(),
    Field{"steps", "global_profiler.steps", FieldType::IntegerList, "[1]", "step", {}, 1, kMaxStep}.spelledOut(),
    flag("profile_continuous_steps", "global_profiler.profile_continuous_steps"),
    path("save_path", "global_profiler.save_path", R"("outputs/profile")"),
    flag("actor_enable", "actor_rollout_ref.actor.profiler.enable", "true").spelledOut(),
    flag("actor_all_ranks", "actor_rollout_ref.actor.profiler.all_ranks").when("actor_enable").spelledOut(),
    ranks("actor_ranks", "actor_rollout_ref.actor.profiler.ranks", "[]", 0)
        .when("actor_enable and not actor_all_ranks")
        .spelledOut(),
    choices("actor_contents", "actor_rollout_ref.actor.profiler.tool_config.npu.contents", kStandardContents, kContents)
        .when("actor_enable")
        .spelledOut(),
    choice("actor_level", "actor_rollout_ref.actor.profiler.tool_config.npu.level", R"("level0")", kSmallLevels)
        .when("actor_enable")
        .spelledOut(),
    flag("actor_analysis", "actor_rollout_ref.actor.profiler.tool_config.npu.analysis", "true")
        .when("actor_enable")
        .spelledOut(),
    flag("actor_discrete", "actor_rollout_ref.actor.profiler.tool_config.npu.discrete")
        .when("actor_enable")
        .spelledOut(),
    flag("ref_enable", "actor_rollout_ref.ref.profiler.enable").spelledOut(),
    flag("ref_all_ranks", "actor_rollout_ref.ref.profiler.all_ranks").when("ref_enable").spelledOut(),
    ranks("ref_ranks", "actor_rollout_ref.ref.profiler.ranks", "[]", 0)
        .when("ref_enable and not ref_all_ranks")
        .spelledOut(),
    choices("ref_contents", "actor_rollout_ref.ref.profiler.tool_config.npu.contents", kStandardContents, kContents)
        .when("ref_enable")
        .spelledOut(),
    choice("ref_level", "actor_rollout_ref.ref.profiler.tool_config.npu.level", R"("level0")", kSmallLevels)
        .when("ref_enable")
        .spelledOut(),
    flag("ref_analysis", "actor_rollout_ref.ref.profiler.tool_config.npu.analysis", "true")
        .when("ref_enable")
        .spelledOut(),
    flag("ref_discrete", "actor_rollout_ref.ref.profiler.tool_config.npu.discrete").when("ref_enable").spelledOut(),
    flag("rollout_enable", "actor_rollout_ref.rollout.profiler.enable").spelledOut(),
    flag("rollout_all_ranks", "actor_rollout_ref.rollout.profiler.all_ranks").when("rollout_enable").spelledOut(),
    ranks("rollout_ranks", "actor_rollout_ref.rollout.profiler.ranks", "[]", 0)
        .when("rollout_enable and not rollout_all_ranks")
        .spelledOut(),
    choices("rollout_contents", "actor_rollout_ref.rollout.profiler.tool_config.npu.contents", kStandardContents,
            kContents)
        .when("rollout_enable")
        .spelledOut(),
    choice("rollout_level", "actor_rollout_ref.rollout.profiler.tool_config.npu.level", R"("level0")", kSmallLevels)
        .when("rollout_enable")
        .spelledOut(),
    flag("rollout_analysis", "actor_rollout_ref.rollout.profiler.tool_config.npu.analysis", "true")
        .when("rollout_enable")
        .spelledOut(),
    flag("rollout_discrete", "actor_rollout_ref.rollout.profiler.tool_config.npu.discrete")
        .when("rollout_enable")
        .spelledOut(),
    tokens("rollout_token_start", "actor_rollout_ref.rollout.profiler.tool_config.npu.profile_token_start"),
    tokens("rollout_token_end", "actor_rollout_ref.rollout.profiler.tool_config.npu.profile_token_end"),
    flag("critic_enable", "critic.profiler.enable").spelledOut(),
    flag("critic_all_ranks", "critic.profiler.all_ranks").when("critic_enable").spelledOut(),
    ranks("critic_ranks", "critic.profiler.ranks", "[]", 0).when("critic_enable and not critic_all_ranks").spelledOut(),
    choices("critic_contents", "critic.profiler.tool_config.npu.contents", kStandardContents, kContents)
        .when("critic_enable")
        .spelledOut(),
    choice("critic_level", "critic.profiler.tool_config.npu.level", R"("level0")", kSmallLevels)
        .when("critic_enable")
        .spelledOut(),
    flag("critic_analysis", "critic.profiler.tool_config.npu.analysis", "true").when("critic_enable").spelledOut(),
    flag("critic_discrete", "critic.profiler.tool_config.npu.discrete").when("critic_enable").spelledOut(),
};

/// Rows of one role.
struct Role {
    std::string name;

    std::string row(std::string_view what) const { return name + "_" + std::string(what); }
    bool isOn(const Settings& settings) const { return settings.isOn(row("enable")); }
};

const std::array<Role, 4>& verlRoles() {
    static const std::array<Role, 4> all{{{"actor"}, {"ref"}, {"rollout"}, {"critic"}}};
    return all;
}

void checkRole(const Role& role, const Settings& settings, SettingProblems& problems) {
    if (!role.isOn(settings)) return;
    const std::string contents = role.row("contents"), discrete = role.row("discrete");
    if (!settings.has(contents, "npu")) addWarning(problems, contents, "capture.rule.verl_no_npu");
    if (settings.isOn("profile_continuous_steps") && settings.isOn(discrete))
        addError(problems, "profile_continuous_steps", "capture.rule.verl_continuous", {{"discrete", discrete}});
    for (const std::string_view cost : {"memory", "module", "stack"}) {
        if (settings.has(contents, cost)) addWarning(problems, contents, "capture.rule.cost");
    }
}

void checkVerl(const Settings& settings, SettingProblems& problems) {
    const auto& roles = verlRoles();
    if (std::none_of(roles.begin(), roles.end(), [&](const Role& role) { return role.isOn(settings); }))
        addError(problems, "actor_enable", "capture.rule.verl_no_role");
    if (settings.text("steps").empty()) addError(problems, "steps", "capture.rule.verl_no_step");
    for (const Role& role : roles) checkRole(role, settings, problems);
    // The engines that generate are asked to record in this mode only.
    if (settings.isOn("rollout_enable") && !settings.isOn("rollout_discrete"))
        addError(problems, "rollout_discrete", "capture.rule.verl_rollout_discrete");
    checkSteps(settings, "rollout_token_start", "rollout_token_end", problems);
}

/// Ranks of roles whose workers have the numbers of the job. The replicas that generate count for themselves, and write
/// a result for each of their devices.
std::vector<std::int64_t> ranksOfVerl(const Settings& settings) {
    if (settings.isOn("rollout_enable")) return {};
    std::set<std::int64_t> ranks;
    for (const Role& role : verlRoles()) {
        if (!role.isOn(settings)) continue;
        if (settings.isOn(role.row("all_ranks"))) return {};
        const auto* named = std::get_if<Integers>(&settings.value(role.row("ranks")));
        // Without a name it is the first one.
        if (named == nullptr || named->empty()) ranks.insert(0);
        else ranks.insert(named->begin(), named->end());
    }
    return {ranks.begin(), ranks.end()};
}

/// Without discrete mode one for each step, or for each row of steps; with it one for each call, and nobody knows how
/// many there are. Whether the critic has processes of its own the settings do not say.
std::int64_t resultsOfVerl(const Settings& settings) {
    const auto* named = std::get_if<Integers>(&settings.value("steps"));
    if (named == nullptr || settings.isOn("rollout_enable") || settings.isOn("critic_enable")) return 0;
    for (const Role& role : verlRoles()) {
        if (role.isOn(settings) && settings.isOn(role.row("discrete"))) return 0;
    }
    const std::set<std::int64_t> steps(named->begin(), named->end());
    if (!settings.isOn("profile_continuous_steps")) return static_cast<std::int64_t>(steps.size());
    return std::count_if(steps.begin(), steps.end(), [&](std::int64_t step) { return !steps.contains(step - 1); });
}

/// Unknown where roles differ.
Analysis analysisOfVerl(const Settings& settings) {
    std::set<bool> said;
    for (const Role& role : verlRoles()) {
        if (role.isOn(settings)) said.insert(settings.isOn(role.row("analysis")));
    }
    if (said.size() != 1 || settings.isOn("rollout_enable")) return Analysis::Unknown;
    return *said.begin() ? Analysis::Yes : Analysis::No;
}

}  // namespace

const Method kVerl{.name = "verl",
                   .medium = Medium::Options,
                   .fields = kVerlFields,
                   .variantField = "form",
                   .outputFields = "save_path",
                   .check = checkVerl,
                   .forbids = kOtherTools,
                   .yamlVariant = kYaml,
                   .options = OptionForm::Hydra,
                   .ranks = ranksOfVerl,
                   .resultsPerRank = resultsOfVerl,
                   .analysis = analysisOfVerl};

}  // namespace altiscope::capture
