#include "core/capture/methods/plan.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/files/text_diff.h"
#include "core/capture/methods/conditions.h"
#include "core/capture/methods/config_file.h"
#include "core/capture/methods/dyno_request.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/snippet.h"

#include <algorithm>
#include <utility>

namespace altiscope::capture {

namespace {

/// "--profile-step-start": the last word of a key with dashes.
std::string optionOf(const Field& field) {
    std::string name(field.key.substr(field.key.rfind('.') + 1));
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
}

/// Options of the Megatron back end. Every value is written: the tools' own standard values differ.
std::vector<std::string> trainingOptions(const Settings& settings) {
    std::vector<std::string> words;
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty()) continue;
        if (const auto* on = std::get_if<bool>(&setting.value)) {
            if (*on) words.push_back(optionOf(*setting.field));
            continue;
        }
        words.push_back(optionOf(*setting.field));
        if (const auto* list = std::get_if<Integers>(&setting.value)) {
            for (const std::int64_t number : *list) words.push_back(std::to_string(number));
        } else {
            words.push_back(plainText(setting.value));
        }
    }
    return words;
}

/// A text as an override of Hydra has it: in quotes where it would be something else without them. In these a
/// backslash counts only before a quote.
std::string hydraText(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return yamlText(value);
    if (yamlText(value) == *text) return *text;
    std::string quoted = "'";
    std::size_t backslashes = 0;
    for (const char c : *text) {
        if (c == '\'') quoted += std::string(backslashes, '\\') + "\\";
        quoted += c;
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return quoted + std::string(backslashes, '\\') + "'";
}

/// Rows that apply: the tool's own standard values of one row follow those of another.
std::vector<std::string> hydraOverrides(const Settings& settings) {
    std::vector<std::string> words;
    for (const Setting& setting : settings.all()) {
        const bool isUnset = std::holds_alternative<std::monostate>(setting.value);
        if (setting.field->key.empty() || isUnset || !holds(setting.field->applies, settings)) continue;
        // No element of a list needs quotes: they are numbers, or words of a table.
        const bool isList =
            std::holds_alternative<Integers>(setting.value) || std::holds_alternative<Texts>(setting.value);
        words.push_back(std::string(setting.field->key) + "=" +
                        (isList ? "[" + plainText(setting.value) + "]" : hydraText(setting.value)));
    }
    return words;
}

std::vector<std::string> launchOptions(const Settings& settings) {
    switch (settings.method().options) {
    case OptionForm::Dashes: return trainingOptions(settings);
    case OptionForm::Hydra: return hydraOverrides(settings);
    case OptionForm::ProfilerConfig: return {"--profiler-config", profilerConfig(settings)};
    }
    return {};
}

/// msprof with the options that were set.
std::vector<std::string> msprofWords(const Settings& settings) {
    std::vector<std::string> words{"msprof"};
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty() || !(setting.origin == SettingOrigin::User || setting.field->fixed)) continue;
        // What is not set msprof must not see.
        const std::string text = plainText(setting.value);
        if (text.empty() || std::holds_alternative<std::monostate>(setting.value)) continue;
        words.push_back(std::string(setting.field->key) + "=" + text);
    }
    return words;
}

std::string environmentJson(const Settings& settings) {
    std::string json;
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty() || !(setting.origin == SettingOrigin::User || setting.field->fixed)) continue;
        if (plainText(setting.value).empty() && setting.field->type == FieldType::Path) continue;
        json += (json.empty() ? "{\"" : ", \"") + std::string(setting.field->key) + "\": " + jsonText(setting.value);
    }
    return json + "}";
}

}  // namespace

std::string Plan::text() const {
    if (!diff.empty()) return diff;
    if (!file.empty()) return file;
    if (!snippet.empty()) return snippet;
    if (!request.empty()) return request + "\n";
    if (!callLines.empty()) return (words.empty() ? std::string() : shellCommand(words) + "\n") + callLines;
    if (!variable.empty()) return variable + "=" + shellQuoted(value) + "\n";
    return shellCommand(words) + (application.empty() ? "" : " " + application) + "\n";
}

Result<Plan> makePlan(const Settings& settings, const std::string* fileText, const std::string& fileName) {
    Plan plan;
    switch (settings.method().medium) {
    case Medium::JsonFile:
    case Medium::YamlFile: {
        auto text = configText(settings, fileText);
        if (!text.ok()) return text.as<Plan>();
        plan.file = std::move(text).value();
        if (fileText != nullptr) plan.diff = unifiedDiff(*fileText, plan.file, fileName);
        break;
    }
    case Medium::Options: plan.words = launchOptions(settings); break;
    case Medium::Environment:
        plan.variable = "MS_PROFILER_OPTIONS";
        plan.value = environmentJson(settings);
        break;
    case Medium::Snippet: plan.snippet = profilerSnippet(settings); break;
    case Medium::Command:
        plan.words = msprofWords(settings);
        plan.application = settings.text("application");
        break;
    case Medium::Request: plan.request = dynoRequest(settings); break;
    case Medium::Service: break;
    }
    if (findMethod(settings.method().name)->medium == Medium::Service) {
        ServiceCalls calls = serviceCalls(settings);
        plan.calls = {std::move(calls.start), std::move(calls.stop)};
        plan.callLines = serviceCallLines(settings);
    }
    return plan;
}

}  // namespace altiscope::capture
