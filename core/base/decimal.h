#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// The integer nearest to a decimal text (optional sign, digits, optional fraction, optional exponent; nothing else) times
/// `factor`; exact halves go up. Never goes through a double. Significant digits beyond the nineteenth are ignored.
/// @param factor  1 to 10^12.
/// @return nullopt if the text is no such number, or the result lies outside +-2^62.
std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t factor);

/// The double nearest to a decimal text times 10^shift.
/// @param shift  -12 to 12.
/// @return nullopt if the text is no decimal number ("nan" and "inf" are none), or it is too large for a double.
std::optional<double> parseReal(std::string_view text, int shift = 0);

/// A number in the form that nearly all have, "0.082" or "1764246877073569.640", found at the front of a longer text.
struct PlainDecimal {
    std::uint64_t digits = 0;    ///< All digits as one integer: value = digits / 10^fraction.
    int fraction = 0;
    const char* end = nullptr;   ///< Behind the last character; null if there is no such number.
};

/// Digits, at most nineteen, with a point among or without; what follows is the caller's to judge. No sign, no exponent: those and
/// longer numbers are for the functions above, which this agrees with.
inline PlainDecimal plainDecimal(const char* at, const char* end) {
    static constexpr int kDigits = 19;  // any of so many fit
    PlainDecimal number;
    const char* const first = at;
    unsigned digit = 0;
    for (; at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at) number.digits = number.digits * 10 + digit;
    const auto whole = at - first;
    if (whole == 0) return {};
    if (at != end && *at == '.') {
        const char* const point = ++at;
        for (; at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at) number.digits = number.digits * 10 + digit;
        number.fraction = static_cast<int>(std::min<std::ptrdiff_t>(at - point, kDigits + 1));
        if (number.fraction == 0) return {};
    }
    if (whole + number.fraction > kDigits) return {};
    number.end = at;
    return number;
}

/// parseScaled of such a number where 64 bits are enough; nullopt says nothing.
std::optional<std::int64_t> plainScaled(const PlainDecimal& number, std::int64_t factor);

/// parseReal of such a number where both parts of it are exact doubles; nullopt says nothing.
inline std::optional<double> plainReal(const PlainDecimal& number, int shift) {
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number.digits == 0) return 0.0;
    const int exponent = shift - number.fraction;
    if (number.digits >= std::uint64_t{1} << 53 || exponent < -22 || exponent > 22) return std::nullopt;
    // One rounding of exact operands gives the nearest double.
    const auto digits = static_cast<double>(number.digits);
    return exponent < 0 ? digits / kPowers[-exponent] : digits * kPowers[exponent];
}

}  // namespace altiscope
