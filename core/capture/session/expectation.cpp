#include "core/capture/session/expectation.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/presets.h"

#include <algorithm>
#include <set>

namespace altiscope::capture {

namespace {

std::vector<std::int64_t> expectedRanks(const Settings& settings) {
    if (settings.find("is_rank") != nullptr && !settings.isOn("is_rank")) return {};
    for (const std::string_view name : {"rank_list", "dump_ranks", "profile_ranks", "ranks"}) {
        const auto* list = std::get_if<Integers>(&settings.value(name));
        if (list == nullptr) continue;
        if (std::find(list->begin(), list->end(), -1) != list->end()) return {};
        return *list;
    }
    return {};
}

/// MindSpeed-RL writes a folder for each stage and iteration, unless all stages are one; MindSpore one for each repeat,
/// with 0 as often as fits.
std::int64_t resultsPerRank(const Settings& settings) {
    constexpr std::int64_t kMaxResults = 1'000'000;
    if (settings.method().name == "mindspore-api")
        return std::clamp(settings.integer("repeat").value_or(1), std::int64_t{0}, kMaxResults);
    if (settings.method().name != "rl-yaml" || settings.has("stage", "all")) return 1;
    const auto* stages = std::get_if<Texts>(&settings.value("stage"));
    const std::int64_t start = settings.integer("profile_step_start").value_or(1),
                       end = settings.integer("profile_step_end").value_or(2);
    const std::int64_t iterations = std::clamp(end - start, std::int64_t{1}, kMaxResults);
    const std::size_t distinct = stages == nullptr ? 0 : std::set<std::string>(stages->begin(), stages->end()).size();
    return iterations * static_cast<std::int64_t>(std::max<std::size_t>(1, distinct));
}

Analysis analysisOf(const Settings& settings) {
    const std::string_view method = settings.method().name;
    if (method == "llm-flags") return Analysis::Yes;
    if (method == "torch-dynamic" && settings.isOn("is_rank") && !settings.isOn("async_mode")) return Analysis::No;
    for (const std::string_view name : {"analyse", "analyse_flag", "profile_analysis"}) {
        if (settings.find(name) == nullptr || settings.find(name)->field->type != FieldType::Bool) continue;
        return settings.isOn(name) ? Analysis::Yes : Analysis::No;
    }
    if (method == "mindspore-dynamic") return settings.integer("analyse_mode") == -1 ? Analysis::No : Analysis::Yes;
    return Analysis::Unknown;
}

}  // namespace

Expectation expectationOf(const Settings& settings) {
    Expectation expectation{ResultKind::Folders, expectedRanks(settings), analysisOf(settings),
                            resultsPerRank(settings)};
    if (settings.method().name == "mm-snapshot") expectation.kind = ResultKind::Snapshots;
    if (settings.method().name == "mm-sora") expectation.kind = ResultKind::Features;
    if (settings.method().name == "dyno-npumonitor") expectation.kind = ResultKind::Monitored;
    // A plain list of all that dump says nothing of the profile in the same file.
    if (expectation.kind == ResultKind::Features) expectation.ranks.clear();
    return expectation;
}

std::optional<Settings> settingsOf(const CaptureRecord& record, const TargetRecord& target) {
    const Method* method = findMethod(record.method);
    if (method == nullptr) return std::nullopt;
    auto assignments = presetAssignments(*method, record.preset);
    assignments.insert(assignments.end(), record.assignments.begin(), record.assignments.end());
    SettingProblems ignored;
    return makeSettings(*method, assignments, target.original ? &*target.original : nullptr, ignored);
}

std::string launchText(const Settings& settings, const Plan& plan, const std::string& launch) {
    const Method& method = settings.method();
    if (method.medium == Medium::Command && method.trigger == Trigger::Launch) {
        return "exec " + shellCommand(plan.words) + " " + (plan.application.empty() ? launch : plan.application);
    }
    if (method.medium == Medium::Command) {
        // msprof takes its commands from its standard input; the recording ends early when somebody wants that, and
        // when msprof or the process has ended.
        const std::string process = std::to_string(settings.integer("pid").value_or(0));
        const std::string tenths = std::to_string(settings.integer("record_time").value_or(10) * 10);
        return "{ echo start; i=0; while [ $i -lt " + tenths +
               " ] && [ ! -e \"$1/stop\" ] && [ ! -e \"$1/ended\" ] && [ -d /proc/" + process +
               " ]; do sleep 0.1; i=$((i + 1)); done; echo stop; echo quit; } | { " + shellCommand(plan.words) +
               "; r=$?; : >\"$1/ended\"; exit $r; }";
    }
    const bool hasPlace = launch.find("$@") != std::string::npos || launch.find("$*") != std::string::npos;
    return plan.words.empty() || hasPlace ? launch : launch + " \"$@\"";
}

std::string frameOf(const Settings& settings, const Plan& plan, std::size_t index) {
    std::string text = "export ALTISCOPE_TARGET_INDEX=" + std::to_string(index) + "\n";
    if (!plan.variable.empty()) text += "export " + plan.variable + "=" + shellQuoted(plan.value) + "\n";
    text += "exec sh \"$1/launch.sh\"";
    if (settings.method().trigger == Trigger::Attach) return text + " \"$1\"\n";
    const bool takesOptions = settings.method().medium == Medium::Options && !plan.words.empty();
    return text + (takesOptions ? " " + shellCommand(plan.words) : "") + "\n";
}

}  // namespace altiscope::capture
