#include "app/cli/number_list.h"

#include "core/base/parse.h"

#include <algorithm>

namespace altiscope::cli {

std::vector<std::string> wordsOf(std::string_view list) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        words.emplace_back(list.substr(at, comma - at));
        at = comma + 1;
    }
    return words;
}

std::optional<std::vector<std::int64_t>> numbersOf(std::string_view list) {
    static constexpr std::int64_t kMostNumbers = 1'000'000;
    std::vector<std::int64_t> numbers;
    for (const std::string& part : wordsOf(list)) {
        const auto dash = part.find('-', 1);
        const auto first = wholeNumber(std::string_view(part).substr(0, dash));
        const auto last = dash == std::string::npos ? first : wholeNumber(std::string_view(part).substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first > kMostNumbers) return std::nullopt;
        for (std::int64_t number = *first; number <= *last; ++number) numbers.push_back(number);
    }
    return numbers;
}

}  // namespace altiscope::cli
