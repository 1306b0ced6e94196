#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace altiscope {

namespace {

/// Mean times of the kernels of each name on the ranks of one cohort.
using MeansByName = std::map<std::string_view, std::vector<std::pair<RankIndex, double>>>;

std::map<Cohort, MeansByName> kernelMeans(const CaptureFacts& facts) {
    std::map<Cohort, MeansByName> cohorts;
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        MeansByName& cohort = cohorts[cohortOf(facts.ranks[r.value])];
        for (const auto& [name, kernel] : facts.ranks[r.value].kernels)
            cohort[name].emplace_back(r, static_cast<double>(kernel.total) / static_cast<double>(kernel.count));
    }
    return cohorts;
}

/// Time of a rank's kernels above what the same kernels take on the others, ns in all steps.
struct KernelExcess {
    double all = 0;
    std::map<std::string, double, std::less<>> byType;
};

std::vector<KernelExcess> kernelExcess(const CaptureFacts& facts, const CancelToken& cancel) {
    std::vector<KernelExcess> excess(facts.ranks.size());
    for (const auto& [cohort, byName] : kernelMeans(facts)) {
        for (const auto& [name, means] : byName) {
            if (cancel.cancelled()) return excess;
            if (means.size() < 2) continue;
            const std::vector<double> usual = usualOfOthers(means);
            for (std::size_t i = 0; i < means.size(); ++i) {
                const auto& [rank, mean] = means[i];
                const KernelFacts& kernel = facts.ranks[rank.value].kernels.find(name)->second;
                const double more = (mean - usual[i]) * static_cast<double>(kernel.count);
                excess[rank.value].all += more;
                excess[rank.value].byType[kernel.type] += more;
            }
        }
    }
    return excess;
}

std::int64_t stepsOf(const RankFacts& rank) {
    return std::count_if(rank.steps.begin(), rank.steps.end(),
                         [](const StepFacts& step) { return step.endToEnd() > 0; });
}

/// What operators on the AI CPU and low frequencies cost each rank above the median of its cohort, ns per step.
std::vector<double> costsAbovePeers(const RuleContext& context) {
    std::map<Cohort, std::vector<std::pair<RankIndex, double>>> cohorts;
    const std::vector<StepCost> frequency = frequencyCosts(context);
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const RankFacts& rank = context.facts.ranks[r.value];
        std::int64_t cost = limitedCost(rank, aiCpuCost(context, rank), {&StepFacts::computing});
        addSaturated(cost, limitedCost(rank, frequency[r.value], {&StepFacts::computing}));
        cohorts[cohortOf(rank)].emplace_back(r, static_cast<double>(cost));
    }
    std::vector<double> above(context.facts.ranks.size());
    for (const auto& [cohort, costs] : cohorts) {
        if (costs.size() < 2) continue;
        const std::vector<double> usual = usualOfOthers(costs);
        for (std::size_t i = 0; i < costs.size(); ++i)
            above[costs[i].first.value] = std::max(0.0, costs[i].second - usual[i]);
    }
    return above;
}

/// Which types of kernels make a rank slow, ns per step.
void nameSlowTypes(Finding& finding, const KernelExcess& excess, std::int64_t steps) {
    std::map<std::string, double, std::less<>> perStep;
    for (const auto& [type, ns] : excess.byType) perStep[type] = ns / static_cast<double>(steps);
    std::string types = largestTypes(perStep);
    if (types.empty()) return;
    addParameter(finding, "types", std::move(types));
    addNote(finding, "finding.note.slower_types");
}

}  // namespace

void findSlowRank(RuleContext& context) {
    const CaptureFacts& facts = context.facts;
    const std::vector<KernelExcess> excess = kernelExcess(facts, context.cancel);
    if (context.cancel.cancelled()) return;
    const std::vector<std::optional<double>> usual = mediansOfOthers(facts, &StepFacts::computing);
    const std::vector<double> known = costsAbovePeers(context);
    const std::optional<std::int64_t> ideal = idealStep(context);
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        const RankFacts& rank = facts.ranks[r.value];
        const std::int64_t step = meanStep(rank), steps = stepsOf(rank);
        if (step <= 0) continue;
        double more = 0;
        if (!rank.kernels.empty()) {
            more = excess[r.value].all / static_cast<double>(steps);
        } else if (usual[r.value]) {
            more = static_cast<double>(meanOfSteps(rank, &StepFacts::computing)) - *usual[r.value];
        }
        const double above = more;
        more -= known[r.value];
        const bool byKernels = !rank.kernels.empty();
        const double min = byKernels ? context.thresholds.rankKernelShare : context.thresholds.rankGapShare;
        const auto claim = claimOf(context, [r](const CauseFacts& cause) {
            return isClaimedBy("slow_rank")(cause) && cause.ranks == std::vector{r};
        });
        // Another cause that makes the step long hides no rank.
        if (more <= 0 || more < min * static_cast<double>(std::min(step, ideal.value_or(step)))) continue;
        const std::int64_t atMost = limitedCost(rank, {saturatedRound(more)}, {&StepFacts::computing});
        Finding finding =
            claimFinding(context, "slow_rank", r, claim, atMost,
                         {byKernels ? ThresholdName("rank_kernel_share") : ThresholdName("rank_gap_share")});
        // All other ranks wait for it, so that it costs the job what it costs this rank.
        if (byKernels && (!claim || static_cast<double>(claim->recoverable) >= min * static_cast<double>(step)))
            finding.severity = std::min(finding.severity, FindingSeverity::Medium);
        // Against its peers, whatever else explains a part of it.
        const std::int64_t own = meanOfSteps(rank, &StepFacts::computing);
        addComparison(finding, own, saturatedDifference(own, saturatedRound(above)));
        nameSlowTypes(finding, excess[r.value], steps);
        addStepRanges(finding, rank, r);
        addPeers(context, finding, r);
        addRows(finding, "step_breakdown", "");
        context.findings.push_back(std::move(finding));
    }
}

void findFreeGap(RuleContext& context) {
    // A replay says why: another host, or other kernels.
    if (replayedJob(context.facts) != nullptr) return;
    const std::vector<std::optional<double>> usual = mediansOfOthers(context.facts, &StepFacts::free);
    const auto worst = worstCost(context.facts, {&StepFacts::free}, [&](const RankFacts& rank) {
        const std::optional<double> known = usual[indexOf(context, rank).value];
        const std::int64_t step = meanStep(rank);
        if (!known || step <= 0) return StepCost{};
        const std::int64_t above = saturatedDifference(meanOfSteps(rank, &StepFacts::free), saturatedRound(*known));
        const std::int64_t gap = saturatedDifference(above, hostCost(context, rank));
        return StepCost{static_cast<double>(gap) < context.thresholds.rankGapShare * static_cast<double>(step)
                            ? std::int64_t{0}
                            : gap};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding = rankFinding(context, "free_gap", worst->rank, worst->time, {"rank_gap_share"});
    addComparison(finding, meanOfSteps(rank, &StepFacts::free), saturatedRound(*usual[worst->rank.value]));
    addStepRanges(finding, rank, worst->rank);
    addPeers(context, finding, worst->rank);
    finding.evidence.isOfIdleDevice = true;
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
