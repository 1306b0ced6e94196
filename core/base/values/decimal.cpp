#include "core/base/values/decimal.h"

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace altiscope {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kDigits = 19;

/// mantissa * 10^exponent.
struct DecimalParts {
    std::uint64_t mantissa = 0;
    std::int64_t exponent = 0;
    bool negative = false;
    bool isCut = false;  ///< There were more digits than the mantissa holds.
};

bool digit(char c) { return c >= '0' && c <= '9'; }

std::optional<DecimalParts> decimalParts(std::string_view text) {
    DecimalParts parts;
    std::size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) parts.negative = text[i++] == '-';
    int digits = 0;
    bool anyDigit = false;
    bool afterPoint = false;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !afterPoint) {
            afterPoint = true;
            continue;
        }
        if (!digit(text[i])) break;
        anyDigit = true;
        if (digits < kDigits) {
            parts.mantissa = parts.mantissa * 10 + static_cast<unsigned>(text[i] - '0');
            if (parts.mantissa != 0) ++digits;
            if (afterPoint) --parts.exponent;
        } else {
            parts.isCut = true;
            if (!afterPoint) ++parts.exponent;
        }
    }
    if (!anyDigit) return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        bool negative = false;
        if (++i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
        if (i == text.size()) return std::nullopt;
        std::int64_t exponent = 0;
        // Exponents beyond this mean 0 or overflow whatever their further digits are.
        for (; i < text.size() && digit(text[i]); ++i)
            exponent = exponent < 100000 ? exponent * 10 + (text[i] - '0') : exponent;
        parts.exponent += negative ? -exponent : exponent;
    }
    if (i != text.size()) return std::nullopt;
    return parts;
}

}  // namespace

std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t factor) {
    const PlainDecimal plain = plainDecimal(text.data(), text.data() + text.size());
    if (plain.end != nullptr && plain.end == text.data() + text.size()) {
        if (const auto value = plainScaled(plain, factor); value >= 0) return value;
    }
    const auto parts = decimalParts(text);
    if (!parts) return std::nullopt;
    if (parts->mantissa == 0) return 0;
    Wide value = Wide{parts->mantissa} * static_cast<std::uint64_t>(factor);  // below 10^31
    std::int64_t exponent = parts->exponent;
    for (; exponent > 0; --exponent) {
        value *= 10;
        if (value > static_cast<std::uint64_t>(kScaledLimit)) return std::nullopt;
    }
    if (exponent < -32) return 0;
    Wide divisor = 1;
    for (; exponent < 0; ++exponent) divisor *= 10;
    const Wide rest = value % divisor;
    value /= divisor;
    // Halves go towards positive.
    const bool roundsAway = parts->negative ? rest * 2 > divisor : rest * 2 >= divisor;
    if (divisor > 1 && roundsAway) ++value;
    if (value > static_cast<std::uint64_t>(kScaledLimit)) return std::nullopt;
    const auto result = static_cast<std::int64_t>(value);
    return parts->negative ? -result : result;
}

std::optional<double> parseReal(std::string_view text, int shift) {
    const PlainDecimal plain = plainDecimal(text.data(), text.data() + text.size());
    if (plain.end != nullptr && plain.end == text.data() + text.size()) {
        if (const auto value = plainReal(plain, shift)) return value;
    }
    const auto parts = decimalParts(text);
    if (!parts) return std::nullopt;
    if (parts->mantissa == 0) return 0.0;
    const std::int64_t exponent = parts->exponent + shift;
    static constexpr int kMaxExponent = 100;
    if (!parts->isCut && exponent >= -kMaxExponent && exponent <= kMaxExponent) {
        if (const auto value = plainReal({parts->mantissa, 0, nullptr}, static_cast<int>(exponent)))
            return parts->negative ? -*value : *value;
    }
    std::string shifted(text);
    if (!shifted.empty() && shifted.front() == '+') shifted.erase(0, 1);
    if (shift != 0) {
        const auto e = shifted.find_first_of("eE");
        const std::int64_t own = parts->exponent - decimalParts(std::string_view(shifted).substr(0, e))->exponent;
        shifted = shifted.substr(0, e) + 'e' + std::to_string(own + shift);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
    if (error == std::errc::result_out_of_range) {
        // Too small is 0, too large is none.
        return exponent < 0 ? std::optional(0.0) : std::nullopt;
    }
    if (error != std::errc() || end != shifted.data() + shifted.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace altiscope
