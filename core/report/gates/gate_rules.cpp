#include "core/report/gates/gate_rules.h"

#include "core/analysis/steps/step_parts.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/text.h"
#include "core/base/values/units.h"
#include "core/findings/finding.h"
#include "core/report/document/html_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>

namespace altiscope {

namespace {

struct NamedMetric {
    std::string_view name;
    GateMetric::Kind kind;
    GateQuantity quantity;
};
/// After the name of a part of a step (StepPartInfo): its share of the step.
constexpr std::string_view kRatio = "_ratio";
constexpr NamedMetric kMetrics[] = {
    {"peak_reserved", GateMetric::Kind::PeakReserved, GateQuantity::Size},
    {"peak_allocated", GateMetric::Kind::PeakAllocated, GateQuantity::Size},
    {"fragmentation", GateMetric::Kind::Fragmentation, GateQuantity::Share},
    {"slow_link_min", GateMetric::Kind::SlowLinkMin, GateQuantity::Bandwidth},
    {"lost", GateMetric::Kind::Lost, GateQuantity::Count},
    {"significant.count", GateMetric::Kind::SignificantCount, GateQuantity::Count},
};

struct Unit {
    GateQuantity quantity;
    double factor, divisor;
};

/// The unit of a name: one of filters, for bandwidths a size of these per second, or a share.
std::optional<Unit> gateUnitOf(std::string_view name) {
    static constexpr std::int64_t kBase = 1'000'000'000;  // GB/s is what a bandwidth without unit is in
    if (name == "%") return Unit{GateQuantity::Share, 1, 100};
    const bool isPerSecond = name.ends_with("/s");
    const auto unit = amountUnit(isPerSecond ? name.substr(0, name.size() - 2) : name);
    if (!unit || (isPerSecond && unit->kind == AmountUnit::Kind::Time)) return std::nullopt;
    const auto size = static_cast<double>(unit->size);
    if (unit->kind == AmountUnit::Kind::Time) return Unit{GateQuantity::Time, size, 1};
    if (!isPerSecond) return Unit{GateQuantity::Size, size, 1};
    if (unit->size % kBase == 0) return Unit{GateQuantity::Bandwidth, size / double{kBase}, 1};
    if (kBase % unit->size == 0) return Unit{GateQuantity::Bandwidth, 1, double{kBase} / size};
    return Unit{GateQuantity::Bandwidth, size, double{kBase}};
}

constexpr std::pair<std::string_view, GateStatistic> kStatistics[] = {{"mean", GateStatistic::Mean},
                                                                      {"p50", GateStatistic::P50},
                                                                      {"p95", GateStatistic::P95},
                                                                      {"max", GateStatistic::Max}};

constexpr std::pair<std::string_view, GateComparison> kComparisons[] = {
    {"<=", GateComparison::LessOrEqual}, {">=", GateComparison::GreaterOrEqual}, {"!=", GateComparison::NotEqual},
    {"<", GateComparison::Less},         {">", GateComparison::Greater},         {"=", GateComparison::Equal}};

std::string_view withoutControls(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    return text;
}

/// A fault of a rule, as a part of the sentence of gate.syntax.
Error problem(std::string_view code, const MessageParameters& parameters = {}) {
    return {std::string(code), {}, {}, parameters};
}

/// After the quote that closes what begins at `at`.
std::size_t afterQuoted(std::string_view text, std::size_t at) {
    const std::size_t end = text.find(text[at], at + 1);
    return end == std::string_view::npos ? text.size() : end + 1;
}

/// Where the metric ends: at the first comparison or comment that stands in no parentheses and no quotes of SQL.
std::size_t endOfMetric(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (depth > 0 && (c == '\'' || c == '"' || c == '`')) {
            i = afterQuoted(text, i);
            continue;
        }
        if (c == '(') ++depth;
        if (c == ')' && depth > 0) --depth;
        if (depth == 0 && (c == '<' || c == '>' || c == '=' || c == '!' || c == '#')) return i;
        ++i;
    }
    return text.size();
}

/// The text in the parentheses of "word(...)"; nullopt if there is no such form.
std::optional<std::string_view> argumentOf(std::string_view text, std::string_view word) {
    if (!text.starts_with(word) || !text.ends_with(')')) return std::nullopt;
    const std::string_view rest = withoutControls(text.substr(word.size()));
    if (!rest.starts_with('(')) return std::nullopt;
    return withoutControls(rest.substr(1, rest.size() - 2));
}

bool isRule(std::string_view name) {
    const auto rules = findingRules();
    return std::any_of(rules.begin(), rules.end(), [name](const RuleInfo& info) { return info.rule == name; });
}

Result<GateMetric> namedMetric(std::string_view text) {
    GateMetric metric;
    const bool isRatio = text.ends_with(kRatio);
    const std::string_view part = isRatio ? text.substr(0, text.size() - kRatio.size()) : text;
    if (stepPartOf(part)) {
        metric.kind = GateMetric::Kind::StepPart;
        metric.name = part;
        metric.isRatio = isRatio;
        metric.quantity = isRatio ? GateQuantity::Share : GateQuantity::Time;
        return metric;
    }
    for (const NamedMetric& known : kMetrics) {
        if (text != known.name) continue;
        metric.kind = known.kind;
        metric.name = known.name;
        metric.quantity = known.quantity;
        return metric;
    }
    const std::size_t dot = text.rfind('.');
    const std::string_view what = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
    if ((what != "count" && what != "recoverable") || !isRule(text.substr(0, dot)))
        return problem("gate.unknown_metric", {{"metric", std::string(text)}});
    metric.kind = what == "count" ? GateMetric::Kind::FindingCount : GateMetric::Kind::FindingRecoverable;
    metric.quantity = what == "count" ? GateQuantity::Count : GateQuantity::Time;
    metric.name = text.substr(0, dot);
    return metric;
}

bool hasStatistics(GateMetric::Kind kind) {
    return kind == GateMetric::Kind::StepPart || kind == GateMetric::Kind::PeakReserved ||
           kind == GateMetric::Kind::PeakAllocated || kind == GateMetric::Kind::Fragmentation;
}

Result<GateMetric> metricOf(std::string_view text) {
    if (const auto inner = argumentOf(text, "change")) {
        auto metric = metricOf(*inner);
        if (!metric.ok()) return metric;
        if (metric.value().isOfComparison()) return problem("gate.unknown_metric", {{"metric", std::string(text)}});
        metric.value().isChange = true;
        return metric;
    }
    if (const auto statement = argumentOf(text, "sql")) {
        if (statement->empty()) return problem("gate.no_statement");
        GateMetric metric;
        metric.kind = GateMetric::Kind::Sql;
        metric.name = *statement;
        metric.quantity = GateQuantity::Any;
        return metric;
    }
    for (const auto& [word, statistic] : kStatistics) {
        const auto inner = argumentOf(text, word);
        if (!inner) continue;
        auto metric = namedMetric(*inner);
        if (!metric.ok()) return metric;
        if (!hasStatistics(metric.value().kind))
            return problem("gate.no_statistic", {{"statistic", std::string(word)}, {"metric", std::string(*inner)}});
        metric.value().statistic = statistic;
        return metric;
    }
    return namedMetric(text);
}

/// Reads "12.5 ms" into the rule.
std::optional<Error> readNumber(std::string_view text, GateRule& rule) {
    // from_chars takes no plus sign; "+-5" stays no number.
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rule.number);
    if (error != std::errc() || !std::isfinite(rule.number)) return problem("gate.no_number");
    rule.unit = withoutControls(text.substr(static_cast<std::size_t>(end - text.data())));
    std::int64_t whole = 0;
    const auto read = std::from_chars(text.data(), end, whole);
    if (rule.unit.empty() && read.ec == std::errc() && read.ptr == end) rule.whole = whole;
    if (rule.unit.empty()) return std::nullopt;
    const auto unit = gateUnitOf(rule.unit);
    if (!unit) return problem("gate.unknown_unit", {{"unit", rule.unit}});
    rule.factor = unit->factor;
    rule.divisor = unit->divisor;
    rule.isRelative = rule.metric.isChange && unit->quantity == GateQuantity::Share;
    if (rule.isRelative || rule.metric.quantity == GateQuantity::Any || rule.metric.quantity == unit->quantity)
        return std::nullopt;
    return problem("gate.different_unit", {{"unit", rule.unit}, {"metric", rule.metricText}});
}

/// Reads one line that holds a rule.
std::optional<Error> readRule(std::string_view line, bool withBase, GateRule& rule) {
    const std::size_t end = endOfMetric(line);
    rule.metricText = withoutControls(line.substr(0, end));
    auto metric = metricOf(rule.metricText);
    if (!metric.ok()) return metric.error();
    rule.metric = std::move(metric).value();
    std::string_view rest = line.substr(end);
    const auto* comparison = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                                          [&](const auto& known) { return rest.starts_with(known.first); });
    if (comparison == std::end(kComparisons)) return problem("gate.no_operator");
    rule.comparison = comparison->second;
    rest.remove_prefix(comparison->first.size());
    rest = rest.substr(0, rest.find('#'));
    rule.text = withoutControls(line.substr(0, static_cast<std::size_t>(rest.data() - line.data()) + rest.size()));
    if (rule.metric.isOfComparison() && !withBase) return problem("gate.needs_base", {{"metric", rule.metricText}});
    return readNumber(withoutControls(rest), rule);
}

}  // namespace

Result<std::vector<GateRule>> readGateRules(std::string_view text, const std::string& file, bool withBase) {
    std::vector<GateRule> rules;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = withoutControls(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        GateRule rule;
        rule.line = number;
        if (const auto wrong = readRule(line, withBase, rule))
            return Error{
                "gate.syntax",
                file,
                {},
                {{"line", std::to_string(number)}, {"problem", catalogueText(wrong->code, "en", wrong->parameters)}}};
        rules.push_back(std::move(rule));
    }
    if (rules.empty()) return Error{"gate.no_rules", file, {}, {}};
    return rules;
}

double limitOf(const GateRule& rule) { return rule.number * rule.factor / rule.divisor; }

std::string gateValueText(const GateRule& rule, double value) {
    const double number = value / rule.factor * rule.divisor;
    const bool isWhole = number == std::floor(number) && std::abs(number) < 1e15;
    const std::string text = isWhole                    ? decimalText(number, 0)
                             : std::abs(number) < 0.001 ? shortestNumber(number)
                                                        : decimalText(number, 3);
    const std::string_view base = rule.metric.quantity == GateQuantity::Time        ? "ns"
                                  : rule.metric.quantity == GateQuantity::Size      ? "B"
                                  : rule.metric.quantity == GateQuantity::Bandwidth ? "GB/s"
                                                                                    : "";
    const std::string_view unit = rule.unit.empty() ? base : std::string_view(rule.unit);
    return text + (unit.empty() ? "" : " ") + std::string(unit);
}

}  // namespace altiscope
