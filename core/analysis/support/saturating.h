#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace altiscope {

// Sums of what files say. No recording comes near the border of the type, but hostile files do: there a sum stays at
// the border.

/// a + b, or the border of the type where that does not fit.
constexpr std::int64_t saturatedSum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return b < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// a - b, or the border of the type where that does not fit.
constexpr std::int64_t saturatedDifference(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return b < 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// The nearest integer; sums of doubles need not fit.
inline std::int64_t saturatedRound(double value) {
    constexpr double kBorder = 9.2e18;  // the largest double that fits is a little above
    if (!(value > -kBorder)) return std::numeric_limits<std::int64_t>::min();
    return value < kBorder ? std::int64_t{std::llround(value)} : std::numeric_limits<std::int64_t>::max();
}

constexpr void addSaturated(std::int64_t& sum, std::int64_t value) { sum = saturatedSum(sum, value); }

}  // namespace altiscope
