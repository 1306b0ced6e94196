#include "core/capture/session/expectation.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/presets.h"
#include "core/capture/methods/service_calls.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

/// The field that says which ranks record; null if none does.
const Setting* rankList(const Settings& settings) {
    if (settings.find("is_rank") != nullptr && !settings.isOn("is_rank")) return nullptr;
    for (const std::string_view name : {"rank_list", "dump_ranks", "profile_ranks", "ranks"}) {
        if (std::holds_alternative<Integers>(settings.value(name))) return settings.find(name);
    }
    return nullptr;
}

std::vector<std::int64_t> expectedRanks(const Settings& settings) {
    if (settings.method().ranks != nullptr) return settings.method().ranks(settings);
    const Setting* setting = rankList(settings);
    if (setting == nullptr) return {};
    const auto& list = std::get<Integers>(setting->value);
    if (std::find(list.begin(), list.end(), -1) != list.end()) return {};
    return list;
}

Analysis analysisOf(const Settings& settings) {
    if (settings.method().analysis != nullptr) return settings.method().analysis(settings);
    for (const std::string_view name : {"analyse", "analyse_flag", "profile_analysis"}) {
        if (settings.find(name) == nullptr || settings.find(name)->field->type != FieldType::Bool) continue;
        return settings.isOn(name) ? Analysis::Yes : Analysis::No;
    }
    return Analysis::Unknown;
}

}  // namespace

Expectation expectationOf(const Settings& settings) {
    const Method& method = settings.method();
    const Setting* list = rankList(settings);
    const bool isStandard = list != nullptr && list->origin != SettingOrigin::User &&
                            sameValue(list->value, valueOfJson(list->field->standard).value_or(Value()));
    Expectation expectation{method.results, expectedRanks(settings), isStandard, analysisOf(settings),
                            method.resultsPerRank == nullptr ? 1 : method.resultsPerRank(settings)};
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
    auto settings = makeSettings(*method, assignments, target.original ? &*target.original : nullptr, ignored);
    if (record.commonStep && !method->startField.empty())
        settings.set(method->startField, *record.commonStep, SettingOrigin::User);
    return settings;
}

std::string launchText(const Settings& settings, const Plan& plan, const std::string& launch) {
    const Method& method = settings.method();
    if (method.medium == Medium::Command && method.trigger == Trigger::Launch) {
        return "exec " + shellCommand(plan.words) + " " + (plan.application.empty() ? launch : plan.application);
    }
    if (method.medium == Medium::Service) return serviceScript(settings);
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
    // A service that is started is called beside it, once it answers.
    if (!plan.calls.empty() && settings.method().trigger == Trigger::Launch)
        text += "sh -s \"$1\" after <<'ALTISCOPE_CALLS' &\n" + serviceScript(settings) + "ALTISCOPE_CALLS\n";
    text += "exec sh \"$1/launch.sh\"";
    if (settings.method().trigger == Trigger::Attach) return text + " \"$1\"\n";
    const bool takesOptions = settings.method().medium == Medium::Options && !plan.words.empty();
    return text + (takesOptions ? " " + shellCommand(plan.words) : "") + "\n";
}

}  // namespace altiscope::capture
