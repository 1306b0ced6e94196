#include "core/capture/methods/conditions.h"

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

}  // namespace

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
