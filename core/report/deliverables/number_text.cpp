#include "core/report/deliverables/number_text.h"

#include "core/base/values/decimal.h"

#include <charconv>
#include <cmath>

namespace altiscope {

std::string microsecondsText(std::int64_t ns) {
    // As TextBuffer writes it, without the memory of one: step times need one for each bar.
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    char text[32] = {'-'};
    char* begin = text + (ns < 0 ? 1 : 0);
    char* end = std::to_chars(begin, text + sizeof text, size / 1000).ptr;
    *end++ = '.';
    for (std::uint64_t unit = 100, rest = size % 1000; unit > 0; rest %= unit, unit /= 10)
        *end++ = static_cast<char>('0' + rest / unit);
    return std::string(text, end);
}

std::string timeCell(std::int64_t ns) { return microsecondsText(ns) + '\t'; }

std::string fixedText(double value, int decimals) {
    char text[352];
    return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr);
}

double roundedThousandths(double value) { return std::floor((value + value * 3e-16) * 1000 + 0.5); }

std::string databaseText(double value) {
    static constexpr int kDigits = 15;
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, kDigits).ptr;
    std::string digits(text, end);
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string roundedText(double value) { return databaseText(roundedThousandths(value) / 1000); }

std::string trimmedText(double value) {
    std::string text = fixedText(value, 3);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

double numberOf(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

double pythonRounded(double value) { return numberOf(fixedText(value, 3)); }

std::int64_t printedOffset(std::int64_t wall, std::int64_t monotonic) {
    // A product of 10^18 would keep 256 ns.
    return parseScaled(exactText(printedMicroseconds(wall) - printedMicroseconds(monotonic)), 1000).value_or(0);
}

double printedMicroseconds(std::int64_t ns) { return numberOf(microsecondsText(ns)); }

bool isPlainExact(double value) {
    // Python writes an exponent below 0.0001 and from 10^16 on.
    static constexpr double kSmallest = 1e-4, kMax = 1e16;
    const double size = std::abs(value);
    return size == 0 || (size >= kSmallest && size < kMax);
}

std::string exactText(double value) {
    char text[64];
    const bool isPlain = isPlainExact(value);
    const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
    std::string digits(text, std::to_chars(text, text + sizeof text, value, format).ptr);
    return isPlain && digits.find('.') == std::string::npos ? digits + ".0" : digits;
}

}  // namespace altiscope
