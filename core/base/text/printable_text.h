#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

/// The text as one line that is safe on a terminal: what a terminal obeys is shown as an escape, that is control
/// characters (\n, \t, \x1b), and characters that turn the direction of what follows or hide in it (\u202e), and marks
/// on a letter beyond three, which would cover the lines around it; bad UTF-8 as U+FFFD. For people only: texts differ
/// that look the same.
std::string printableText(std::string_view text);

/// Takes one character off the front of text, which must be valid UTF-8 and not empty.
std::uint32_t takeUtf8Char(std::string_view& text);

}  // namespace altiscope
