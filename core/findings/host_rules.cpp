#include "core/findings/rules.h"

#include "core/analysis/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace altiscope {

namespace {

/// A finding about slices of the host that take long: the rank on which they take most of a step.
void findLongSlices(RuleContext& context, std::string_view rule, Occurrences RankFacts::* slices, double longest,
                    std::string_view threshold, FindingSeverity leastSevere) {
    const auto time = [&](const RankFacts& rank) {
        const Occurrences& found = rank.*slices;
        if (static_cast<double>(found.greatest) < longest) return std::int64_t{0};
        // Where the device had enough to do meanwhile, nothing is lost.
        return std::min(found.perAffectedStep(), saturatedSum(meanOfSteps(rank, &StepFacts::free), meanOfSteps(rank, &StepFacts::notOverlapped)));
    };
    const auto worst = worstCause(context, rule, time);
    if (!worst) return;
    const Occurrences& found = context.facts.ranks[*worst].*slices;
    Finding finding = rankFinding(context, rule, *worst, time(context.facts.ranks[*worst]), {threshold});
    finding.severity = std::min(finding.severity, leastSevere);
    addParameter(finding, "count", std::to_string(found.count));
    addParameter(finding, "longest", timeText(found.greatest));
    addParameter(finding, "steps", std::to_string(found.stepsWithAny()));
    addSlices(finding, found);
    context.findings.push_back(std::move(finding));
}

/// Optimizers of PyTorch that have a fused one for the NPU.
constexpr std::array<std::string_view, 9> kFusible = {"Adam", "AdamW", "SGD", "Adadelta", "Lamb", "AdamP", "BertAdam", "RMSprop", "RMSpropTF"};

}  // namespace

void findGcPauses(RuleContext& context) {
    findLongSlices(context, "gc_pause", &RankFacts::garbageCollections, context.thresholds.gcPauseNs, "gc_pause",
                   FindingSeverity::Medium);  // mended by one call
}

void findDataLoading(RuleContext& context) {
    findLongSlices(context, "data_loading", &RankFacts::dataLoading, context.thresholds.dataLoadingNs, "data_loading",
                   FindingSeverity::Low);
}

void findSlowLaunches(RuleContext& context) {
    const auto meanGap = [](const RankFacts& rank) {
        return rank.launchGaps.count == 0 ? 0 : static_cast<double>(rank.launchGaps.total) / static_cast<double>(rank.launchGaps.count);
    };
    const auto lost = [&](const RankFacts& rank) {
        const double gap = meanGap(rank);
        if (gap < context.thresholds.launchGapNs) return std::int64_t{0};
        const double share = 1 - context.thresholds.usualLaunchGapNs / gap;
        return saturatedRound(static_cast<double>(rank.launchGaps.perAffectedStep()) * share);
    };
    const auto worst = worstCause(context, "slow_launches", lost);
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[*worst];
    Finding finding = rankFinding(context, "slow_launches", *worst, lost(rank), {"launch_gap", "usual_launch_gap"});
    addParameter(finding, "gap", timeText(saturatedRound(meanGap(rank))));
    addParameter(finding, "usual", timeText(static_cast<std::int64_t>(context.thresholds.usualLaunchGapNs)));
    addParameter(finding, "count", std::to_string(rank.launchGaps.count));
    addParameter(finding, "free", timeText(meanOfSteps(rank, &StepFacts::free)));
    addSlices(finding, rank.launchGaps);
    context.findings.push_back(std::move(finding));
}

void findSynchronizations(RuleContext& context) {
    const auto lost = [&](const RankFacts& rank) {
        if (rank.steps.empty()) return std::int64_t{0};
        const double each = static_cast<double>(rank.synchronizations.count) / static_cast<double>(rank.steps.size());
        if (each <= context.thresholds.synchronizationsPerStep) return std::int64_t{0};
        return std::min(rank.synchronizations.perAffectedStep(), meanOfSteps(rank, &StepFacts::free));
    };
    const auto worst = worstRank(context.facts, lost);
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[*worst];
    Finding finding = rankFinding(context, "synchronizations", *worst, lost(rank), {"synchronizations_per_step"});
    // The device also waits for other reasons: this is the most that it could be.
    finding.severity = std::max(finding.severity, FindingSeverity::Medium);
    addParameter(finding, "count", std::to_string(rank.synchronizations.count / rank.steps.size()));
    addParameter(finding, "time", timeText(rank.synchronizations.perAffectedStep()));
    addSlices(finding, rank.synchronizations);
    addRows(finding, "slice", "name GLOB 'AscendCL@aclrtSynchronize*'");
    context.findings.push_back(std::move(finding));
}

void findUnfusedOptimizers(RuleContext& context) {
    for (std::size_t r = 0; r < context.facts.ranks.size(); ++r) {
        const RankFacts& rank = context.facts.ranks[r];
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
    const auto lost = [&](const RankFacts& rank) {
        const std::int64_t free = meanOfSteps(rank, &StepFacts::free), step = meanStep(rank);
        const bool much = static_cast<double>(free) >= context.thresholds.freeShare * static_cast<double>(step);
        const auto place = static_cast<std::size_t>(&rank - context.facts.ranks.data());
        const std::int64_t explained = costOn(context, place, {"gc_pause", "data_loading", "slow_launches", "free_gap"});
        return much ? std::max<std::int64_t>(0, saturatedDifference(free, explained)) : 0;
    };
    const auto worst = worstRank(context.facts, lost);
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[*worst];
    Finding finding = rankFinding(context, "free_time", *worst, lost(rank), {"free_share"});
    const std::int64_t free = meanOfSteps(rank, &StepFacts::free);
    addParameter(finding, "free", timeText(free));
    addParameter(finding, "free_share", shareText(static_cast<double>(free) / static_cast<double>(meanStep(rank))));
    addStepRanges(finding, rank, *worst);
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
