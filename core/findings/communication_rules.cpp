#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <optional>

namespace altiscope {

namespace {

/// Adds what something costs in each step.
void addSteps(Occurrences& to, const Occurrences& part) {
    to.byStep.resize(std::max(to.byStep.size(), part.byStep.size()));
    for (std::size_t step = 0; step < part.byStep.size(); ++step) addSaturated(to.byStep[step], part.byStep[step]);
}

bool canHide(const CollectiveFacts& collectives) {
    if (collectives.isPeerToPeer || collectives.isOfActivations) return false;
    return collectives.parallelType.empty() || areOfGradients(collectives.parallelType);
}

struct ExposedSum {
    std::int64_t exposed = 0, all = 0;
    std::int64_t total = 0, last = 0;         ///< ns exposed in all steps; and of the last collectives of each.
    std::int64_t steps = 0;                   ///< With any.
    std::optional<std::int64_t> couldHide{};  ///< As CollectiveFacts.
    const CollectiveFacts* most = nullptr;

    double hiddenShare() const {
        return 1 - static_cast<double>(exposed) / static_cast<double>(std::max<std::int64_t>(1, all));
    }
    /// The last gradients are there only when nothing is left to compute.
    bool isMostlyLast(double hiddenShare) const {
        const std::int64_t before = std::max<std::int64_t>(0, saturatedDifference(total, last));
        return last > 0 && static_cast<double>(before) < hiddenShare * static_cast<double>(total);
    }
    /// Time of a step that could hide.
    std::int64_t couldHideOfStep() const {
        return steps == 0 ? exposed : std::min(exposed, couldHide.value_or(saturatedDifference(total, last)) / steps);
    }
};

ExposedSum exposedOf(const RankFacts& rank) {
    ExposedSum sum;
    Occurrences exposed, all;
    for (const CollectiveFacts& collectives : rank.collectives) {
        if (!canHide(collectives)) continue;
        addSteps(exposed, collectives.exposed);
        addSteps(all, collectives.all);
        if (collectives.couldHide) sum.couldHide = saturatedSum(sum.couldHide.value_or(0), *collectives.couldHide);
        addSaturated(sum.total, collectives.exposed.total);
        addSaturated(sum.last, collectives.lastExposed);
        if (sum.most == nullptr || sum.most->exposed.total < collectives.exposed.total) sum.most = &collectives;
    }
    sum.exposed = exposed.perAffectedStep();
    sum.all = all.perAffectedStep();
    sum.steps = static_cast<std::int64_t>(exposed.stepsWithAny());
    return sum;
}

}  // namespace

void findExposedCommunication(RuleContext& context) {
    // Steps differ by as much, and would not be seen to win less.
    const auto isMuch = [&](const RankFacts& rank, std::int64_t ns) {
        return static_cast<double>(ns) >= context.thresholds.kernelSavingShare * static_cast<double>(meanStep(rank));
    };
    const auto claim = claimOf(context, isClaimedBy("exposed_communication"));
    // Where much of it does hide, the rest is what the model and the network leave: that is nothing to say. What it
    // costs that nothing hides, a replay alone tells.
    const auto worst = worstRank(context.facts, [&](const RankFacts& rank) -> std::int64_t {
        const ExposedSum sum = exposedOf(rank);
        if (sum.most == nullptr) return 0;
        if (claim) return isMuch(rank, claim->recoverable) && claim->has(indexOf(context, rank)) ? sum.exposed : 0;
        const bool hides = sum.hiddenShare() >= context.thresholds.hiddenShare;
        const std::int64_t could = std::min(sum.couldHideOfStep(), meanOfSteps(rank, &StepFacts::computing));
        return hides || sum.isMostlyLast(context.thresholds.hiddenShare) || !isMuch(rank, could) ? 0 : sum.exposed;
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    const ExposedSum sum = exposedOf(rank);
    Finding finding = claim ? claimFinding(context, "exposed_communication", *worst, claim, 0, {"hidden_share"})
                            : rankFinding(context, "exposed_communication", *worst, std::nullopt, {"hidden_share"});
    addNote(finding, claim ? "finding.note.overlap_gain" : "finding.note.overlap_unknown");
    addParameter(finding, "exposed", timeText(sum.exposed));
    addParameter(finding, "all", timeText(sum.all));
    addParameter(finding, "hidden", shareText(std::max(0.0, sum.hiddenShare())));
    addParameter(finding, "not_overlapped", timeText(meanOfSteps(rank, &StepFacts::exposed)));
    // Level 0 records no tasks of collectives.
    if (rank.waits.empty()) addNote(finding, "finding.note.transit_unknown");
    addSlices(finding, sum.most->exposed);
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
