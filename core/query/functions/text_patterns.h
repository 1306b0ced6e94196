#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// The two operators of SQLite that compare a text with a pattern.
enum class PatternKind : std::uint8_t { Like, Glob };

/// Whether a text matches a pattern of LIKE or GLOB, with the results of SQLite: both are read up to the first NUL,
/// LIKE takes ASCII letters of either case as equal. What SQLite's own functions cannot be stopped in, long texts with
/// many wildcards, is compared here, with looks at the token.
/// @param escape  LIKE's character that makes the one after it a plain one; 0: none.
/// @return nullopt if cancelled (within some ms). O(pattern * text) at worst.
std::optional<bool> matchesPattern(PatternKind kind, const char* pattern, const char* text, std::uint32_t escape,
                                   const CancelToken& cancel);

/// Takes one character off the front, as SQLite reads UTF-8: any lead byte with all continuation bytes after it; what
/// is no character is U+FFFD. 0 at the end.
std::uint32_t takeSqliteChar(std::string_view& text);

}  // namespace altiscope
