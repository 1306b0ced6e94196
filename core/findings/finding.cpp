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

constexpr RuleInfo kRuleTexts[] = {
    {"affinity_api", RuleTopic::Other, "finding.affinity_api.title", "finding.affinity_api",
     "finding.affinity_api.name", "finding.affinity_api.formula"},
    {"ai_cpu", RuleTopic::Other, "finding.ai_cpu.title", "finding.ai_cpu", "finding.ai_cpu.name",
     "finding.ai_cpu.formula"},
    {"collective_wait", RuleTopic::Communication, "finding.collective_wait.title", "finding.collective_wait",
     "finding.collective_wait.name", "finding.collective_wait.formula"},
    {"conjectured_gc", RuleTopic::Other, "finding.conjectured_gc.title", "finding.conjectured_gc",
     "finding.conjectured_gc.name", "finding.conjectured_gc.formula"},
    {"contention", RuleTopic::Communication, "finding.contention.title", "finding.contention",
     "finding.contention.name", "finding.contention.formula"},
    {"cube_efficiency", RuleTopic::Other, "finding.cube_efficiency.title", "finding.cube_efficiency",
     "finding.cube_efficiency.name", "finding.cube_efficiency.formula"},
    {"cut_history", RuleTopic::Other, "finding.cut_history.title", "finding.cut_history", "finding.cut_history.name",
     "finding.cut_history.formula"},
    {"data_loading", RuleTopic::Other, "finding.data_loading.title", "finding.data_loading",
     "finding.data_loading.name", "finding.data_loading.formula"},
    {"dynamic_shapes", RuleTopic::Other, "finding.dynamic_shapes.title", "finding.dynamic_shapes",
     "finding.dynamic_shapes.name", "finding.dynamic_shapes.formula"},
    {"environment", RuleTopic::Other, "finding.environment.title", "finding.environment", "finding.environment.name",
     "finding.environment.formula"},
    {"exposed_communication", RuleTopic::Communication, "finding.exposed_communication.title",
     "finding.exposed_communication", "finding.exposed_communication.name", "finding.exposed_communication.formula"},
    {"fragmentation", RuleTopic::Other, "finding.fragmentation.title", "finding.fragmentation",
     "finding.fragmentation.name", "finding.fragmentation.formula"},
    {"free_gap", RuleTopic::Other, "finding.free_gap.title", "finding.free_gap", "finding.free_gap.name",
     "finding.free_gap.formula"},
    {"free_time", RuleTopic::Other, "finding.free_time.title", "finding.free_time", "finding.free_time.name",
     "finding.free_time.formula"},
    {"frequency_drop", RuleTopic::Other, "finding.frequency_drop.title", "finding.frequency_drop",
     "finding.frequency_drop.name", "finding.frequency_drop.formula"},
    {"fusible_sequence", RuleTopic::Other, "finding.fusible_sequence.title", "finding.fusible_sequence",
     "finding.fusible_sequence.name", "finding.fusible_sequence.formula"},
    {"gc_pause", RuleTopic::Other, "finding.gc_pause.title", "finding.gc_pause", "finding.gc_pause.name",
     "finding.gc_pause.formula"},
    {"idle_cores", RuleTopic::Other, "finding.idle_cores.title", "finding.idle_cores", "finding.idle_cores.name",
     "finding.idle_cores.formula"},
    {"kept_stack", RuleTopic::Other, "finding.kept_stack.title", "finding.kept_stack", "finding.kept_stack.name",
     "finding.kept_stack.formula"},
    {"lost_packets", RuleTopic::Communication, "finding.lost_packets.title", "finding.lost_packets",
     "finding.lost_packets.name", "finding.lost_packets.formula"},
    {"memory_calls", RuleTopic::Other, "finding.memory_calls.title", "finding.memory_calls",
     "finding.memory_calls.name", "finding.memory_calls.formula"},
    {"memory_leak", RuleTopic::Other, "finding.memory_leak.title", "finding.memory_leak", "finding.memory_leak.name",
     "finding.memory_leak.formula"},
    {"memory_spike", RuleTopic::Other, "finding.memory_spike.title", "finding.memory_spike",
     "finding.memory_spike.name", "finding.memory_spike.formula"},
    {"missing_data", RuleTopic::Other, "finding.missing_data.title", "finding.missing_data",
     "finding.missing_data.name", "finding.missing_data.formula"},
    {"operator_compilation", RuleTopic::Other, "finding.operator_compilation.title", "finding.operator_compilation",
     "finding.operator_compilation.name", "finding.operator_compilation.formula"},
    {"out_of_memory", RuleTopic::Other, "finding.out_of_memory.title", "finding.out_of_memory",
     "finding.out_of_memory.name", "finding.out_of_memory.formula"},
    {"pipeline_bubble", RuleTopic::Communication, "finding.pipeline_bubble.title", "finding.pipeline_bubble",
     "finding.pipeline_bubble.name", "finding.pipeline_bubble.formula"},
    {"slow_launches", RuleTopic::Other, "finding.slow_launches.title", "finding.slow_launches",
     "finding.slow_launches.name", "finding.slow_launches.formula"},
    {"slow_link", RuleTopic::Communication, "finding.slow_link.title", "finding.slow_link", "finding.slow_link.name",
     "finding.slow_link.formula"},
    {"slow_rank", RuleTopic::Communication, "finding.slow_rank.title", "finding.slow_rank", "finding.slow_rank.name",
     "finding.slow_rank.formula"},
    {"small_packets", RuleTopic::Communication, "finding.small_packets.title", "finding.small_packets",
     "finding.small_packets.name", "finding.small_packets.formula"},
    {"step_outlier", RuleTopic::Other, "finding.step_outlier.title", "finding.step_outlier",
     "finding.step_outlier.name", "finding.step_outlier.formula"},
    {"sync_batch_norm", RuleTopic::Other, "finding.sync_batch_norm.title", "finding.sync_batch_norm",
     "finding.sync_batch_norm.name", "finding.sync_batch_norm.formula"},
    {"synchronizations", RuleTopic::Other, "finding.synchronizations.title", "finding.synchronizations",
     "finding.synchronizations.name", "finding.synchronizations.formula"},
    {"tiny_kernels", RuleTopic::Other, "finding.tiny_kernels.title", "finding.tiny_kernels",
     "finding.tiny_kernels.name", "finding.tiny_kernels.formula"},
    {"unaligned_packets", RuleTopic::Communication, "finding.unaligned_packets.title", "finding.unaligned_packets",
     "finding.unaligned_packets.name", "finding.unaligned_packets.formula"},
    {"unbalanced_ranks", RuleTopic::Communication, "finding.unbalanced_ranks.title", "finding.unbalanced_ranks",
     "finding.unbalanced_ranks.name", "finding.unbalanced_ranks.formula"},
    {"unbalanced_stages", RuleTopic::Communication, "finding.unbalanced_stages.title", "finding.unbalanced_stages",
     "finding.unbalanced_stages.name", "finding.unbalanced_stages.formula"},
    {"unfused_optimizer", RuleTopic::Other, "finding.unfused_optimizer.title", "finding.unfused_optimizer",
     "finding.unfused_optimizer.name", "finding.unfused_optimizer.formula"},
    {"unused_allocation", RuleTopic::Other, "finding.unused_allocation.title", "finding.unused_allocation",
     "finding.unused_allocation.name", "finding.unused_allocation.formula"},
    {"vector_efficiency", RuleTopic::Other, "finding.vector_efficiency.title", "finding.vector_efficiency",
     "finding.vector_efficiency.name", "finding.vector_efficiency.formula"}};

const RuleInfo* findRule(std::string_view rule) {
    const auto found = std::find_if(std::begin(kRuleTexts), std::end(kRuleTexts),
                                    [&](const RuleInfo& info) { return info.rule == rule; });
    return found == std::end(kRuleTexts) ? nullptr : found;
}

/// "1,234" of "1234", in place.
void groupDigits(std::string& digits) {
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
}

/// Parameters are bare for programs; in sentences numbers read as in tables. Those that name something do not.
MessageParameters readable(MessageParameters parameters) {
    constexpr std::string_view kCounts[] = {"after",   "all",      "blocks", "count",   "cube_cores",    "early",
                                            "entries", "holes",    "idle",   "kernels", "micro_batches", "others",
                                            "ranks",   "released", "stages", "steps",   "vector_cores"};
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
    return info == nullptr ? std::string(rule) : catalogueText(info->name, language);
}

std::string ruleFormula(std::string_view rule, std::string_view language) {
    const RuleInfo* info = findRule(rule);
    return info == nullptr ? std::string() : catalogueText(info->formula, language);
}

std::string findingTitle(const Finding& finding, std::string_view language) {
    const RuleInfo* info = findRule(finding.rule);
    return info == nullptr ? finding.rule : catalogueText(info->title, language, readable(finding.parameters));
}

std::string findingDetail(const Finding& finding, std::string_view language) {
    const RuleInfo* info = findRule(finding.rule);
    if (info == nullptr) return finding.rule;
    const MessageParameters parameters = readable(finding.parameters);
    std::string text = catalogueText(info->detail, language, parameters);
    for (const std::string_view note : finding.notes)
        text += (language == "zh_CN" ? "" : " ") + catalogueText(note, language, parameters);
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
