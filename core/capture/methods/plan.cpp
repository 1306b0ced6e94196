#include "core/capture/methods/plan.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/files/text_diff.h"
#include "core/capture/methods/config_file.h"
#include "core/capture/methods/dyno_request.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/snippet.h"

#include <algorithm>

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
    case Medium::Options: plan.words = trainingOptions(settings); break;
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
    }
    return plan;
}

}  // namespace altiscope::capture
