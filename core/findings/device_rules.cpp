#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Those types whose longest kernel is worth a look.
std::vector<const std::pair<const std::string, Occurrences>*> slowAiCpuTypes(const RankFacts& rank, double longest) {
    std::vector<const std::pair<const std::string, Occurrences>*> types;
    for (const auto& type : rank.aiCpu) {
        if (static_cast<double>(type.second.max) >= longest) types.push_back(&type);
    }
    std::stable_sort(types.begin(), types.end(),
                     [](const auto* a, const auto* b) { return a->second.total > b->second.total; });
    return types;
}

/// The median of the highest frequencies of each rank's peers, MHz; 0 where none is known.
std::vector<double> highestOfPeers(const CaptureFacts& facts) {
    std::map<Cohort, std::vector<std::pair<RankIndex, double>>> cohorts;
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        const RankFacts& rank = facts.ranks[r.value];
        if (rank.highestMhz > 0) cohorts[cohortOf(rank)].emplace_back(r, static_cast<double>(rank.highestMhz));
    }
    std::vector<double> highest(facts.ranks.size());
    for (const auto& [cohort, values] : cohorts) {
        if (values.size() < 2) continue;
        const std::vector<double> usual = usualOfOthers(values);
        for (std::size_t i = 0; i < values.size(); ++i) highest[values[i].first.value] = usual[i];
    }
    return highest;
}

/// Evidence: the steps at a lower frequency, with one before and one after them, so that the fall is seen.
void addDrop(Finding& finding, const RankFacts& rank, RankIndex index) {
    const std::vector<std::int64_t>& byStep = rank.frequencyLoss.byStep;
    std::optional<TimeRange> range;
    for (std::size_t i = 0; i < std::min(byStep.size(), rank.steps.size()); ++i) {
        if (byStep[i] <= 0) continue;
        const TimeRange first = rank.steps[i == 0 ? 0 : i - 1].range,
                        last = rank.steps[std::min(i + 1, rank.steps.size() - 1)].range;
        range = TimeRange{range ? range->begin : first.begin, last.end};
    }
    if (range && !range->empty()) finding.evidence.ranges.push_back({index, *range});
}

/// ns in such kernels, per step that has any.
StepCost aiCpuTime(const RankFacts& rank, double longest) {
    StepCost sum;
    for (const auto* type : slowAiCpuTypes(rank, longest)) {
        addSaturated(sum.time, type->second.perAffectedStep());
        sum.byStep.resize(std::max(sum.byStep.size(), type->second.byStep.size()));
        for (std::size_t i = 0; i < type->second.byStep.size(); ++i)
            addSaturated(sum.byStep[i], type->second.byStep[i]);
    }
    return sum;
}

bool isDrop(const RuleContext& context, double lower, double higher) {
    return higher > 0 && lower > 0 && 1 - lower / higher >= context.thresholds.frequencyDropShare;
}

}  // namespace

StepCost aiCpuCost(const RuleContext& context, const RankFacts& rank) {
    const double saved = 1 - 1 / std::max(1.0, context.thresholds.aiCpuSlowdown);
    StepCost cost = aiCpuTime(rank, context.thresholds.aiCpuNs);
    cost.time = saturatedRound(static_cast<double>(cost.time) * saved);
    return cost;
}

std::vector<StepCost> frequencyCosts(const RuleContext& context) {
    const std::vector<double> ofPeers = highestOfPeers(context.facts);
    std::vector<StepCost> costs(context.facts.ranks.size());
    for (std::size_t r = 0; r < costs.size(); ++r) {
        const RankFacts& rank = context.facts.ranks[r];
        const auto highest = static_cast<double>(rank.highestMhz);
        if (isDrop(context, highest, ofPeers[r])) {
            const auto computing = static_cast<double>(meanOfSteps(rank, &StepFacts::computing));
            costs[r].time = saturatedRound((1 - highest / ofPeers[r]) * computing);
        } else if (isDrop(context, static_cast<double>(rank.lowestMhz), highest)) {
            costs[r] = {rank.frequencyLoss.perAffectedStep(), rank.frequencyLoss.byStep};
        }
    }
    return costs;
}

void findAiCpu(RuleContext& context) {
    const auto claim = claimOf(context, isClaimedBy("ai_cpu"));
    const auto worst = worstClaim(context, {&StepFacts::computing}, claim,
                                  [&](const RankFacts& rank) { return aiCpuCost(context, rank); });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding = claimFinding(context, "ai_cpu", worst->rank, claim, worst->time, {"ai_cpu", "ai_cpu_slowdown"});
    // Hardly ever meant to be there, and mended at one place; but less than steps differ by is no time that one sees.
    if (isSeen(context, rank, *finding.recoverable))
        finding.severity = std::min(finding.severity, FindingSeverity::Medium);
    std::string names;
    std::uint64_t count = 0;
    for (const auto* type : slowAiCpuTypes(rank, context.thresholds.aiCpuNs)) {
        names += (names.empty() ? "" : ", ") + type->first;
        count += type->second.count;
        addSlices(finding, type->second);
    }
    addParameter(finding, "types", std::move(names));
    addParameter(finding, "count", std::to_string(count));
    addParameter(finding, "time", timeText(aiCpuTime(rank, context.thresholds.aiCpuNs).time));
    addRows(finding, "kernel", "accelerator_core = 'AI_CPU'");
    context.findings.push_back(std::move(finding));
}

void findFrequencyDrop(RuleContext& context) {
    const std::vector<double> ofPeers = highestOfPeers(context.facts);
    const auto claim = claimOf(context, isClaimedBy("frequency_drop"));
    const std::vector<StepCost> costs = frequencyCosts(context);
    const auto worst = worstClaim(context, {&StepFacts::computing}, claim,
                                  [&](const RankFacts& rank) { return costs[indexOf(context, rank).value]; });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding =
        claimFinding(context, "frequency_drop", worst->rank, claim, worst->time, {"frequency_drop_share"});
    const double highestOfOthers = ofPeers[worst->rank.value];
    if (isDrop(context, static_cast<double>(rank.highestMhz), highestOfOthers)) {
        addParameter(finding, "highest", std::to_string(saturatedRound(highestOfOthers)));
        addParameter(finding, "lowest", std::to_string(rank.highestMhz));
        addParameter(finding, "steps", std::to_string(rank.steps.size()));
        addNote(finding, "finding.note.below_peers");
        addStepRanges(finding, rank, worst->rank);
        addPeers(context, finding, worst->rank);
    } else {
        addParameter(finding, "highest", std::to_string(rank.highestMhz));
        addParameter(finding, "lowest", std::to_string(rank.lowestMhz));
        addParameter(finding, "steps", std::to_string(rank.frequencyLoss.stepsWithAny()));
        addSlices(finding, rank.frequencyLoss);
        addDrop(finding, rank, worst->rank);
    }
    const bool isRate = claim && !claim->isEvent;
    if (!finding.isOfRecording) {
        finding.notes.insert(finding.notes.begin(),
                             isRate ? "finding.note.cost_of_step" : "finding.note.cost_of_such_step");
    }
    // Chips of several dies have one counter each.
    finding.evidence.counter = "AI Core Freq";
    addRows(finding, "counter", "name GLOB 'AI Core Freq*'");
    context.findings.push_back(std::move(finding));
}

void findTinyKernels(RuleContext& context) {
    const auto claim = whatIfClaim(context, WhatIf::TinyKernels);
    const auto worst = worstClaim(context, {&StepFacts::free}, claim, [&](const RankFacts& rank) {
        const double share = rank.kernelCount == 0
                                 ? 0
                                 : static_cast<double>(rank.tinyKernels.count) / static_cast<double>(rank.kernelCount);
        const std::int64_t free = meanOfSteps(rank, &StepFacts::free), step = meanStep(rank);
        const bool waits = static_cast<double>(free) >= context.thresholds.freeShare * static_cast<double>(step);
        if (share < context.thresholds.tinyKernelShare || !waits || rank.steps.empty()) return StepCost{};
        const std::int64_t cost = static_cast<std::int64_t>(rank.tinyKernels.count / rank.steps.size()) * kTinyKernelNs;
        return StepCost{isSeen(context, rank, cost) ? cost : 0};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    if (claim && !isSeen(context, rank, claim->recoverable)) return;
    Finding finding = boundFinding(context, "tiny_kernels", worst->rank, claim, worst->time,
                                   {"tiny_kernel_share", "free_share", "kernel_saving_share"});
    addParameter(finding, "count", std::to_string(rank.tinyKernels.count));
    addParameter(finding, "all", std::to_string(rank.kernelCount));
    addParameter(finding, "limit", timeText(kTinyKernelNs));
    addSlices(finding, rank.tinyKernels);
    addRows(finding, "kernel", "dur < " + std::to_string(kTinyKernelNs));
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
