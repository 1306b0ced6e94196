#include "core/findings/finding.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/values/digits.h"
#include "core/findings/rule_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace altiscope {

namespace {

using Json = nlohmann::ordered_json;

/// By name.
constexpr auto kRuleInfos = [] {
    std::array<RuleInfo, std::size(kRules)> infos{};
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kRules[i].info;
    std::sort(infos.begin(), infos.end(), [](const RuleInfo& a, const RuleInfo& b) { return a.rule < b.rule; });
    return infos;
}();

/// @param part  ".title", ".name", ".formula"; empty: the detail.
std::string ruleText(const Rule& rule, std::string_view part, std::string_view language,
                     const MessageParameters& parameters = {}) {
    return catalogueText("finding." + std::string(rule.info.rule) + std::string(part), language, parameters);
}

/// "1,234" of "1234", in place.
void groupDigits(std::string& digits) {
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
}

/// Parameters are bare for programs; in sentences numbers read as in tables. Those that name something do not.
MessageParameters readable(MessageParameters parameters) {
    constexpr std::string_view kCounts[] = {"after",
                                            "all",
                                            "all_peers",
                                            "blocks",
                                            "count",
                                            "cube_cores",
                                            "early",
                                            "entries",
                                            "holes",
                                            "idle",
                                            "incomplete",
                                            "kernels",
                                            "members",
                                            "micro_batches",
                                            "others",
                                            "present",
                                            "ranks",
                                            "recoverable_high_ns",
                                            "recoverable_low_ns",
                                            "released",
                                            "slow_peers",
                                            "stages",
                                            "steps",
                                            "vector_cores"};
    for (auto& [name, value] : parameters) {
        if (isDigits(value) && std::find(std::begin(kCounts), std::end(kCounts), name) != std::end(kCounts))
            groupDigits(value);
    }
    return parameters;
}

}  // namespace

std::string_view findingSeverityName(FindingSeverity severity) {
    switch (severity) {
    case FindingSeverity::High: return "high";
    case FindingSeverity::Medium: return "medium";
    case FindingSeverity::Low: return "low";
    }
    return {};
}

std::span<const RuleInfo> findingRules() { return kRuleInfos; }

RuleTopic topicOf(std::string_view rule) {
    const Rule* found = findRule(rule);
    return found == nullptr ? RuleTopic::Other : found->info.topic;
}

std::string ruleName(std::string_view rule, std::string_view language) {
    const Rule* found = findRule(rule);
    return found == nullptr ? std::string(rule) : ruleText(*found, ".name", language);
}

std::string ruleFormula(std::string_view rule, std::string_view language) {
    const Rule* found = findRule(rule);
    return found == nullptr ? std::string() : ruleText(*found, ".formula", language);
}

std::string findingTitle(const Finding& finding, std::string_view language) {
    const Rule* found = findRule(finding.rule);
    return found == nullptr ? finding.rule : ruleText(*found, ".title", language, readable(finding.parameters));
}

std::string findingDetail(const Finding& finding, std::string_view language) {
    const Rule* found = findRule(finding.rule);
    if (found == nullptr) return finding.rule;
    const MessageParameters parameters = readable(finding.parameters);
    // Sentences that name a step have a form of their own for recordings without steps.
    const auto sentence = [&](const std::string& code) {
        const std::string ofRecording = code + ".recording";
        const bool hasOwn = finding.isOfRecording && catalogueText(ofRecording, language) != ofRecording;
        return catalogueText(hasOwn ? ofRecording : code, language, parameters);
    };
    std::string text = sentence("finding." + finding.rule);
    for (const std::string_view note : finding.notes)
        text += (language == "zh_CN" ? "" : " ") + sentence(std::string(note));
    return text;
}

std::string findingParametersJson(const Finding& finding) {
    Json json = Json::object();
    for (const auto& [name, value] : finding.parameters) json[name] = value;
    return dumpJson(json);
}

std::string findingEvidenceJson(const Finding& finding) {
    Json json{{"slices", Json::array()}, {"ranges", Json::array()}, {"rows", Json::array()}};
    for (const FindingEvidence::Slice& slice : finding.evidence.slices) json["slices"].push_back(slice.slice.id.value);
    for (const FindingEvidence::Range& range : finding.evidence.ranges)
        json["ranges"].push_back({{"rank_id", finding.rankId ? Json(*finding.rankId) : Json()},
                                  {"begin", range.range.begin.value},
                                  {"end", range.range.end.value}});
    for (const FindingEvidence::Rows& rows : finding.evidence.rows)
        json["rows"].push_back({{"table", rows.table}, {"where", rows.condition}});
    return dumpJson(json);
}

std::string findingThresholdsJson(const Finding& finding) {
    Json json = Json::object();
    for (const auto& [name, value] : finding.thresholds) json[name] = value;
    return dumpJson(json);
}

}  // namespace altiscope
