#pragma once

#include <string>
#include <string_view>

namespace altiscope {

/// The letters A to Z in lower case; every other byte, those of UTF-8 among them, stays.
constexpr char asciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string asciiLower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = asciiLower(c);
    return lower;
}

}  // namespace altiscope
