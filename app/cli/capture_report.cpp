#include "app/cli/capture_report.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace altiscope::cli {

namespace {

using Json = nlohmann::ordered_json;
using capture::Field;
using capture::Medium;
using capture::Trigger;

std::string_view mediumText(Medium medium) {
    switch (medium) {
    case Medium::JsonFile: return "json";
    case Medium::YamlFile: return "yaml";
    case Medium::Options: return "options";
    case Medium::Environment: return "environment";
    case Medium::Snippet: return "snippet";
    case Medium::Command: return "command";
    case Medium::Request: return "request";
    case Medium::Service: return "service";
    }
    return {};
}

std::string_view triggerText(Trigger trigger) {
    switch (trigger) {
    case Trigger::Launch: return "launch";
    case Trigger::Edit: return "edit";
    case Trigger::Attach: return "attach";
    }
    return {};
}

std::string appliesText(const Field& field) {
    if (field.variants.empty()) return std::string(field.applies);
    const std::string versions = "[" + std::string(field.variants) + "]";
    return field.applies.empty() ? versions : versions + " " + std::string(field.applies);
}

Json fieldJson(const Field& field) {
    return {{"name", field.name},
            {"type", capture::typeText(field.type)},
            {"unit", field.unit},
            {"range", capture::rangeText(field)},
            {"default", parseOrderedJson(field.standard)},
            {"applies", field.applies},
            {"versions", field.variants}};
}

Json orNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json callsJson(const std::vector<capture::ServiceCall>& calls) {
    Json list = Json::array();
    for (const capture::ServiceCall& call : calls)
        list.push_back({{"method", "POST"}, {"url", call.url}, {"body", orNull(call.body)}});
    return list.empty() ? Json() : list;
}

Json problemsJson(const capture::SettingProblems& problems) {
    Json list = Json::array();
    for (const capture::SettingProblem& problem : problems) {
        list.push_back({{"field", problem.field},
                        {"severity", problem.severity == capture::ProblemLevel::Error ? "error" : "warning"},
                        {"code", problem.code},
                        {"message", capture::problemText(problem, "en")}});
    }
    return list;
}

std::string_view checkStateText(capture::Check::State state) {
    switch (state) {
    case capture::Check::State::Good: return "good";
    case capture::Check::State::Warning: return "warning";
    case capture::Check::State::Failed: return "failed";
    }
    return {};
}

std::string checkMessage(const capture::Check& check) {
    return check.problem.code.empty() ? std::string() : errorText(check.problem, "en");
}

}  // namespace

std::string methodsText(std::span<const capture::Method> methods) {
    std::string text;
    for (const capture::Method& method : methods) {
        text += std::string(text.empty() ? "" : "\n") + std::string(method.name) + "\n";
        if (!method.hint.empty()) text += "  # " + catalogueText(method.hint, "en") + "\n";
        for (const Field& field : method.fields) {
            text += "  " + std::string(field.name) + "  " + std::string(capture::typeText(field.type));
            if (!field.unit.empty()) text += " (" + std::string(field.unit) + ")";
            if (const auto range = capture::rangeText(field); !range.empty()) text += "  " + range;
            text += "  default " + std::string(field.standard);
            if (const auto applies = appliesText(field); !applies.empty()) text += "  if " + applies;
            text += "\n";
        }
    }
    return text;
}

std::string methodsJson(std::span<const capture::Method> methods) {
    Json all = Json::array();
    for (const capture::Method& method : methods) {
        Json fields = Json::array();
        for (const Field& field : method.fields) fields.push_back(fieldJson(field));
        all.push_back({{"name", method.name},
                       {"medium", mediumText(method.medium)},
                       {"trigger", triggerText(method.trigger)},
                       {"hint", orNull(method.hint.empty() ? std::string() : catalogueText(method.hint, "en"))},
                       {"fields", std::move(fields)}});
    }
    return dumpJson(all) + "\n";
}

std::string problemLine(const capture::SettingProblem& problem) {
    return printableText(capture::problemText(problem, "en"));
}

std::string validationJson(const capture::Method& method, const capture::Plan& plan,
                           const capture::SettingProblems& problems) {
    Json environment;
    if (!plan.variable.empty()) environment[plan.variable] = plan.value;
    const Json json{{"method", method.name},
                    {"ok", !capture::hasErrors(problems)},
                    {"problems", problemsJson(problems)},
                    {"file", orNull(plan.file)},
                    {"diff", orNull(plan.diff)},
                    {"command", plan.words.empty() ? Json() : Json(plan.words)},
                    {"application", orNull(plan.application)},
                    {"environment", std::move(environment)},
                    {"snippet", orNull(plan.snippet)},
                    {"request", orNull(plan.request)},
                    {"calls", callsJson(plan.calls)}};
    return dumpJson(json) + "\n";
}

std::string checksText(const std::vector<capture::TargetChecks>& targets) {
    std::string text;
    for (const capture::TargetChecks& target : targets) {
        for (const capture::Check& check : target.checks) {
            const std::string message = checkMessage(check);
            std::string line = target.name + "  " + check.name + "  " + std::string(checkStateText(check.state));
            if (const std::string& more = message.empty() ? check.detail : message; !more.empty()) line += "  " + more;
            text += printableText(line) + "\n";
        }
    }
    return text;
}

std::string checksJson(const capture::Method& method, const std::vector<capture::TargetChecks>& targets,
                       const capture::SettingProblems& problems) {
    Json list = Json::array();
    for (const capture::TargetChecks& target : targets) {
        for (const capture::Check& check : target.checks) {
            list.push_back({{"target", target.name},
                            {"name", check.name},
                            {"state", checkStateText(check.state)},
                            {"detail", orNull(check.detail)},
                            {"message", orNull(checkMessage(check))}});
        }
    }
    const Json json{{"method", method.name},
                    {"ok", areGood(targets) && !capture::hasErrors(problems)},
                    {"problems", problemsJson(problems)},
                    {"checks", std::move(list)}};
    return dumpJson(json) + "\n";
}

bool areGood(const std::vector<capture::TargetChecks>& targets) {
    return std::all_of(targets.begin(), targets.end(),
                       [](const capture::TargetChecks& target) { return !capture::firstFailure(target.checks); });
}

}  // namespace altiscope::cli
