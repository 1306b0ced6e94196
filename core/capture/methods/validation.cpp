#include "core/capture/methods/validation.h"

#include "core/base/text/catalogue.h"
#include "core/base/values/parse.h"
#include "core/capture/methods/conditions.h"
#include "core/capture/methods/config_file.h"
#include "core/capture/methods/field_rules.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <charconv>

namespace altiscope::capture {

namespace {

/// Refused by PathRule::Cann.
constexpr std::string_view kRefusedByCann = "\"'\\%><|&$;`";
/// Longer values are no settings.
constexpr std::size_t kMaxTextBytes = 4096;

std::vector<std::string> listWords(std::string_view text) {
    std::vector<std::string> words;
    const std::string_view separators = text.find(',') == std::string_view::npos ? " " : ",";
    while (!text.empty()) {
        const auto end = text.find_first_of(separators);
        if (const auto word = trimmed(text.substr(0, end)); !word.empty()) words.emplace_back(word);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return words;
}

Value integersOf(const std::vector<std::string>& words, const std::string& text) {
    Integers integers;
    for (const std::string& word : words) {
        const auto whole = wholeNumber(word);
        if (!whole) return text;
        integers.push_back(*whole);
    }
    return integers;
}

/// The value that the text of an assignment means for a field.
Value valueOfText(const Field& field, const std::string& text) {
    if (field.nullable && text == "null") return {};
    if (text.starts_with('[')) {
        if (auto list = valueOfJson(text)) return *list;
    }
    switch (field.type) {
    case FieldType::Bool:
        if (text == "true" || text == "false") return text == "true";
        return text;
    case FieldType::Integer:
    case FieldType::Number:
        if (const auto whole = wholeNumber(text)) return *whole;
        if (field.type == FieldType::Number) {
            const auto real = valueOfJson(text);
            if (real && std::holds_alternative<double>(*real)) return *real;
        }
        return text;
    case FieldType::IntegerList: return hasWord(field.choices, text) ? Value(text) : integersOf(listWords(text), text);
    case FieldType::ChoiceList:
    case FieldType::TextList: return listWords(text);
    case FieldType::Object: return valueOfJson(text).value_or(Value(text));
    case FieldType::Text:
    case FieldType::Path:
    case FieldType::Choice: return text;
    }
    return text;
}

bool isBelow(double value, const Field& field) {
    return field.min != Field::kNoMin && value < static_cast<double>(field.min);
}
bool isAbove(double value, const Field& field) {
    return field.max != Field::kNoMax && value > static_cast<double>(field.max);
}

void addTypeError(const Setting& setting, SettingProblems& problems) {
    addError(problems, setting.field->name, "capture.field.wrong_type",
             {{"value", plainText(setting.value)}, {"type", std::string(typeText(setting.field->type))}});
}

void checkRange(const Setting& setting, double value, SettingProblems& problems) {
    if (!isBelow(value, *setting.field) && !isAbove(value, *setting.field)) return;
    addError(problems, setting.field->name, "capture.field.out_of_range",
             {{"value", plainText(setting.value)}, {"range", rangeText(*setting.field)}});
}

void checkWord(const Setting& setting, std::string_view word, SettingProblems& problems) {
    if (hasWord(setting.field->choices, word) && !word.empty()) return;
    addError(problems, setting.field->name, "capture.field.not_a_choice",
             {{"value", std::string(word)}, {"choices", std::string(setting.field->choices)}});
}

bool hasControlCharacter(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// The only paths that PathRule::Mindspore and PathRule::Torch take.
bool isPlainPath(std::string_view text) {
    static const QRegularExpression plain(QStringLiteral("\\A(?:[./_\\-\\s~0-9a-zA-Z]|[\\x{4e00}-\\x{9fa5}])*\\z"));
    return plain.match(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))).hasMatch();
}

void checkPath(const Setting& setting, std::string_view text, PathRule rule, SettingProblems& problems) {
    const Field& field = *setting.field;
    // Where a new configuration names one, the tool takes a folder of its own for an empty one.
    if (text.empty() && field.standard != R"("")") addError(problems, field.name, "capture.field.empty_path");
    switch (rule) {
    case PathRule::Cann:
        if (text.find_first_of(kRefusedByCann) != std::string_view::npos)
            addError(problems, field.name, "capture.field.path_characters");
        return;
    case PathRule::Mindspore:
        if (!isPlainPath(text)) addError(problems, field.name, "capture.field.path_not_plain");
        return;
    case PathRule::Torch:
        if (!isPlainPath(text)) addWarning(problems, field.name, "capture.field.path_maybe_refused");
        return;
    }
}

void checkText(const Setting& setting, std::string_view text, PathRule rule, SettingProblems& problems) {
    const Field& field = *setting.field;
    if (text.size() > kMaxTextBytes || hasControlCharacter(text)) {
        addError(problems, field.name, "capture.field.text_characters");
        return;
    }
    if (field.type == FieldType::Path) checkPath(setting, text, rule, problems);
}

bool isList(FieldType type) {
    return type == FieldType::IntegerList || type == FieldType::ChoiceList || type == FieldType::TextList;
}

void checkList(const Setting& setting, PathRule rule, SettingProblems& problems) {
    const Field& field = *setting.field;
    if (!isList(field.type)) return addTypeError(setting, problems);
    if (const auto* integers = std::get_if<Integers>(&setting.value)) {
        if (field.type != FieldType::IntegerList) return addTypeError(setting, problems);
        for (const std::int64_t number : *integers) checkRange(setting, static_cast<double>(number), problems);
        return;
    }
    const auto& texts = std::get<Texts>(setting.value);
    if (field.type == FieldType::IntegerList && !texts.empty()) return addTypeError(setting, problems);
    for (const std::string& text : texts) {
        if (field.type == FieldType::ChoiceList) checkWord(setting, text, problems);
        else checkText(setting, text, rule, problems);
    }
}

void checkScalar(const Setting& setting, PathRule rule, SettingProblems& problems) {
    const Field& field = *setting.field;
    const auto* text = std::get_if<std::string>(&setting.value);
    switch (field.type) {
    case FieldType::Bool:
        if (!std::holds_alternative<bool>(setting.value)) addTypeError(setting, problems);
        return;
    case FieldType::Integer:
    case FieldType::Number:
        if (const auto* whole = std::get_if<std::int64_t>(&setting.value)) {
            return checkRange(setting, static_cast<double>(*whole), problems);
        }
        if (const auto* real = std::get_if<double>(&setting.value);
            real != nullptr && field.type == FieldType::Number) {
            return checkRange(setting, *real, problems);
        }
        return addTypeError(setting, problems);
    case FieldType::Choice:
    case FieldType::ChoiceList:  // one word instead of a list
        if (text == nullptr) return addTypeError(setting, problems);
        return checkWord(setting, *text, problems);
    case FieldType::IntegerList:
        if (text == nullptr || !hasWord(field.choices, *text)) addTypeError(setting, problems);
        return;
    case FieldType::Text:
    case FieldType::Path:
        if (text == nullptr) return addTypeError(setting, problems);
        return checkText(setting, *text, rule, problems);
    case FieldType::Object:
        if (!std::holds_alternative<JsonObject>(setting.value)) addTypeError(setting, problems);
        return;
    case FieldType::TextList: return addTypeError(setting, problems);
    }
}

void checkSetting(const Setting& setting, const Settings& settings, SettingProblems& problems) {
    const Field& field = *setting.field;
    const std::size_t before = problems.size();
    if (std::holds_alternative<std::monostate>(setting.value)) {
        if (!field.nullable) addTypeError(setting, problems);
    } else if (std::holds_alternative<Integers>(setting.value) || std::holds_alternative<Texts>(setting.value)) {
        checkList(setting, settings.method().paths, problems);
    } else {
        checkScalar(setting, settings.method().paths, problems);
    }
    if (problems.size() != before) return;
    const Value standard = *valueOfJson(field.standard);
    if (field.fixed && !sameValue(setting.value, standard)) {
        return addError(problems, field.name, "capture.field.fixed", {{"value", plainText(standard)}});
    }
    if (setting.origin == SettingOrigin::Standard || sameValue(setting.value, standard) ||
        holds(field.applies, settings))
        return;
    const MessageParameters condition{{"condition", std::string(field.applies)}};
    if (setting.origin == SettingOrigin::User)
        addError(problems, field.name, "capture.field.not_applicable", condition);
    else addWarning(problems, field.name, "capture.field.not_applicable", condition);
}

/// Flavour of the tool that the user names, else the method's first choice.
std::string chosenVariant(const Method& method, const std::vector<Assignment>& assignments) {
    if (method.variantField.empty()) return {};
    for (auto given = assignments.rbegin(); given != assignments.rend(); ++given) {
        if (given->first == method.variantField) return given->second;
    }
    const auto field = std::find_if(method.fields.begin(), method.fields.end(),
                                    [&](const Field& row) { return row.name == method.variantField; });
    return plainText(*valueOfJson(field->standard));
}

}  // namespace

const Method& flavourOf(const Method& method, const std::vector<Assignment>& assignments) {
    return flavourOf(method, chosenVariant(method, assignments));
}

Settings makeSettings(const Method& method, const std::vector<Assignment>& assignments, const std::string* fileText,
                      SettingProblems& problems) {
    Settings settings(method, chosenVariant(method, assignments));
    if (fileText != nullptr) readConfigFile(*fileText, settings, problems);
    for (const Setting& setting : settings.all()) {
        if (setting.field->fixed)
            settings.set(setting.field->name, *valueOfJson(setting.field->standard), SettingOrigin::User);
    }
    if (method.adopt != nullptr) method.adopt(settings);
    for (const auto& [name, text] : assignments) {
        const Setting* setting = settings.find(name);
        if (setting != nullptr) settings.set(name, valueOfText(*setting->field, text), SettingOrigin::User);
        else addError(problems, name, "capture.field.unknown", {{"method", std::string(method.name)}});
    }
    return settings;
}

void validate(const Settings& settings, SettingProblems& problems) {
    // A service has taken what is in its file, and has standard values of its own for what it does not expect.
    const bool isLenient = settings.method().watchedBy == JobFramework::Service;
    for (const Setting& setting : settings.all()) {
        const std::size_t before = problems.size();
        checkSetting(setting, settings, problems);
        if (!isLenient || setting.origin != SettingOrigin::File) continue;
        for (std::size_t i = before; i < problems.size(); ++i) problems[i].severity = ProblemLevel::Warning;
    }
    if (settings.method().check != nullptr) settings.method().check(settings, problems);
}

bool hasErrors(const SettingProblems& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const SettingProblem& problem) { return problem.severity == ProblemLevel::Error; });
}

std::string problemSentence(const SettingProblem& problem, std::string_view language) {
    MessageParameters parameters = problem.parameters;
    for (auto& [name, value] : parameters) {
        if (name == "condition") value = conditionText(value, language);
    }
    parameters.emplace_back("field", problem.field);
    return catalogueText(problem.code, language, parameters);
}

std::string problemText(const SettingProblem& problem, std::string_view language) {
    const std::string sentence = problemSentence(problem, language);
    return problem.field.empty() ? sentence : problem.field + ": " + sentence;
}

}  // namespace altiscope::capture
