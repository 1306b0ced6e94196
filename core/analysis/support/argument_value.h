#pragma once

#include <string_view>

namespace altiscope {

/// The value after a key of flat JSON as it is written, a text without its quotes; empty if the key is not there. A
/// quote within a text is escaped, so a key in quotes without a backslash before it is found as a key alone.
/// @param quotedKey  "\"connection_id\""
inline std::string_view valueAfter(std::string_view json, std::string_view quotedKey) {
    std::size_t at = json.find(quotedKey);
    while (at != std::string_view::npos && at > 0 && json[at - 1] == '\\') at = json.find(quotedKey, at + 1);
    if (at == std::string_view::npos) return {};
    json.remove_prefix(at + quotedKey.size());
    const std::size_t begin = json.find_first_not_of(" \t\r\n:");
    if (begin == std::string_view::npos) return {};
    json.remove_prefix(begin);
    if (json.starts_with('"')) return json.substr(1, json.find('"', 1) - 1);
    return json.substr(0, json.find_first_of(" \t\r\n,}"));
}

}  // namespace altiscope
