#include "core/compare/rule_needs.h"

#include <algorithm>
#include <array>
#include <functional>

namespace altiscope {

namespace {

struct RuleNeeds {
    std::string_view rule;
    /// Each of these, or one of several that stand between bars.
    std::array<std::string_view, 3> words{};
};

constexpr std::string_view kMemory = "memory|snapshot";

/// By rule; what each looks at: core/findings/README.md. Shares of a step are of no recording without steps.
constexpr RuleNeeds kNeeds[] = {
    {"affinity_api", {"operator"}},
    {"ai_cpu", {"types"}},
    {"collective_wait", {"collective", "steps"}},
    {"contention", {"collective|link", "kernel"}},
    {"cube_efficiency", {"ai_core_metrics"}},
    {"cut_history", {kMemory}},
    {"cut_timeline", {}},
    {"data_loading", {"operator"}},
    {"dynamic_shapes", {"shapes"}},
    {"environment", {}},
    {"exposed_communication", {"category", "steps"}},
    {"fail_slow", {"category", "steps"}},
    {"fragmentation", {kMemory}},
    {"free_gap", {"category", "steps", "peers"}},
    {"free_time", {"category", "steps"}},
    {"frequency_drop", {"kernel"}},
    {"fusible_sequence", {"types"}},
    {"gc_pause", {"gc"}},
    {"idle_cores", {"kernel"}},
    {"kept_stack", {"snapshot"}},
    {"lost_packets", {"collective|link"}},
    {"memory_calls", {"api"}},
    {"memory_leak", {"memory", "steps"}},
    {"memory_spike", {kMemory}},
    {"missing_data", {}},
    {"operator_compilation", {"api|operator"}},
    {"out_of_memory", {kMemory}},
    {"pipeline_bubble", {"collective", "steps"}},
    {"slow_launches", {"operator"}},
    {"slow_link", {"link"}},
    {"slow_rank", {"kernel|category", "peers"}},
    {"small_packets", {"collective|link"}},
    {"step_outlier", {"category", "steps"}},
    {"sync_batch_norm", {"operator"}},
    {"synchronizations", {"category", "api"}},
    {"tiny_kernels", {"category", "kernel"}},
    {"unaligned_packets", {"collective|link"}},
    {"unbalanced_ranks", {"category", "peers"}},
    {"unbalanced_stages", {"category", "peers"}},
    {"unfused_optimizer", {"operator"}},
    {"unused_allocation", {kMemory}},
    {"vector_efficiency", {"ai_core_metrics"}},
};

const RuleNeeds* needsOf(std::string_view rule) {
    const auto* const found =
        std::find_if(std::begin(kNeeds), std::end(kNeeds), [rule](const RuleNeeds& one) { return one.rule == rule; });
    return found == std::end(kNeeds) ? nullptr : found;
}

bool isAnyOf(std::string_view words, const RecordedWords& recorded) {
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find('|', begin), words.size());
        if (recorded.contains(words.substr(begin, end - begin))) return true;
        begin = end + 1;
    }
    return false;
}

}  // namespace

bool canFindIn(std::string_view rule, const RecordedWords& recorded) {
    const RuleNeeds* needs = needsOf(rule);
    if (needs == nullptr) return true;
    return std::all_of(needs->words.begin(), needs->words.end(),
                       [&](std::string_view words) { return words.empty() || isAnyOf(words, recorded); });
}

bool isAboutOneRank(std::string_view rule) {
    static constexpr std::string_view kRules[] = {"cut_history", "fail_slow", "free_gap",     "out_of_memory",
                                                  "slow_link",   "slow_rank", "step_outlier", "unbalanced_ranks"};
    return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

bool areNeedsKnown(std::string_view rule) { return needsOf(rule) != nullptr; }

}  // namespace altiscope
