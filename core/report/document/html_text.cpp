#include "core/report/document/html_text.h"

#include "core/analysis/support/saturating.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/percent_text.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/findings/finding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <system_error>

namespace altiscope {

namespace {

/// Words for columns, by name.
constexpr std::string_view kColumnWords[] = {"report.column.active",
                                             "report.column.allocated",
                                             "report.column.bandwidth",
                                             "report.column.base",
                                             "report.column.base_keys",
                                             "report.column.base_place",
                                             "report.column.bubble",
                                             "report.column.change",
                                             "report.column.code",
                                             "report.column.component",
                                             "report.column.computing",
                                             "report.column.core_type",
                                             "report.column.count",
                                             "report.column.current",
                                             "report.column.current_keys",
                                             "report.column.current_place",
                                             "report.column.detail",
                                             "report.column.device_id",
                                             "report.column.dimension",
                                             "report.column.dur",
                                             "report.column.elapsed",
                                             "report.column.evidence",
                                             "report.column.exposed_communication",
                                             "report.column.file",
                                             "report.column.findings",
                                             "report.column.follows_from",
                                             "report.column.framework",
                                             "report.column.free",
                                             "report.column.greatest",
                                             "report.column.high",
                                             "report.column.host",
                                             "report.column.hosts",
                                             "report.column.key",
                                             "report.column.kind",
                                             "report.column.level",
                                             "report.column.link",
                                             "report.column.longest",
                                             "report.column.lost",
                                             "report.column.low",
                                             "report.column.mean",
                                             "report.column.message",
                                             "report.column.name",
                                             "report.column.not_moving",
                                             "report.column.not_released",
                                             "report.column.number",
                                             "report.column.only_in",
                                             "report.column.overlapped",
                                             "report.column.path",
                                             "report.column.place",
                                             "report.column.preparing",
                                             "report.column.rank_id",
                                             "report.column.ranks",
                                             "report.column.recorded_time",
                                             "report.column.recoverable",
                                             "report.column.reserved",
                                             "report.column.rule",
                                             "report.column.samples",
                                             "report.column.severity",
                                             "report.column.share",
                                             "report.column.significant",
                                             "report.column.size",
                                             "report.column.source",
                                             "report.column.step",
                                             "report.column.steps",
                                             "report.column.steps_apart",
                                             "report.column.steps_of_ranks",
                                             "report.column.title",
                                             "report.column.total",
                                             "report.column.transit",
                                             "report.column.transport",
                                             "report.column.ts",
                                             "report.column.type",
                                             "report.column.value",
                                             "report.column.wait"};
constexpr std::size_t kBeforeName = kColumnWords[0].rfind('.') + 1;

/// Words for values of columns, by column and value; what is no word of the program stands as it is.
struct ValueWord {
    std::string_view column, value, code;
};
constexpr ValueWord kValueWords[] = {{"severity", "high", "report.severity.high"},
                                     {"severity", "medium", "report.severity.medium"},
                                     {"severity", "low", "report.severity.low"},
                                     {"severity", "lost", "report.severity.lost"},
                                     {"severity", "repaired", "report.severity.repaired"},
                                     {"severity", "info", "report.severity.info"},
                                     {"significant", "yes", "report.value.yes"},
                                     {"significant", "no", "report.value.no"},
                                     {"significant", "follows", "report.value.follows"},
                                     {"significant", "perhaps", "report.value.perhaps"},
                                     {"only_in", "base", "report.column.base"},
                                     {"only_in", "current", "report.column.current"},
                                     {"kind", "collective", "report.value.collective"},
                                     {"kind", "p2p", "report.value.p2p"},
                                     {"kind", "added", "report.value.added"},
                                     {"kind", "removed", "report.value.removed"},
                                     {"kind", "moved", "report.value.moved"},
                                     {"kind", "reshaped", "report.value.reshaped"},
                                     {"kind", "replaced", "report.value.replaced"},
                                     {"kind", "fused", "report.value.fused"},
                                     {"kind", "split", "report.value.split"},
                                     {"dimension", "category", "report.value.category"},
                                     {"dimension", "operator", "report.value.operator"},
                                     {"dimension", "kernel", "report.value.kernel"},
                                     {"dimension", "kernel_type", "report.value.kernel_type"},
                                     {"dimension", "api", "report.value.api"},
                                     {"dimension", "collective", "report.value.collective"},
                                     {"dimension", "link", "report.column.link"},
                                     {"dimension", "memory", "report.memory"},
                                     {"dimension", "finding", "report.value.finding"},
                                     {"dimension", "role", "report.value.role"}};
/// Keys of differences that are no names of a capture, by dimension and key.
constexpr ValueWord kKeyWords[] = {{"category", "computing", "report.column.computing"},
                                   {"category", "exposed_communication", "report.column.exposed_communication"},
                                   {"category", "free", "report.column.free"},
                                   {"category", "bubble", "report.column.bubble"},
                                   {"category", "preparing", "report.column.preparing"},
                                   {"memory", "peak_allocated", "report.value.peak_allocated"},
                                   {"memory", "peak_reserved", "report.value.peak_reserved"},
                                   {"memory", "growth_allocated", "report.value.growth_allocated"},
                                   {"memory", "growth_reserved", "report.value.growth_reserved"},
                                   {"memory", "end_allocated", "report.value.end_allocated"},
                                   {"memory", "end_reserved", "report.value.end_reserved"}};

/// Empty if there is none.
std::string_view wordOf(std::span<const ValueWord> words, std::string_view column, std::string_view value) {
    for (const ValueWord& word : words)
        if (word.column == column && word.value == value) return word.code;
    return {};
}

/// Dimension of a row of differences; empty for other tables.
std::string_view dimensionOf(const ReportTable& table, const std::vector<ReportValue>& row) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (const auto* text = std::get_if<std::string>(&row[i]); text && table.columns[i].name == "dimension")
            return *text;
    return {};
}

/// Text of a key of a difference, after which ranks may stand in brackets.
std::string keyText(std::string_view dimension, const std::string& key, std::string_view language) {
    const std::string name = key.substr(0, key.find(" ("));
    if (dimension == "finding") return ruleName(name, language) + key.substr(name.size());
    const std::string_view code = wordOf(kKeyWords, dimension, name);
    return code.empty() ? key : catalogueText(code, language) + key.substr(name.size());
}

/// Text of a cause, "category computing (3)": only the program's own words are translated.
std::string causeText(const std::string& text, std::string_view language) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos) return text;
    const std::string dimension = text.substr(0, blank), key = text.substr(blank + 1);
    if (dimension == "category" || dimension == "memory") return keyText(dimension, key, language);
    const std::string_view code = wordOf(kValueWords, "dimension", dimension);
    return (code.empty() ? dimension : catalogueText(code, language)) + " " + keyText(dimension, key, language);
}

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

std::string headingOf(const ReportColumn& column, std::string_view language) {
    const auto word = std::find_if(std::begin(kColumnWords), std::end(kColumnWords), [&column](std::string_view code) {
        return code.substr(kBeforeName) == column.name;
    });
    if (word != std::end(kColumnWords)) return catalogueText(*word, language);
    std::string heading = column.name;
    std::replace(heading.begin(), heading.end(), '_', ' ');
    return heading;
}

std::string decimalText(double value, int decimals) {
    // The largest double has 309 digits before the point.
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

std::string base64Text(std::string_view bytes) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

double numberOf(const ReportValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value)) return std::isfinite(*real) ? *real : 0;
    return 0;
}

bool isNumeric(const ReportTable& table, std::size_t column) {
    return std::all_of(table.rows.begin(), table.rows.end(), [column](const std::vector<ReportValue>& row) {
        return !std::holds_alternative<std::string>(row[column]);
    });
}

std::string exactText(const ReportValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) return shortestNumber(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return {};
}

std::string cellText(const ReportTable& table, const std::vector<ReportValue>& row, std::size_t column,
                     std::string_view language) {
    const ReportColumn& which = table.columns[column];
    const auto* text = std::get_if<std::string>(&row[column]);
    if (text == nullptr) return valueText(row[column], which.unit, language);
    if (which.name == "key") return keyText(dimensionOf(table, row), *text, language);
    if (which.name == "follows_from") return causeText(*text, language);
    const std::string_view code = wordOf(kValueWords, which.name, *text);
    return code.empty() ? *text : catalogueText(code, language);
}

std::string valueText(const ReportValue& value, std::string_view unit, std::string_view language) {
    const auto* real = std::get_if<double>(&value);
    if (real == nullptr && !std::holds_alternative<std::int64_t>(value)) return exactText(value);
    const double number = numberOf(value);
    if (unit == "ns") return timeText(saturatedRound(number));
    if (unit == "bytes") return bytesText(saturatedRound(number));
    if (unit == "transfer") return transferText(saturatedRound(number));
    if (unit == "GB/s") return bandwidthText(number);
    if (unit == "share") return inLanguage(shareText(number), language);
    return real == nullptr ? exactText(value) : plainNumber(number);
}

}  // namespace altiscope
