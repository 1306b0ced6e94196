#include "core/findings/finding.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/values/digits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace altiscope {

namespace {

using Json = nlohmann::ordered_json;

/// All that have texts, by name.
constexpr RuleInfo kRuleTexts[] = {
    {"affinity_api", RuleTopic::Other},
    {"ai_cpu", RuleTopic::Other},
    {"collective_wait", RuleTopic::Communication},
    {"contention", RuleTopic::Communication},
    {"cube_efficiency", RuleTopic::Other},
    {"cut_history", RuleTopic::Other},
    {"cut_timeline", RuleTopic::Other},
    {"data_loading", RuleTopic::Other},
    {"dynamic_shapes", RuleTopic::Other},
    {"environment", RuleTopic::Other},
    {"exposed_communication", RuleTopic::Communication},
    {"fragmentation", RuleTopic::Other},
    {"free_gap", RuleTopic::Other},
    {"free_time", RuleTopic::Other},
    {"frequency_drop", RuleTopic::Other},
    {"fusible_sequence", RuleTopic::Other},
    {"gc_pause", RuleTopic::Other},
    {"idle_cores", RuleTopic::Other},
    {"kept_stack", RuleTopic::Other},
    {"lost_packets", RuleTopic::Communication},
    {"memory_calls", RuleTopic::Other},
    {"memory_leak", RuleTopic::Other},
    {"memory_spike", RuleTopic::Other},
    {"missing_data", RuleTopic::Other},
    {"operator_compilation", RuleTopic::Other},
    {"out_of_memory", RuleTopic::Other},
    {"pipeline_bubble", RuleTopic::Communication},
    {"slow_launches", RuleTopic::Other},
    {"slow_link", RuleTopic::Communication},
    {"slow_rank", RuleTopic::Communication},
    {"small_packets", RuleTopic::Communication},
    {"step_outlier", RuleTopic::Other},
    {"sync_batch_norm", RuleTopic::Other},
    {"synchronizations", RuleTopic::Other},
    {"tiny_kernels", RuleTopic::Other},
    {"unaligned_packets", RuleTopic::Communication},
    {"unbalanced_ranks", RuleTopic::Communication},
    {"unbalanced_stages", RuleTopic::Communication},
    {"unfused_optimizer", RuleTopic::Other},
    {"unused_allocation", RuleTopic::Other},
    {"vector_efficiency", RuleTopic::Other},
};

const RuleInfo* findRule(std::string_view rule) {
    const auto found = std::find_if(std::begin(kRuleTexts), std::end(kRuleTexts),
                                    [&](const RuleInfo& info) { return info.rule == rule; });
    return found == std::end(kRuleTexts) ? nullptr : found;
}

/// @param part  ".title", ".name", ".formula"; empty: the detail.
std::string ruleText(const RuleInfo& info, std::string_view part, std::string_view language,
                     const MessageParameters& parameters = {}) {
    return catalogueText("finding." + std::string(info.rule) + std::string(part), language, parameters);
}

/// "1,234" of "1234", in place.
void groupDigits(std::string& digits) {
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
}

/// Parameters are bare for programs; in sentences numbers read as in tables. Those that name something do not.
MessageParameters readable(MessageParameters parameters) {
    constexpr std::string_view kCounts[] = {"after",
                                            "all",
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

std::span<const RuleInfo> findingRules() { return kRuleTexts; }

RuleTopic topicOf(std::string_view rule) {
    const RuleInfo* info = findRule(rule);
    return info == nullptr ? RuleTopic::Other : info->topic;
}

std::string ruleName(std::string_view rule, std::string_view language) {
    const RuleInfo* info = findRule(rule);
    return info == nullptr ? std::string(rule) : ruleText(*info, ".name", language);
}

std::string ruleFormula(std::string_view rule, std::string_view language) {
    const RuleInfo* info = findRule(rule);
    return info == nullptr ? std::string() : ruleText(*info, ".formula", language);
}

std::string findingTitle(const Finding& finding, std::string_view language) {
    const RuleInfo* info = findRule(finding.rule);
    return info == nullptr ? finding.rule : ruleText(*info, ".title", language, readable(finding.parameters));
}

std::string findingDetail(const Finding& finding, std::string_view language) {
    const RuleInfo* info = findRule(finding.rule);
    if (info == nullptr) return finding.rule;
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
