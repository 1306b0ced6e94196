#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace altiscope {

namespace {

/// A finding about slices of the host that take long: the rank on which they take most of a step.
/// @param isMuch  Whether it is worth a finding.
template <class IsMuch>
void findLongSlices(RuleContext& context, std::string_view rule, Occurrences RankFacts::*slices, IsMuch isMuch,
                    std::string_view threshold, FindingSeverity minSeverity) {
    // Where the device had enough to do meanwhile, nothing is lost.
    const auto worst = worstCause(
        context, rule, {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}, [&](const RankFacts& rank) {
            const Occurrences& found = rank.*slices;
            return isMuch(found) ? StepCost{found.perAffectedStep(), found.byStep} : StepCost{};
        });
    if (!worst) return;
    const Occurrences& found = context.facts.ranks[worst->value].*slices;
    Finding finding = rankFinding(context, rule, *worst, context.costs[rule][worst->value], {threshold});
    rateByAllSteps(context, finding, found.stepsWithAny(), minSeverity);
    addParameter(finding, "count", std::to_string(found.count));
    addParameter(finding, "longest", timeText(found.max));
    addParameter(finding, "steps", std::to_string(found.stepsWithAny()));
    addSlices(finding, found);
    context.findings.push_back(std::move(finding));
}

/// Optimizers of PyTorch that have a fused one for the NPU.
constexpr std::array<std::string_view, 9> kFusible = {"Adam",  "AdamW",    "SGD",     "Adadelta", "Lamb",
                                                      "AdamP", "BertAdam", "RMSprop", "RMSpropTF"};

}  // namespace

void findGcPauses(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.max) >= context.thresholds.gcPauseNs;
    };
    // mended by one call
    findLongSlices(context, "gc_pause", &RankFacts::garbageCollections, isLong, "gc_pause", FindingSeverity::Medium);
}

void findDataLoading(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.max) >= context.thresholds.dataLoadingNs;
    };
    findLongSlices(context, "data_loading", &RankFacts::dataLoading, isLong, "data_loading", FindingSeverity::Low);
}

void findMemoryCalls(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.total) >= context.thresholds.memoryCallsNs;
    };
    findLongSlices(context, "memory_calls", &RankFacts::memoryCalls, isLong, "memory_calls", FindingSeverity::Low);
}

void findCompilations(RuleContext& context) {
    const auto isMuch = [&](const Occurrences& found) {
        return static_cast<double>(found.count) >= context.thresholds.compilations;
    };
    findLongSlices(context, "operator_compilation", &RankFacts::compilations, isMuch, "compilations",
                   FindingSeverity::Low);
}

void findConjecturedGc(RuleContext& context) {
    const auto worst = worstCause(context, "conjectured_gc", {&StepFacts::free}, [&](const RankFacts& rank) {
        const Occurrences& gaps = rank.silentGaps;
        return static_cast<double>(gaps.max) >= context.thresholds.silentGapNs
                   ? StepCost{gaps.perAffectedStep(), gaps.byStep}
                   : StepCost{};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    Finding finding =
        rankFinding(context, "conjectured_gc", *worst, context.costs["conjectured_gc"][worst->value], {"silent_gap"});
    lowerSeverity(finding, FindingSeverity::Medium, "finding.note.conjecture");
    addParameter(finding, "count", std::to_string(rank.silentGaps.count));
    addParameter(finding, "longest", timeText(rank.silentGaps.max));
    addParameter(finding, "steps", std::to_string(rank.silentGaps.stepsWithAny()));
    for (const TimeRange& gap : rank.longestSilentGaps) {
        if (!finding.range) finding.range = gap;
        finding.evidence.ranges.push_back({*worst, gap, true});
    }
    context.findings.push_back(std::move(finding));
}

void findSlowLaunches(RuleContext& context) {
    const auto meanGap = [](const RankFacts& rank) {
        return rank.launchGaps.count == 0
                   ? 0
                   : static_cast<double>(rank.launchGaps.total) / static_cast<double>(rank.launchGaps.count);
    };
    const auto worst = worstCause(context, "slow_launches", {&StepFacts::free}, [&](const RankFacts& rank) {
        const double gap = meanGap(rank);
        if (gap < context.thresholds.launchGapNs) return StepCost{};
        const double share = std::max(0.0, 1 - context.thresholds.usualLaunchGapNs / gap);
        return StepCost{saturatedRound(static_cast<double>(rank.launchGaps.perAffectedStep()) * share),
                        rank.launchGaps.byStep};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    Finding finding = rankFinding(context, "slow_launches", *worst, context.costs["slow_launches"][worst->value],
                                  {"launch_gap", "usual_launch_gap"});
    addParameter(finding, "gap", timeText(saturatedRound(meanGap(rank))));
    addParameter(finding, "usual", timeText(static_cast<std::int64_t>(context.thresholds.usualLaunchGapNs)));
    addParameter(finding, "count", std::to_string(rank.launchGaps.count));
    addParameter(finding, "free", timeText(meanOfSteps(rank, &StepFacts::free)));
    addSlices(finding, rank.launchGaps);
    for (const TimeRange& gap : rank.longestLaunchGaps) finding.evidence.ranges.push_back({*worst, gap, true});
    context.findings.push_back(std::move(finding));
}

void findSynchronizations(RuleContext& context) {
    const auto worst = worstCause(context, "synchronizations", {&StepFacts::free}, [&](const RankFacts& rank) {
        if (rank.steps.empty()) return StepCost{};
        const double each = static_cast<double>(rank.synchronizations.count) / static_cast<double>(rank.steps.size());
        if (each <= context.thresholds.synchronizationsPerStep) return StepCost{};
        return StepCost{rank.freeAfterSynchronization.perAffectedStep(), rank.freeAfterSynchronization.byStep};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    Finding finding = rankFinding(context, "synchronizations", *worst, context.costs["synchronizations"][worst->value],
                                  {"synchronizations_per_step"});
    // The device also waits for other reasons: this is the most that it could be.
    lowerSeverity(finding, FindingSeverity::Medium, "finding.note.upper_bound");
    addParameter(finding, "count", std::to_string(rank.synchronizations.count / rank.steps.size()));
    addParameter(finding, "time", timeText(rank.synchronizations.perAffectedStep()));
    addSlices(finding, rank.synchronizations);
    finding.evidence.isOfIdleDevice = true;
    addRows(finding, "slice", "name GLOB 'AscendCL@aclrtSynchronize*'");
    context.findings.push_back(std::move(finding));
}

void findUnfusedOptimizers(RuleContext& context) {
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const RankFacts& rank = context.facts.ranks[r.value];
        if (rank.hasForeachOptimizer) continue;
        for (const std::string& name : rank.optimizerNames) {
            if (std::find(kFusible.begin(), kFusible.end(), name) == kFusible.end()) continue;
            Finding finding = rankFinding(context, "unfused_optimizer", r, std::nullopt, {});
            addParameter(finding, "optimizer", name);
            addParameter(finding, "time", timeText(rank.optimizers.perAffectedStep()));
            addSlices(finding, rank.optimizers);
            addRows(finding, "slice", "name GLOB 'Optimizer.step#*'");
            context.findings.push_back(std::move(finding));
            return;  // all ranks run the same program
        }
    }
}

void findFreeTime(RuleContext& context) {
    const auto worst = worstCause(context, "free_time", {&StepFacts::free}, [&](const RankFacts& rank) {
        const std::int64_t free = meanOfSteps(rank, &StepFacts::free), step = meanStep(rank);
        const bool much = static_cast<double>(free) >= context.thresholds.freeShare * static_cast<double>(step);
        return StepCost{much ? free : 0};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    Finding finding =
        rankFinding(context, "free_time", *worst, context.costs["free_time"][worst->value], {"free_share"});
    const std::int64_t free = meanOfSteps(rank, &StepFacts::free);
    addParameter(finding, "free", timeText(free));
    addParameter(finding, "free_share", shareText(static_cast<double>(free) / static_cast<double>(meanStep(rank))));
    addStepRanges(finding, rank, *worst);
    finding.evidence.isOfIdleDevice = true;
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
