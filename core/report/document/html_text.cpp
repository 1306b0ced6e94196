#include "core/report/document/html_text.h"

#include "core/analysis/support/saturating.h"
#include "core/base/printable_text.h"
#include "core/base/text.h"
#include "core/findings/rule_support.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace altiscope {

namespace {

std::string plainNumber(double value) { return std::abs(value) < 1e15 ? decimalText(value, 2) : shortestNumber(value); }

/// XML forbids U+FFFE and U+FFFF, which UTF-8 can write.
std::string withoutNoncharacters(std::string text) {
    constexpr std::string_view kFirst = "\xEF\xBF\xBE", kSecond = "\xEF\xBF\xBF";
    for (const std::string_view bad : {kFirst, kSecond})
        for (std::size_t at = text.find(bad); at != std::string::npos; at = text.find(bad, at))
            text[at + 2] = '\xBD';  // U+FFFD
    return text;
}

}  // namespace

std::string headingOf(const ReportColumn& column) {
    std::string heading = column.name;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    return heading;
}

std::string decimalText(double value, int decimals) {
    // The greatest double has 309 digits before the point.
    std::array<char, 400> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(text.data(), end) : std::string();
}

std::string htmlText(std::string_view text) {
    std::string escaped;
    for (const char c : withoutNoncharacters(printableText(text))) {
        switch (c) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += c;
        }
    }
    return escaped;
}

std::string shortened(std::string_view text, std::size_t characters) {
    const std::string whole = repairedUtf8(text);
    std::string_view rest = whole;
    for (std::size_t i = 0; i < characters && !rest.empty(); ++i) takeUtf8Char(rest);
    if (rest.empty()) return whole;
    return whole.substr(0, whole.size() - rest.size()) + "…";
}

double numberOf(const ReportValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return std::isfinite(*real) ? *real : 0;
    return 0;
}

std::string exactText(const ReportValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) return shortestNumber(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return {};
}

std::string valueText(const ReportValue& value, std::string_view unit) {
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr && !std::holds_alternative<std::int64_t>(value)) return exactText(value);
    const double number = numberOf(value);
    if (unit == "ns") return timeText(saturatedRound(number));
    if (unit == "bytes") return bytesText(saturatedRound(number));
    if (unit == "transfer") return transferText(saturatedRound(number));
    if (unit == "GB/s") return bandwidthText(number);
    if (unit == "share") return shareText(number);
    return real == nullptr ? exactText(value) : plainNumber(number);
}

}  // namespace altiscope
