#include "core/capture/methods/conditions.h"

#include "core/base/text/catalogue.h"

#include <utility>

namespace altiscope::capture {

namespace {

bool partHolds(std::string_view part, const Settings& settings) {
    constexpr std::string_view kOr = " or ";
    if (const auto end = part.find(kOr); end != std::string_view::npos)
        return partHolds(part.substr(0, end), settings) || partHolds(part.substr(end + kOr.size()), settings);
    if (const auto has = part.find(" has "); has != std::string_view::npos) {
        return settings.has(part.substr(0, has), part.substr(has + 5));
    }
    if (const auto differs = part.find("!="); differs != std::string_view::npos) {
        return settings.text(part.substr(0, differs)) != part.substr(differs + 2);
    }
    if (const auto equals = part.find('='); equals != std::string_view::npos) {
        return settings.text(part.substr(0, equals)) == part.substr(equals + 1);
    }
    constexpr std::string_view kNot = "not ";
    if (part.starts_with(kNot)) return !settings.isOn(part.substr(kNot.size()));
    return settings.isOn(part);
}

std::string partText(const char* code, std::string_view name, std::string_view value, std::string_view language) {
    return catalogueText(code, language, {{"name", std::string(name)}, {"value", std::string(value)}});
}

}  // namespace

std::string conditionText(std::string_view condition, std::string_view language) {
    static constexpr std::pair<std::string_view, const char*> kJoints[] = {{" and ", "capture.condition.and"},
                                                                           {" or ", "capture.condition.or"}};
    for (const auto& [joint, code] : kJoints) {
        const auto at = condition.find(joint);
        if (at == std::string_view::npos) continue;
        return catalogueText(code, language,
                             {{"first", conditionText(condition.substr(0, at), language)},
                              {"second", conditionText(condition.substr(at + joint.size()), language)}});
    }
    static constexpr std::pair<std::string_view, const char*> kRelations[] = {
        {" has ", "capture.condition.has"}, {"!=", "capture.condition.differs"}, {"=", "capture.condition.is"}};
    for (const auto& [relation, code] : kRelations) {
        const auto at = condition.find(relation);
        if (at == std::string_view::npos) continue;
        const std::string_view name = condition.substr(0, at), value = condition.substr(at + relation.size());
        return partText(value.empty() ? "capture.condition.given" : code, name, value, language);
    }
    constexpr std::string_view kNot = "not ";
    if (condition.starts_with(kNot))
        return partText("capture.condition.off", condition.substr(kNot.size()), {}, language);
    return partText("capture.condition.on", condition, {}, language);
}

bool holds(std::string_view condition, const Settings& settings) {
    constexpr std::string_view kAnd = " and ";
    while (!condition.empty()) {
        const auto end = condition.find(kAnd);
        if (!partHolds(condition.substr(0, end), settings)) return false;
        condition = end == std::string_view::npos ? std::string_view() : condition.substr(end + kAnd.size());
    }
    return true;
}

bool hasWord(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const auto end = words.find(' ');
        if (words.substr(0, end) == word) return true;
        words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
    }
    return false;
}

}  // namespace altiscope::capture
