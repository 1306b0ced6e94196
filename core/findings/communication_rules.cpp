#include "core/findings/rules.h"

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

/// Gradients can be reduced while the backward pass goes on; data of tensor and pipeline groups is waited for.
bool canHide(const CollectiveFacts& collectives) {
    if (collectives.isPeerToPeer || collectives.isOfActivations) return false;
    const std::string& type = collectives.parallelType;
    return type.empty() || type.starts_with("dp") || type.starts_with("edp") || type.starts_with("default");
}

}  // namespace

void findExposedCommunication(RuleContext& context) {
    struct Sum {
        std::int64_t exposed = 0, all = 0;
        std::int64_t total = 0, last = 0;         ///< ns exposed in all steps; and of the last collectives of each.
        std::int64_t steps = 0;                   ///< With any.
        std::optional<std::int64_t> couldHide{};  ///< As CollectiveFacts.
        const CollectiveFacts* most = nullptr;
    };
    const auto sumOf = [](const RankFacts& rank) {
        Sum sum;
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
    };
    // The last gradients are there only when nothing is left to compute.
    const auto isMostlyLast = [&](const Sum& sum) {
        const std::int64_t before = std::max<std::int64_t>(0, saturatedDifference(sum.total, sum.last));
        return sum.last > 0 &&
               static_cast<double>(before) < context.thresholds.hiddenShare * static_cast<double>(sum.total);
    };
    // What could hide of a step; where next to nothing could, all of it is named, and rated low.
    const auto couldHide = [&](const Sum& sum) {
        if (sum.steps == 0 || isMostlyLast(sum)) return sum.exposed;
        return std::min(sum.exposed, sum.couldHide.value_or(saturatedDifference(sum.total, sum.last)) / sum.steps);
    };
    // At most what is exposed at all (groups run side by side), and what computing is left to hide it behind.
    const auto worst = worstCause(context, "exposed_communication", {&StepFacts::exposed}, [&](const RankFacts& rank) {
        const std::int64_t alone = meanNotOverlapped(rank);
        const std::int64_t overlapped = saturatedDifference(meanOfSteps(rank, &StepFacts::communication), alone);
        const std::int64_t room = saturatedDifference(meanOfSteps(rank, &StepFacts::computing), overlapped);
        // One waits for what holds up others; links and packets hold up both of their ends.
        const RankIndex place = indexOf(context, rank);
        const std::int64_t links =
            std::max(costOn(context, place, {"slow_link"}), costOnOthers(context, place, {"slow_link"}));
        const std::int64_t packets =
            std::max(costOn(context, place, {"small_packets"}), costOnOthers(context, place, {"small_packets"}));
        const std::int64_t explained =
            saturatedSum(saturatedSum(links, packets), costOnOthers(context, place, {"slow_rank", "gc_pause"}));
        const Sum sum = sumOf(rank);
        return StepCost{std::min({saturatedDifference(sum.exposed, explained), couldHide(sum), room})};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    const Sum sum = sumOf(rank);
    Finding finding = rankFinding(context, "exposed_communication", *worst,
                                  context.costs["exposed_communication"][worst->value], {"hidden_share"});
    // Where much of it does hide, the rest is what the model and the network leave: worth knowing, hardly a fault.
    const double hidden =
        1 - static_cast<double>(sum.exposed) / static_cast<double>(std::max<std::int64_t>(1, sum.all));
    if (hidden >= context.thresholds.hiddenShare)
        lowerSeverity(finding, FindingSeverity::Low, "finding.note.mostly_hidden");
    if (isMostlyLast(sum)) lowerSeverity(finding, FindingSeverity::Low, "finding.note.last_of_step");
    addParameter(finding, "exposed", timeText(sum.exposed));
    addParameter(finding, "all", timeText(sum.all));
    addParameter(finding, "hidden", shareText(std::max(0.0, hidden)));
    addParameter(finding, "not_overlapped", timeText(meanOfSteps(rank, &StepFacts::exposed)));
    addSlices(finding, sum.most->exposed);
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
