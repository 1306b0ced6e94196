#include "core/report/gates/gate_check.h"

#include "core/analysis/support/saturating.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/report/document/html_text.h"
#include "core/report/gates/gate_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

template <class Number>
bool holds(GateComparison comparison, Number value, Number limit) {
    switch (comparison) {
    case GateComparison::Less: return value < limit;
    case GateComparison::LessOrEqual: return value <= limit;
    case GateComparison::Greater: return value > limit;
    case GateComparison::GreaterOrEqual: return value >= limit;
    case GateComparison::Equal: return value == limit;
    case GateComparison::NotEqual: return value != limit;
    }
    return false;
}

bool isMet(const GateOutcome& outcome) {
    const GateRule& rule = outcome.rule;
    if (outcome.whole && rule.whole) return holds(rule.comparison, *outcome.whole, *rule.whole);
    return outcome.value && holds(rule.comparison, *outcome.value, limitOf(rule));
}

/// " (24.0 %)" of the limit; empty where it is 0.
std::string shareOf(double distance, double limit) {
    if (limit == 0) return {};
    return " (" + decimalText(std::abs(distance / limit) * 100, 1) + " %)";
}

std::string messageOf(const GateOutcome& outcome) {
    const GateRule& rule = outcome.rule;
    if (!outcome.value) return catalogueText("gate.no_data", "en", {{"rule", rule.text}, {"metric", rule.metricText}});
    const std::string value =
        outcome.whole && rule.unit.empty() ? std::to_string(*outcome.whole) : gateValueText(rule, *outcome.value);
    if (outcome.met) return catalogueText("gate.met", "en", {{"rule", rule.text}, {"value", value}});
    const double limit = limitOf(rule), distance = std::abs(*outcome.value - limit);
    std::string off = gateValueText(rule, distance);
    if (outcome.whole && rule.whole) {
        const auto [less, more] = std::minmax(*outcome.whole, *rule.whole);
        off = std::to_string(saturatedDifference(more, less));
    }
    return catalogueText("gate.failed", "en",
                         {{"rule", rule.text}, {"value", value}, {"distance", off + shareOf(distance, limit)}});
}

class Checker {
public:
    Checker(const GateSubject& subject, const CancelToken& cancel)
        : m_subject(subject), m_current(subject.current, cancel) {
        if (subject.base) m_base.emplace(*subject.base, cancel);
    }

    Result<std::optional<GateNumber>> valueOf(const GateRule& rule) {
        const GateMetric& metric = rule.metric;
        if (metric.kind == GateMetric::Kind::SignificantCount) return significant();
        auto current = m_current.of(metric);
        if (!metric.isChange || !current.ok()) return current;
        if (!m_base) return std::optional<GateNumber>();
        const auto base = m_base->of(metric);
        if (!base.ok()) return base;
        if (!current.value() || !base.value()) return std::optional<GateNumber>();
        const double before = base.value()->real, change = current.value()->real - before;
        // A 0 that stays 0 does not change; a growth from 0 has no share.
        if (rule.isRelative && before == 0)
            return change == 0 ? std::optional<GateNumber>({0, {}}) : std::optional<GateNumber>();
        return std::optional<GateNumber>({rule.isRelative ? change / before : change, {}});
    }

private:
    std::optional<GateNumber> significant() const {
        if (m_subject.comparison == nullptr) return std::nullopt;
        return GateNumber{static_cast<double>(m_subject.comparison->significant), {}};
    }

    const GateSubject& m_subject;
    GateValues m_current;
    std::optional<GateValues> m_base;
};

std::string_view baseUnit(GateQuantity quantity) {
    switch (quantity) {
    case GateQuantity::Time: return "ns";
    case GateQuantity::Size: return "bytes";
    case GateQuantity::Bandwidth: return "GB/s";
    case GateQuantity::Share:
    case GateQuantity::Count:
    case GateQuantity::Any: return "";
    }
    return "";
}

}  // namespace

Result<std::vector<GateOutcome>> checkGate(const std::vector<GateRule>& rules, const GateSubject& subject,
                                           const CancelToken& cancel) {
    Checker checker(subject, cancel);
    std::vector<GateOutcome> outcomes;
    for (const GateRule& rule : rules) {
        auto value = checker.valueOf(rule);
        if (!value.ok()) return value.as<std::vector<GateOutcome>>();
        GateOutcome outcome{.rule = rule, .value = {}, .whole = {}, .met = false, .message = {}};
        if (const auto& number = value.value()) {
            outcome.value = number->real;
            outcome.whole = number->whole;
        }
        outcome.met = isMet(outcome);
        outcome.message = messageOf(outcome);
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

bool isGateMet(const std::vector<GateOutcome>& outcomes) {
    return std::all_of(outcomes.begin(), outcomes.end(), [](const GateOutcome& outcome) { return outcome.met; });
}

std::string gateText(const std::vector<GateOutcome>& outcomes) {
    std::string text;
    for (const GateOutcome& outcome : outcomes)
        if (!outcome.met) text += "FAILED  " + printableText(outcome.message) + "\n";
    for (const GateOutcome& outcome : outcomes)
        if (outcome.met) text += "met     " + printableText(outcome.message) + "\n";
    const auto met = std::count_if(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.met; });
    return text + "gate: " + std::to_string(met) + " of " + std::to_string(outcomes.size()) + " rules met\n";
}

std::string gateJson(const std::vector<GateOutcome>& outcomes) {
    using Json = nlohmann::ordered_json;
    Json json{{"met", isGateMet(outcomes)}, {"rules", Json::array()}};
    for (const GateOutcome& outcome : outcomes) {
        Json rule;
        rule["rule"] = outcome.rule.text;
        rule["line"] = outcome.rule.line;
        rule["value"] = outcome.value ? Json(*outcome.value) : Json(nullptr);
        if (outcome.whole) rule["value"] = *outcome.whole;
        rule["limit"] = limitOf(outcome.rule);
        rule["unit"] = outcome.rule.isRelative ? std::string_view() : baseUnit(outcome.rule.metric.quantity);
        rule["met"] = outcome.met;
        rule["message"] = outcome.message;
        json["rules"].push_back(std::move(rule));
    }
    return dumpJson(json);
}

std::string gateJunit(const std::vector<GateOutcome>& outcomes, const std::string& capture) {
    const auto failures =
        std::count_if(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return !outcome.met; });
    const std::string counts =
        "tests=\"" + std::to_string(outcomes.size()) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"0\"";
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
                      ">\n  <testsuite name=\"altiscope gate: " + htmlText(capture) + "\" " + counts +
                      " skipped=\"0\" time=\"0\">\n";
    for (const GateOutcome& outcome : outcomes) {
        xml += "    <testcase classname=\"altiscope.gate\" name=\"" + htmlText(outcome.rule.text) + "\" time=\"0\"";
        if (outcome.met) xml += "/>\n";
        else
            xml += ">\n      <failure message=\"" + htmlText(outcome.message) + "\" type=\"gate\">" +
                   htmlText(outcome.message) + "</failure>\n    </testcase>\n";
    }
    return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace altiscope
