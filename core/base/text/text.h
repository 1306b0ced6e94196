#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace altiscope {

/// True if `text` is well-formed UTF-8.
bool isValidUtf8(std::string_view text);

/// The text with each byte that belongs to no well-formed UTF-8 sequence replaced by U+FFFD.
std::string repairedUtf8(std::string_view text);

/// The text as a JSON string literal, quotes included; control characters escaped, UTF-8 kept, bad bytes as
/// repairedUtf8().
std::string jsonQuoted(std::string_view text);

/// Shortest decimal text that reads back as the same double: "0.1", "1e+300", "5". NaN and infinities give "null".
std::string shortestNumber(double value);

/// Length of a slice of UTF-8 text that is at most `maxBytes` long and cuts no character.
std::size_t utf8Prefix(std::string_view text, std::size_t maxBytes);

/// As ==, for loops over many texts, in which that of two views is a call that asks for their order.
inline bool isSame(std::string_view a, std::string_view b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// Order for people: runs of digits compare as numbers ("Stream 2" before "Stream 10"), the rest bytewise.
/// @return Negative, zero or positive. Zero only for equal texts.
int naturalCompare(std::string_view a, std::string_view b);

}  // namespace altiscope
