#pragma once

#include "core/base/text/ascii.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// How many bytes must be changed, put in or left out to make one of the other (Levenshtein), without regard to case of
/// ASCII; `most` if it is as many or more. Pure; any thread; O(length * length).
inline std::size_t changesBetween(std::string_view a, std::string_view b, std::size_t most) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= most) return most;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (asciiLower(a[i]) == asciiLower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return std::min(most, row.back());
}

/// Fewer changes than this make a word that may have been meant: half of it may be wrong, and two bytes.
inline std::size_t changesToMean(std::string_view word) {
    constexpr std::size_t kMost = 3;
    return std::min(kMost, (word.size() + 1) / 2 + 1);
}

}  // namespace altiscope
