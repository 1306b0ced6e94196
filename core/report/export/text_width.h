#pragma once

#include <cstddef>
#include <string_view>

namespace altiscope {

/// Columns that a text takes on a terminal: Chinese, Japanese and Korean characters and emoji take two, combining marks
/// none. Does not depend on the locale.
/// @param text  Valid UTF-8 without control characters, see printableText().
std::size_t textWidth(std::string_view text);

}  // namespace altiscope
