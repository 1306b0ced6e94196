#pragma once

#include "core/base/values/time.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace altiscope {

/// The integer that a text spells from its first to its last character; nullopt for anything else, or beyond the type.
template <class Integer = std::int64_t>
std::optional<Integer> wholeNumber(std::string_view text) {
    Integer value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "START..END" in ns of the trace's clock, as the programs' --range takes it; nullopt if it is none or is empty.
inline std::optional<TimeRange> timeRangeOf(std::string_view text) {
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto begin = wholeNumber(text.substr(0, dots)), end = wholeNumber(text.substr(dots + 2));
    if (!begin || !end || *begin >= *end || !isTraceTime(*begin) || !isTraceTime(*end)) return std::nullopt;
    return TimeRange{{*begin}, {*end}};
}

/// The text without what it has of `blanks` at either end.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
    const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// The last line of a text, whatever line ends come after it.
inline std::string_view lastLine(std::string_view text) {
    text = text.substr(0, text.find_last_not_of("\r\n") + 1);
    return text.substr(text.rfind('\n') + 1);
}

/// The name of a file without its folders: what follows the last '/'.
inline std::string_view lastPathPart(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "a,b" -> a, b; an empty text is one empty word. They point into the text.
inline std::vector<std::string_view> commaWords(std::string_view list) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        words.push_back(list.substr(at, comma - at));
        at = comma + 1;
    }
    return words;
}

/// "4-7, 0,2" -> 0, 2, 4, 5, 6, 7: numbers from 0 on, ascending and each once; none for an empty text. nullopt for
/// anything else, and for more than 2^20 numbers.
inline std::optional<std::vector<std::int64_t>> numbersOf(std::string_view list) {
    static constexpr std::size_t kMaxNumbers = std::size_t{1} << 20;
    static constexpr std::string_view kBlanks = " \t";
    std::vector<std::int64_t> numbers;
    if (trimmed(list, kBlanks).empty()) return numbers;
    for (const std::string_view part : commaWords(list)) {
        const std::size_t dash = part.find('-');
        const auto first = wholeNumber<std::uint32_t>(trimmed(part.substr(0, dash), kBlanks));
        const auto last =
            dash == part.npos ? first : wholeNumber<std::uint32_t>(trimmed(part.substr(dash + 1), kBlanks));
        if (!first || !last || *last < *first || *last - *first >= kMaxNumbers - numbers.size()) return std::nullopt;
        for (std::int64_t number = *first; number <= *last; ++number) numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

/// Numbers as ranges: "0-3, 8", which numbersOf() reads. @pre They ascend.
inline std::string numberRanges(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
        if (end - i > 1) text += (end - i > 2 ? "-" : ", ") + std::to_string(numbers[end - 1]);
        i = end;
    }
    return text;
}

}  // namespace altiscope
