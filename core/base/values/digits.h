#pragma once

#include <string_view>

namespace altiscope {

/// "0" to "9".
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A digit or a letter of ASCII.
constexpr bool isAlnum(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// One digit or more, and nothing else.
constexpr bool isDigits(std::string_view text) {
    for (const char c : text) {
        if (!isDigit(c)) return false;
    }
    return !text.empty();
}

/// The hexadecimal digit of the lowest four bits: "0" to "f".
constexpr char hexDigit(unsigned value) { return "0123456789abcdef"[value & 15U]; }
/// The same, "0" to "F".
constexpr char capitalHexDigit(unsigned value) { return "0123456789ABCDEF"[value & 15U]; }

}  // namespace altiscope
