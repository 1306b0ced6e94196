#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::cli {

/// "a,b" -> a, b; an empty text is one empty word.
std::vector<std::string> wordsOf(std::string_view list);

/// "0,2,4-7" -> 0, 2, 4, 5, 6, 7; nullopt for anything else, and for more than a million numbers at once.
std::optional<std::vector<std::int64_t>> numbersOf(std::string_view list);

}  // namespace altiscope::cli
