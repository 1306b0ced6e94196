#pragma once

#include <algorithm>
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

/// @param lower  In lower case.
inline bool startsWithIgnoringCase(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) { return a == asciiLower(b); });
}

/// Whether the texts differ in the case of ASCII letters at most.
inline bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return asciiLower(x) == asciiLower(y); });
}

}  // namespace altiscope
