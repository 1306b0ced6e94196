#pragma once

#include "core/base/time.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

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
    if (!begin || !end || *begin >= *end || *begin < -kMaxTimeNs || *end > kMaxTimeNs) return std::nullopt;
    return TimeRange{{*begin}, {*end}};
}

}  // namespace altiscope
