#include "core/base/values/time.h"

#include "core/base/values/digits.h"

namespace altiscope {

namespace {

/// Digits of a decimal number without its point, and how many of them stand after the point.
struct Decimal {
    std::string_view whole;
    std::string_view fraction;
    std::int64_t exponent = 0;
    bool negative = false;
};

std::optional<Decimal> splitDecimal(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n'))
        text.remove_suffix(1);
    Decimal number;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    std::size_t i = 0;
    while (i < text.size() && isDigit(text[i])) ++i;
    number.whole = text.substr(0, i);
    if (i < text.size() && text[i] == '.') {
        const std::size_t start = ++i;
        while (i < text.size() && isDigit(text[i])) ++i;
        number.fraction = text.substr(start, i - start);
    }
    if (number.whole.empty() && number.fraction.empty()) return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        bool negative = false;
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
        if (i == text.size()) return std::nullopt;
        for (; i < text.size() && isDigit(text[i]); ++i) {
            // Exponents beyond this mean 0 or overflow whatever their further digits are.
            if (number.exponent < 100000) number.exponent = number.exponent * 10 + (text[i] - '0');
        }
        if (negative) number.exponent = -number.exponent;
    }
    if (i != text.size()) return std::nullopt;
    return number;
}

/// The form of nearly all stamps, "1736408883688177.930": up to 16 digits and up to three after the point.
std::optional<std::int64_t> parsePlain(std::string_view text) {
    static constexpr std::size_t kWhole = 16;
    std::size_t i = 0;
    std::uint64_t value = 0;  // holds any 19 digits
    const auto append = [&value](char digit) { value = value * 10 + static_cast<unsigned>(digit - '0'); };
    while (i < text.size() && i < kWhole && isDigit(text[i])) append(text[i++]);
    if (i == 0) return std::nullopt;
    int missing = 3;
    if (i < text.size() && text[i] == '.') {
        for (++i; missing > 0 && i < text.size() && isDigit(text[i]); --missing) append(text[i++]);
        if (missing == 3) return std::nullopt;
    }
    if (i != text.size()) return std::nullopt;
    for (; missing > 0; --missing) value *= 10;
    if (value > static_cast<std::uint64_t>(kMaxTimeNs)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<std::int64_t> parseMicrosecondsAsNs(std::string_view text) {
    if (const auto plain = parsePlain(text)) return plain;
    const std::optional<Decimal> number = splitDecimal(text);
    if (!number) return std::nullopt;

    // Digit i counts from the first one of `whole`; the result keeps the digits before `kept`, and digit `kept` rounds.
    const auto wholeDigits = static_cast<std::int64_t>(number->whole.size());
    const auto allDigits = wholeDigits + static_cast<std::int64_t>(number->fraction.size());
    const std::int64_t kept = wholeDigits + 3 + number->exponent;
    const auto digitAt = [&](std::int64_t i) -> std::int64_t {
        if (i < 0 || i >= allDigits) return 0;
        const char c = i < wholeDigits ? number->whole[static_cast<std::size_t>(i)]
                                       : number->fraction[static_cast<std::size_t>(i - wholeDigits)];
        return c - '0';
    };

    std::int64_t value = 0;
    for (std::int64_t i = 0; i < kept; ++i) {
        if (i >= allDigits && value == 0) break;
        // Tested before: ten times the limit does not fit.
        if (value > kMaxTimeNs / 10) return std::nullopt;
        value = value * 10 + digitAt(i);
        if (value > kMaxTimeNs) return std::nullopt;
    }
    if (number->negative) {
        // Halves go up, towards positive: -0.5 becomes 0, -0.51 becomes -1.
        bool moreThanHalf = kept >= 0 && digitAt(kept) > 5;
        if (kept >= 0 && digitAt(kept) == 5) {
            for (std::int64_t i = kept + 1; i < allDigits && !moreThanHalf; ++i) moreThanHalf = digitAt(i) != 0;
        }
        if (moreThanHalf) ++value;
    } else if (kept >= 0 && digitAt(kept) >= 5) {
        ++value;
    }
    if (value > kMaxTimeNs) return std::nullopt;
    return number->negative ? -value : value;
}

}  // namespace altiscope
