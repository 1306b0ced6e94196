#include "core/capture/methods/config_file.h"

#include "core/base/values/parse.h"
#include "core/capture/files/json_document.h"
#include "core/capture/files/yaml_document.h"
#include "core/capture/methods/conditions.h"
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

/// Whether an existing text is YAML: JSON begins with a bracket.
bool isYamlText(const Settings& settings, const std::string& text) {
    const std::string_view begin = trimmed(std::string_view(text).substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0));
    return settings.method().medium == Medium::YamlFile ||
           (settings.method().alsoYaml && !begin.empty() && begin.front() != '{' && begin.front() != '[');
}

/// Prefix of the keys in a YAML file.
std::string_view prefixOf(const Settings& settings) {
    return settings.method().medium == Medium::YamlFile ? settings.method().yamlPrefix : std::string_view();
}

/// A value that OmegaConf replaces when it reads the file: nobody can see in it what that comes to.
bool isInterpolation(std::string_view yaml) {
    yaml.remove_prefix(std::min(yaml.find_first_not_of("\"' "), yaml.size()));
    return yaml.starts_with("${");
}

/// The value that a file has, as a list also where the tool takes one text.
Value valueOfFile(const Field& field, Value value) {
    const auto* joined = std::get_if<std::string>(&value);
    if (field.joint.empty() || joined == nullptr) return value;
    Texts elements;
    const std::string_view mark = trimmed(field.joint);
    for (std::string_view rest = *joined; !rest.empty();) {
        const std::string_view element = rest.substr(0, rest.find(mark));
        rest.remove_prefix(std::min(rest.size(), element.size() + mark.size()));
        if (!trimmed(element).empty()) elements.emplace_back(trimmed(element));
    }
    return elements;
}

/// As the tool takes it.
Value valueForFile(const Setting& setting) {
    if (setting.field->joint.empty()) return setting.value;
    return plainText(setting.value, setting.field->joint);
}

template <class Document>
void takeValues(const Document& document, std::optional<Value> (*read)(std::string_view), std::string_view prefix,
                Settings& settings, SettingProblems& problems) {
    const std::vector<Setting> all(settings.all().begin(), settings.all().end());
    for (const Setting& setting : all) {
        if (setting.field->key.empty()) continue;
        const auto text = document.find(std::string(prefix) + std::string(setting.field->key));
        if (!text || (settings.method().medium == Medium::YamlFile && isInterpolation(*text))) continue;
        if (auto value = read(*text))
            settings.set(setting.field->key, valueOfFile(*setting.field, std::move(*value)), SettingOrigin::File);
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
    takeValues(document.value(), valueOfYaml, prefixOf(settings), settings, problems);
    // MindSpeed-RL ends at its start for any key that it does not know.
    constexpr std::string_view kStrict = "profiler_config.integrated";
    for (const std::string& key : document.value().keys(kStrict)) {
        if (!isField(settings, std::string(kStrict) + "." + key)) addError(problems, key, "capture.rule.unknown_key");
    }
}

/// Whether an existing file gets a field that it does not have.
bool isAdded(const Setting& setting, const Settings& settings) {
    return setting.origin == SettingOrigin::User || setting.field->fixed ||
           (setting.field->stated && holds(setting.field->applies, settings));
}

/// What the tool reads without a fallback: fields of the method with their standard values, which are what the
/// recording is expected to give, the rest from the base of a new file.
/// @param set  Puts a value, as the document spells it, at a path; the first failure ends it.
template <class Document, class Set>
Result<Done> addMissing(const Document& document, const Settings& settings, const Set& set) {
    const Method& method = settings.method();
    const auto base = JsonDocument::parse(std::string(method.base));
    if (!base.ok()) return base.as<Done>();
    for (const std::string& leaf : base.value().leaves(sectionOf(method))) {
        if (document.find(leaf)) continue;
        const auto all = settings.all();
        const auto setting =
            std::find_if(all.begin(), all.end(), [&](const Setting& one) { return one.field->key == leaf; });
        const auto value = setting != all.end() ? std::optional(setting->value) : valueOfJson(*base.value().find(leaf));
        if (!value) continue;
        if (auto done = set(leaf, *value); !done.ok()) return done;
    }
    return Done{};
}

/// A new file without a base: one member a line, nested objects too.
std::string newJson(const Settings& settings) {
    std::string text = "{";
    std::string group;
    for (const Setting& setting : settings.all()) {
        const std::string_view key = setting.field->key;
        const bool isUnset = (setting.field->type == FieldType::Object || setting.field->absent) &&
                             std::holds_alternative<std::monostate>(setting.value);
        if (key.empty() || isUnset) continue;
        const auto dot = key.find('.');
        const std::string inGroup(dot == std::string_view::npos ? std::string_view() : key.substr(0, dot));
        if (inGroup != group && !group.empty()) text += "\n    }";
        text += text == "{" ? "\n" : ",\n";
        if (inGroup != group && !inGroup.empty()) text += "    \"" + inGroup + "\": {\n";
        group = inGroup;
        text += group.empty() ? "    \"" : "        \"";
        text += std::string(dot == std::string_view::npos ? key : key.substr(dot + 1)) +
                "\": " + jsonText(valueForFile(setting));
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
        if (!present && text != nullptr && !isAdded(setting, settings)) continue;
        if (present) {
            const auto value = valueOfJson(*present);
            if (value && sameValue(valueOfFile(*setting.field, *value), setting.value)) continue;
        }
        document.value().set(setting.field->key, jsonText(valueForFile(setting)));
    }
    if (text != nullptr && !method.base.empty()) {
        const auto done =
            addMissing(document.value(), settings, [&](const std::string& leaf, const Value& value) -> Result<Done> {
                document.value().set(leaf, jsonText(value));
                return Done{};
            });
        if (!done.ok()) return done.as<std::string>();
    }
    return document.value().text();
}

}  // namespace

void readConfigFile(const std::string& text, Settings& settings, SettingProblems& problems) {
    if (isYamlText(settings, text)) readYaml(text, settings, problems);
    else if (settings.method().medium == Medium::JsonFile) readJson(text, settings, problems);
}

Result<std::string> configText(const Settings& settings, const std::string* text) {
    const bool isYaml =
        settings.method().medium == Medium::YamlFile || (text != nullptr && isYamlText(settings, *text));
    if (!isYaml) return jsonConfig(settings, text);
    auto document = YamlDocument::parse(text == nullptr ? std::string() : *text);
    if (!document.ok()) return document.as<std::string>();
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty()) continue;
        const std::string key = std::string(prefixOf(settings)) + std::string(setting.field->key);
        const auto present = document.value().find(key);
        if ((!present || isInterpolation(*present)) && text != nullptr && !isAdded(setting, settings)) continue;
        // A new file has what applies: a section that is off needs no more than that.
        if (text == nullptr && setting.field->stated && !holds(setting.field->applies, settings)) continue;
        const auto value = present ? valueOfYaml(*present) : std::nullopt;
        if (value && sameValue(*value, setting.value)) continue;
        const auto done = document.value().set(key, yamlText(setting.value));
        if (!done.ok()) return done.as<std::string>();
    }
    if (settings.method().alsoYaml && settings.method().medium == Medium::JsonFile) {
        const auto done = addMissing(document.value(), settings, [&](const std::string& leaf, const Value& value) {
            return document.value().set(leaf, yamlText(value));
        });
        if (!done.ok()) return done.as<std::string>();
    }
    return document.value().text();
}

}  // namespace altiscope::capture
