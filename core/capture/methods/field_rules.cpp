#include "core/capture/methods/field_rules.h"

namespace altiscope::capture {

void addError(SettingProblems& problems, std::string_view field, std::string_view code, MessageParameters parameters) {
    problems.push_back({ProblemLevel::Error, std::string(field), std::string(code), std::move(parameters)});
}

void addWarning(SettingProblems& problems, std::string_view field, std::string_view code,
                MessageParameters parameters) {
    problems.push_back({ProblemLevel::Warning, std::string(field), std::string(code), std::move(parameters)});
}

void checkSteps(const Settings& settings, std::string_view start, std::string_view end, SettingProblems& problems) {
    const auto first = settings.integer(start), last = settings.integer(end);
    if (!first || !last || *last > *first) return;
    addError(problems, end, "capture.rule.end_before_start",
             {{"start", std::to_string(*first)}, {"end", std::to_string(*last)}, {"start_field", std::string(start)}});
}

void checkAllRanksAlone(const Settings& settings, std::string_view field, SettingProblems& problems) {
    const auto* ranks = std::get_if<Integers>(&settings.value(field));
    if (ranks != nullptr && ranks->size() > 1 && settings.has(field, "-1")) {
        addError(problems, field, "capture.rule.all_ranks_alone");
    }
}

void checkMetrics(const Settings& settings, std::string_view level, std::string_view metric, std::string_view none,
                  SettingProblems& problems) {
    const std::string chosen = settings.text(level);
    const bool records = chosen != "Level0" && chosen != "Level_none" && chosen != "LevelNone";
    if (records || settings.text(metric) == none) return;
    addError(problems, metric, "capture.rule.level_without_metrics",
             {{"level", chosen}, {"none", std::string(none)}, {"level_field", std::string(level)}});
}

void checkNoMetrics(const Settings& settings, std::string_view level, std::string_view metric, std::string_view none,
                    SettingProblems& problems) {
    const std::string chosen = settings.text(level);
    if ((chosen != "Level1" && chosen != "Level2") || settings.text(metric) != none) return;
    const MessageParameters parameters{{"level", chosen}, {"none", std::string(none)}};
    // Chosen by the user it is a mistake; as the default it is only worth knowing.
    if (settings.find(metric)->origin == SettingOrigin::User)
        addError(problems, metric, "capture.rule.level_with_metrics", parameters);
    else addWarning(problems, metric, "capture.rule.level_with_metrics", parameters);
}

void checkExclusive(const Settings& settings, std::string_view first, std::string_view second,
                    SettingProblems& problems) {
    const auto isSet = [&settings](std::string_view field) {
        const auto* words = std::get_if<Texts>(&settings.value(field));
        return words != nullptr && !words->empty();
    };
    if (!isSet(first) || !isSet(second)) return;
    addError(problems, second, "capture.rule.exclusive", {{"other", std::string(first)}});
}

void checkMarksOnly(const Settings& settings, std::string_view level, std::string_view none,
                    SettingProblems& problems) {
    if (settings.text(level) == none && !settings.isOn("mstx") && !settings.isOn("msprof_tx")) {
        addError(problems, "mstx", "capture.rule.marks_only", {{"level", std::string(none)}});
    }
}

void warnOfCosts(const Settings& settings, std::span<const std::string_view> flags, SettingProblems& problems) {
    for (const std::string_view flag : flags) {
        if (settings.isOn(flag)) addWarning(problems, flag, "capture.rule.cost");
    }
}

}  // namespace altiscope::capture
