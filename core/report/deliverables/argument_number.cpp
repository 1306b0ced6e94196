#include "core/report/deliverables/argument_number.h"

#include <charconv>
#include <system_error>

namespace altiscope {

std::optional<std::int64_t> numberInArguments(std::string_view json, std::string_view key) {
    // A quote within a text has a backslash before it, so that this stands where a key does.
    const std::string wanted = '"' + std::string(key) + "\":";
    const std::size_t at = json.find(wanted);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = json.substr(at + wanted.size());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string spacedJson(std::string_view json) {
    std::string spaced;
    spaced.reserve(json.size() + json.size() / 8);
    bool isText = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        spaced += c;
        if (isText && c == '\\' && i + 1 < json.size()) {
            spaced += json[++i];
            continue;
        }
        if (c == '"') isText = !isText;
        if (!isText && (c == ',' || c == ':')) spaced += ' ';
    }
    return spaced;
}

}  // namespace altiscope
