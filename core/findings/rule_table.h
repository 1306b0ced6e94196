#pragma once

#include "core/analysis/support/capture_facts.h"
#include "core/findings/finding.h"
#include "core/findings/rules.h"

#include <string_view>

namespace altiscope {

/// A rule, and what is done with its findings. Its texts follow from its name: RuleInfo.
struct Rule {
    RuleInfo info;
    void (*find)(RuleContext& context);
    /// Which rows it compares with those of other ranks: one that is lost looks like a difference.
    bool LostParts::*compares = nullptr;
    bool makesOthersWait = false;  ///< Others wait in their collectives for what it finds on a rank.
    /// Its severity does not follow from its time, so that it stays where others share that time: seconds in which the
    /// whole job stands still.
    bool isRatedByItself = false;
};

/// All rules in the order in which they run: causes before what they explain.
inline constexpr Rule kRules[] = {
    {.info = {"ai_cpu", RuleTopic::Other}, .find = findAiCpu, .makesOthersWait = true},
    {.info = {"frequency_drop", RuleTopic::Other}, .find = findFrequencyDrop, .makesOthersWait = true},
    {.info = {"slow_rank", RuleTopic::Communication},
     .find = findSlowRank,
     .compares = &LostParts::steps,
     .makesOthersWait = true},
    {.info = {"unbalanced_stages", RuleTopic::Communication},
     .find = findUnbalancedStages,
     .compares = &LostParts::steps,
     .makesOthersWait = true},
    {.info = {"unbalanced_ranks", RuleTopic::Communication},
     .find = findUnbalancedRanks,
     .compares = &LostParts::steps,
     .makesOthersWait = true},
    {.info = {"idle_cores", RuleTopic::Other}, .find = findIdleCores},
    {.info = {"fusible_sequence", RuleTopic::Other}, .find = findFusibleSequences},
    {.info = {"cube_efficiency", RuleTopic::Other}, .find = findCubeEfficiency},
    {.info = {"vector_efficiency", RuleTopic::Other}, .find = findVectorEfficiency},
    {.info = {"lost_packets", RuleTopic::Communication}, .find = findLostPackets, .isRatedByItself = true},
    {.info = {"small_packets", RuleTopic::Communication}, .find = findSmallPackets, .makesOthersWait = true},
    {.info = {"unaligned_packets", RuleTopic::Communication}, .find = findUnalignedPackets},
    {.info = {"slow_link", RuleTopic::Communication},
     .find = findSlowLinks,
     .compares = &LostParts::links,
     .makesOthersWait = true},
    {.info = {"contention", RuleTopic::Communication}, .find = findContention},
    {.info = {"gc_pause", RuleTopic::Other}, .find = findGcPauses, .makesOthersWait = true},
    {.info = {"data_loading", RuleTopic::Other}, .find = findDataLoading, .makesOthersWait = true},
    {.info = {"memory_calls", RuleTopic::Other}, .find = findMemoryCalls, .makesOthersWait = true},
    {.info = {"operator_compilation", RuleTopic::Other}, .find = findCompilations, .makesOthersWait = true},
    {.info = {"slow_launches", RuleTopic::Other}, .find = findSlowLaunches, .makesOthersWait = true},
    {.info = {"memory_leak", RuleTopic::Other}, .find = findMemoryLeak},
    {.info = {"kept_stack", RuleTopic::Other}, .find = findKeptStacks},
    {.info = {"out_of_memory", RuleTopic::Other}, .find = findOutOfMemory},
    {.info = {"pipeline_bubble", RuleTopic::Communication}, .find = findPipelineBubble, .compares = &LostParts::steps},
    {.info = {"collective_wait", RuleTopic::Communication},
     .find = findCollectiveWaits,
     .compares = &LostParts::collectives},
    {.info = {"exposed_communication", RuleTopic::Communication}, .find = findExposedCommunication},
    {.info = {"free_gap", RuleTopic::Other}, .find = findFreeGap},
    {.info = {"synchronizations", RuleTopic::Other}, .find = findSynchronizations},
    {.info = {"tiny_kernels", RuleTopic::Other}, .find = findTinyKernels},
    {.info = {"free_time", RuleTopic::Other}, .find = findFreeTime},
    {.info = {"fail_slow", RuleTopic::Other}, .find = findFailSlow, .compares = &LostParts::steps},
    {.info = {"step_outlier", RuleTopic::Other}, .find = findStepOutliers},
    {.info = {"unfused_optimizer", RuleTopic::Other}, .find = findUnfusedOptimizers},
    {.info = {"affinity_api", RuleTopic::Other}, .find = findAffinityApis},
    {.info = {"dynamic_shapes", RuleTopic::Other}, .find = findDynamicShapes},
    {.info = {"sync_batch_norm", RuleTopic::Other}, .find = findSyncBatchNorms},
    {.info = {"environment", RuleTopic::Other}, .find = findEnvironment},
    {.info = {"missing_data", RuleTopic::Other}, .find = findMissingData},
    {.info = {"cut_timeline", RuleTopic::Other}, .find = findCutTimelines},
    {.info = {"fragmentation", RuleTopic::Other}, .find = findFragmentation},
    {.info = {"memory_spike", RuleTopic::Other}, .find = findMemorySpike},
    {.info = {"unused_allocation", RuleTopic::Other}, .find = findUnusedAllocations},
    {.info = {"cut_history", RuleTopic::Other}, .find = findCutHistory},
};

/// The name of a rule in this room: one that kRules lacks does not compile.
class RuleName {
public:
    consteval RuleName(const char* word) : m_word(ruleOf(word).info.rule) {}
    constexpr explicit RuleName(const Rule& rule) : m_word(rule.info.rule) {}
    constexpr operator std::string_view() const { return m_word; }
    friend constexpr bool operator==(std::string_view word, RuleName name) { return word == name.m_word; }

private:
    static consteval const Rule& ruleOf(std::string_view word) {
        for (const Rule& rule : kRules) {
            if (rule.info.rule == word) return rule;
        }
        throw "there is no such rule";
    }
    std::string_view m_word;
};

/// Null for a word that no rule has.
constexpr const Rule* findRule(std::string_view word) {
    for (const Rule& rule : kRules) {
        if (rule.info.rule == word) return &rule;
    }
    return nullptr;
}

}  // namespace altiscope
