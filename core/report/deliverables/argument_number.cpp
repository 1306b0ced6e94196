#include "core/report/deliverables/argument_number.h"

#include "core/base/json_escape.h"

#include <charconv>
#include <string>
#include <system_error>

#include <string.h>

namespace altiscope {

std::optional<std::int64_t> numberInArguments(std::string_view json, std::string_view key) {
    // A quote within a text has a backslash before it, so that this stands where a key does.
    const std::string wanted = '"' + std::string(key) + "\":";
    const void* found = ::memmem(json.data(), json.size(), wanted.data(), wanted.size());
    if (found == nullptr) return std::nullopt;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - json.data());
    const std::string_view rest = json.substr(at + wanted.size());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

void addSpacedJson(TextBuffer& out, std::string_view json) {
    bool isText = false;
    while (!json.empty()) {
        if (isText) {
            // Nearly all of a JSON is within its texts.
            const std::size_t plain = plainJsonBytes(json);
            out.add(json.substr(0, plain));
            json.remove_prefix(plain);
            if (json.empty()) return;
        }
        const char c = json.front();
        const std::size_t taken = isText && c == '\\' && json.size() > 1 ? 2 : 1;
        out.add(json.substr(0, taken));
        json.remove_prefix(taken);
        if (c == '"') isText = !isText;
        if (!isText && (c == ',' || c == ':')) out.add(' ');
    }
}

}  // namespace altiscope
