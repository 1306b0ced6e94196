#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace altiscope {

/// Columns that a text takes on a terminal: Chinese, Japanese and Korean characters and emoji take two, combining marks
/// none. Does not depend on the locale.
/// @param text  Valid UTF-8 without control characters.
std::size_t textWidth(std::string_view text);

/// The text as one line that is safe on a terminal: control characters and those that turn the direction of
/// writing as escapes (\n, \t, \x1b, \u202e), bad UTF-8 as U+FFFD.
std::string printableText(std::string_view text);

}  // namespace altiscope
