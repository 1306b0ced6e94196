#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

namespace altiscope {

/// The integer nearest to a decimal text (optional sign, digits, optional fraction, optional exponent; nothing else)
/// times `factor`; exact halves go up. Never goes through a double. Significant digits beyond the nineteenth are
/// ignored.
/// @param factor  1 to 10^12.
/// @return nullopt if the text is no such number, or the result lies outside +-2^62.
std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t factor);

/// The double nearest to a decimal text times 10^shift.
/// @param shift  -12 to 12.
/// @return nullopt if the text is no decimal number ("nan" and "inf" are none), or it is too large for a double.
std::optional<double> parseReal(std::string_view text, int shift = 0);

/// A number in the form that nearly all have, "0.082" or "1764246877073569.640", found at the front of a longer text.
struct PlainDecimal {
    std::uint64_t digits = 0;  ///< All digits as one integer: value = digits / 10^fraction.
    int fraction = 0;
    const char* end = nullptr;  ///< After the last character; null if there is no such number.
};

namespace detail {

/// Flags, in the highest bit of each, the bytes of eight characters that are no digits.
inline std::uint64_t nonDigits(std::uint64_t eight) {
    const std::uint64_t distance = eight ^ 0x3030303030303030U;
    return (((distance & 0x7f7f7f7f7f7f7f7fU) + 0x7676767676767676U) | distance) & 0x8080808080808080U;
}

/// The number that eight digits are, the first of them in the lowest byte.
inline std::uint64_t eightDigits(std::uint64_t eight) {
    eight -= 0x3030303030303030U;
    eight = eight * 10 + (eight >> 8);
    return ((eight & 0x000000ff000000ffU) * 0x000f424000000064U +
            ((eight >> 16) & 0x000000ff000000ffU) * 0x0000271000000001U) >>
           32;
}

/// A number of which the end is among eight characters; `number` stays as it is if there is none.
/// Without loops: lengths change from cell to cell, and a wrongly foreseen end costs more than all of this.
inline void readShortDecimal(const char* at, PlainDecimal& number) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, at, sizeof eight);
    const std::uint64_t flags = nonDigits(eight);
    const int whole = std::countr_zero(flags) & ~7;  // bits
    if (whole == 0 || whole == 64) return;
    int end = whole, bits = whole;
    if (((eight >> whole) & 0xffU) == '.') {
        end = std::countr_zero(flags & (flags - 1)) & ~7;
        if (end == 64 || end == whole + 8) return;
        const std::uint64_t before = (std::uint64_t{1} << whole) - 1;
        eight = (eight & before) | ((eight >> 8) & ~before);
        bits = end - 8;
        number.fraction = (bits - whole) / 8;
    }
    // Zeros in front fill up to eight digits.
    number.digits = eightDigits((eight << (64 - bits)) | (0x3030303030303030U >> bits));
    number.end = at + end / 8;
}

}  // namespace detail

/// Digits, at most nineteen, with a point among or without; what follows is the caller's to judge. No sign, no
/// exponent: those and longer numbers are for the functions above, which this agrees with.
inline PlainDecimal plainDecimal(const char* at, const char* end) {
    static constexpr int kDigits = 19;  // any of so many fit
    PlainDecimal number;
    if constexpr (std::endian::native == std::endian::little) {
        if (end - at >= 8) detail::readShortDecimal(at, number);
        if (number.end != nullptr) return number;
    }
    const char* const first = at;
    unsigned digit = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (std::uint64_t eight = 0; end - at >= 8; at += 8) {
            std::memcpy(&eight, at, sizeof eight);
            if (detail::nonDigits(eight) != 0) break;
            number.digits = number.digits * 100'000'000 + detail::eightDigits(eight);
        }
    }
    for (; at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at)
        number.digits = number.digits * 10 + digit;
    const auto whole = at - first;
    if (whole == 0) return {};
    if (at != end && *at == '.') {
        const char* const point = ++at;
        for (; at != end && (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at)
            number.digits = number.digits * 10 + digit;
        number.fraction = static_cast<int>(std::min<std::ptrdiff_t>(at - point, kDigits + 1));
        if (number.fraction == 0) return {};
    }
    if (whole + number.fraction > kDigits) return {};
    number.end = at;
    return number;
}

/// Values of parseScaled lie between this and its negative.
inline constexpr std::int64_t kScaledLimit = std::int64_t{1} << 62;

/// parseScaled of such a number where 64 bits are enough; below 0 it says nothing. No optional: one of an integer is
/// written in two pieces and copied as one, which takes a processor longer than all else here.
inline std::int64_t plainScaled(const PlainDecimal& number, std::int64_t factor) {
    static constexpr std::int64_t kPowers[] = {1,       10,        100,        1000,        10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    static constexpr std::int64_t kNothing = -1;
    if (number.fraction >= static_cast<int>(std::size(kPowers)) ||
        number.digits > static_cast<std::uint64_t>(kScaledLimit))
        return kNothing;
    const auto digits = static_cast<std::int64_t>(number.digits);
    const std::int64_t power = kPowers[number.fraction];
    if (power == factor) return digits;
    if (power > factor && power % factor == 0) {
        const std::int64_t divisor = power / factor;
        // Halves go up.
        return digits / divisor + (digits % divisor * 2 >= divisor ? 1 : 0);
    }
    std::int64_t value = 0;
    const bool isWhole = power == 1 || factor % power == 0;
    if (__builtin_mul_overflow(digits, power == 1 || !isWhole ? factor : factor / power, &value)) return kNothing;
    if (!isWhole) {
        // 0.1 MB in bytes. Halves go up.
        if (__builtin_add_overflow(value, power / 2, &value)) return kNothing;
        value /= power;
    }
    return value > kScaledLimit ? kNothing : value;
}

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
