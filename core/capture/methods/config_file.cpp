#include "core/capture/methods/config_file.h"

#include "core/capture/files/json_document.h"
#include "core/capture/files/yaml_document.h"
#include "core/capture/methods/field_rules.h"

#include <algorithm>
#include <vector>

namespace altiscope::capture {

namespace {

void addFileError(const Error& error, SettingProblems& problems) {
    MessageParameters parameters = error.parameters;
    parameters.emplace_back("place", error.place);
    problems.push_back({ProblemLevel::Error, {}, error.code, std::move(parameters)});
}

/// Section of the file that the method owns: the first word of its keys if they have several.
std::string_view sectionOf(const Method& method) {
    for (const Field& field : method.fields) {
        if (const auto dot = field.key.rfind('.'); dot != std::string_view::npos)
            return field.key.substr(0, field.key.find('.'));
    }
    return {};
}

template <class Document>
void takeValues(const Document& document, std::optional<Value> (*read)(std::string_view), std::string_view prefix,
                Settings& settings, SettingProblems& problems) {
    const std::vector<Setting> all(settings.all().begin(), settings.all().end());
    for (const Setting& setting : all) {
        if (setting.field->key.empty()) continue;
        const auto text = document.find(std::string(prefix) + std::string(setting.field->key));
        if (!text) continue;
        if (auto value = read(*text)) settings.set(setting.field->key, std::move(*value), SettingOrigin::File);
        else
            addError(problems, setting.field->name, "capture.field.wrong_type",
                     {{"value", *text}, {"type", std::string(typeText(setting.field->type))}});
    }
}

bool isField(const Settings& settings, std::string_view key) {
    return std::any_of(settings.all().begin(), settings.all().end(),
                       [key](const Setting& setting) { return setting.field->key == key; });
}

void readJson(const std::string& text, Settings& settings, SettingProblems& problems) {
    const auto document = JsonDocument::parse(text);
    if (!document.ok()) return addFileError(document.error(), problems);
    takeValues(document.value(), valueOfJson, {}, settings, problems);
    // Two frameworks name their file profiler_config.json.
    const bool isMindspore = document.value().find("stop_step").has_value(),
               isTorch = document.value().find("active").has_value();
    if (isMindspore != isTorch &&
        (isField(settings, "active") ? isMindspore : isField(settings, "stop_step") && isTorch))
        addError(problems, {}, "capture.rule.other_framework", {{"key", isMindspore ? "stop_step" : "active"}});
    // The sample of MindSpore's tutorial spells it so; the code reads record_shapes.
    if (isField(settings, "record_shapes") && document.value().find("record_shape")) {
        addWarning(problems, "record_shapes", "capture.rule.record_shape");
    }
}

void readYaml(const std::string& text, Settings& settings, SettingProblems& problems) {
    const auto document = YamlDocument::parse(text);
    if (!document.ok()) return addFileError(document.error(), problems);
    takeValues(document.value(), valueOfYaml, settings.method().yamlPrefix, settings, problems);
    // MindSpeed-RL ends at its start for any key that it does not know.
    constexpr std::string_view kStrict = "profiler_config.integrated";
    for (const std::string& key : document.value().keys(kStrict)) {
        if (!isField(settings, std::string(kStrict) + "." + key)) addError(problems, key, "capture.rule.unknown_key");
    }
}

/// Whether an existing file gets a field that it does not have.
bool isAdded(const Setting& setting) { return setting.origin == SettingOrigin::User || setting.field->fixed; }

/// What the tool reads without a fallback: fields of the method with their standard values, which are what the
/// recording is expected to give, the rest from the base of a new file.
void addMissing(JsonDocument& document, const Settings& settings) {
    const Method& method = settings.method();
    const auto base = JsonDocument::parse(std::string(method.base));
    if (!base.ok()) return;
    for (const std::string& leaf : base.value().leaves(sectionOf(method))) {
        if (document.find(leaf)) continue;
        const auto all = settings.all();
        const auto setting =
            std::find_if(all.begin(), all.end(), [&](const Setting& one) { return one.field->key == leaf; });
        document.set(leaf, setting != all.end() ? jsonText(setting->value) : *base.value().find(leaf));
    }
}

/// A new file without a base: one member a line, nested objects too.
std::string newJson(const Settings& settings) {
    std::string text = "{";
    std::string group;
    for (const Setting& setting : settings.all()) {
        const std::string_view key = setting.field->key;
        const bool isUnset =
            setting.field->type == FieldType::Object && std::holds_alternative<std::monostate>(setting.value);
        if (key.empty() || isUnset) continue;
        const auto dot = key.find('.');
        const std::string inGroup(dot == std::string_view::npos ? std::string_view() : key.substr(0, dot));
        if (inGroup != group && !group.empty()) text += "\n    }";
        text += text == "{" ? "\n" : ",\n";
        if (inGroup != group && !inGroup.empty()) text += "    \"" + inGroup + "\": {\n";
        group = inGroup;
        text += group.empty() ? "    \"" : "        \"";
        text +=
            std::string(dot == std::string_view::npos ? key : key.substr(dot + 1)) + "\": " + jsonText(setting.value);
    }
    return text + (group.empty() ? "\n}\n" : "\n    }\n}\n");
}

Result<std::string> jsonConfig(const Settings& settings, const std::string* text) {
    const Method& method = settings.method();
    if (text == nullptr && method.base.empty()) return newJson(settings);
    auto document = JsonDocument::parse(text == nullptr ? std::string(method.base) : *text);
    if (!document.ok()) return document.as<std::string>();
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty()) continue;
        const auto present = document.value().find(setting.field->key);
        if (!present && text != nullptr && !isAdded(setting)) continue;
        if (present) {
            const auto value = valueOfJson(*present);
            if (value && sameValue(*value, setting.value)) continue;
        }
        document.value().set(setting.field->key, jsonText(setting.value));
    }
    if (text != nullptr && !method.base.empty()) addMissing(document.value(), settings);
    return document.value().text();
}

}  // namespace

void readConfigFile(const std::string& text, Settings& settings, SettingProblems& problems) {
    if (settings.method().medium == Medium::JsonFile) readJson(text, settings, problems);
    if (settings.method().medium == Medium::YamlFile) readYaml(text, settings, problems);
}

Result<std::string> configText(const Settings& settings, const std::string* text) {
    if (settings.method().medium == Medium::JsonFile) return jsonConfig(settings, text);
    auto document = YamlDocument::parse(text == nullptr ? std::string() : *text);
    if (!document.ok()) return document.as<std::string>();
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty()) continue;
        const std::string key = std::string(settings.method().yamlPrefix) + std::string(setting.field->key);
        const auto present = document.value().find(key);
        if (!present && text != nullptr && !isAdded(setting)) continue;
        const auto value = present ? valueOfYaml(*present) : std::nullopt;
        if (value && sameValue(*value, setting.value)) continue;
        const auto done = document.value().set(key, yamlText(setting.value));
        if (!done.ok()) return done.as<std::string>();
    }
    return document.value().text();
}

}  // namespace altiscope::capture
