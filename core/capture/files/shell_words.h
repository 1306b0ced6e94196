#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope::capture {

/// A word as a POSIX shell reads it back, whatever it holds; quoted only if it must be.
std::string shellQuoted(std::string_view word);

/// Words of a command, quoted, with spaces between.
std::string shellCommand(std::span<const std::string> words);

}  // namespace altiscope::capture
