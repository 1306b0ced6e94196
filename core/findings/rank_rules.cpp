#include "core/findings/rules.h"

#include "core/analysis/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace altiscope {

namespace {

/// Ranks that do the same work at the same time: of one recording and one stage.
using Cohort = std::pair<std::uint32_t, std::int64_t>;

Cohort cohortOf(const RankFacts& rank) { return {rank.recording, rank.stage}; }

/// Mean times of the kernels of each name on the ranks of one cohort.
using MeansByName = std::map<std::string_view, std::vector<std::pair<std::size_t, double>>>;

std::map<Cohort, MeansByName> kernelMeans(const CaptureFacts& facts) {
    std::map<Cohort, MeansByName> cohorts;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        MeansByName& cohort = cohorts[cohortOf(facts.ranks[r])];
        for (const auto& [name, kernel] : facts.ranks[r].kernels)
            cohort[name].emplace_back(r, static_cast<double>(kernel.total) / static_cast<double>(kernel.count));
    }
    return cohorts;
}

/// Time of each rank's kernels above what the same kernels take on the others, ns in all steps.
std::vector<double> kernelExcess(const CaptureFacts& facts, const CancelToken& cancel) {
    std::vector<double> excess(facts.ranks.size());
    for (const auto& [cohort, byName] : kernelMeans(facts)) {
        for (const auto& [name, means] : byName) {
            if (cancel.cancelled()) return excess;
            if (means.size() < 2) continue;
            // A stage of many ranks needs no median without oneself: it would be the same to all that matters.
            constexpr std::size_t kFew = 16;
            std::vector<double> all;
            for (const auto& [rank, mean] : means) all.push_back(mean);
            const double middle = median(all);
            for (std::size_t i = 0; i < means.size(); ++i) {
                double usual = middle;
                if (means.size() <= kFew) {
                    std::vector<double> others = all;
                    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
                    usual = median(std::move(others));
                }
                const auto& [rank, mean] = means[i];
                excess[rank] += (mean - usual) * static_cast<double>(facts.ranks[rank].kernels.find(name)->second.count);
            }
        }
    }
    return excess;
}

/// The medians of a value over the ranks of each cohort that have steps, where these are two at least.
std::map<Cohort, double> cohortMedians(const CaptureFacts& facts, std::int64_t StepFacts::* part) {
    std::map<Cohort, std::vector<double>> values;
    for (const RankFacts& rank : facts.ranks) {
        if (meanStep(rank) > 0) values[cohortOf(rank)].push_back(static_cast<double>(meanOfSteps(rank, part)));
    }
    std::map<Cohort, double> medians;
    for (auto& [cohort, all] : values) {
        if (all.size() >= 2) medians.emplace(cohort, median(std::move(all)));
    }
    return medians;
}

std::int64_t stepsOf(const RankFacts& rank) {
    return std::count_if(rank.steps.begin(), rank.steps.end(), [](const StepFacts& step) { return step.endToEnd() > 0; });
}

}  // namespace

void findSlowRank(RuleContext& context) {
    const CaptureFacts& facts = context.facts;
    const std::vector<double> excess = kernelExcess(facts, context.cancel);
    if (context.cancel.cancelled()) return;
    const std::map<Cohort, double> usual = cohortMedians(facts, &StepFacts::computing);
    std::vector<std::int64_t>& costs = context.costs["slow_rank"];
    costs.resize(facts.ranks.size());
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        const RankFacts& rank = facts.ranks[r];
        const std::int64_t step = meanStep(rank), steps = stepsOf(rank);
        if (step <= 0) continue;
        double more = 0;
        if (!rank.kernels.empty()) {
            more = excess[r] / static_cast<double>(steps);
        } else if (const auto known = usual.find(cohortOf(rank)); known != usual.end()) {
            more = static_cast<double>(meanOfSteps(rank, &StepFacts::computing)) - known->second;
        }
        const bool byKernels = !rank.kernels.empty();
        const double least = byKernels ? context.thresholds.rankKernelShare : context.thresholds.rankGapShare;
        if (more < least * static_cast<double>(step)) continue;
        costs[r] = saturatedRound(more);
        Finding finding = rankFinding(context, "slow_rank", r, costs[r],
                                      {byKernels ? std::string_view("rank_kernel_share") : std::string_view("rank_gap_share")});
        // All other ranks wait for it, so that it costs the job what it costs this rank.
        if (byKernels) finding.severity = std::min(finding.severity, FindingSeverity::Medium);
        addParameter(finding, "computing", timeText(meanOfSteps(rank, &StepFacts::computing)));
        addStepRanges(finding, rank, r);
        addRows(finding, "step_breakdown", "");
        context.findings.push_back(std::move(finding));
    }
}

void findFreeGap(RuleContext& context) {
    const CaptureFacts& facts = context.facts;
    const std::map<Cohort, double> usual = cohortMedians(facts, &StepFacts::free);
    const auto more = [&](const RankFacts& rank) {
        const auto known = usual.find(cohortOf(rank));
        const std::int64_t step = meanStep(rank);
        if (known == usual.end() || step <= 0) return std::int64_t{0};
        const auto place = static_cast<std::size_t>(&rank - facts.ranks.data());
        const std::int64_t above = saturatedDifference(meanOfSteps(rank, &StepFacts::free), saturatedRound(known->second));
        const std::int64_t gap = saturatedDifference(above, costOn(context, place, {"gc_pause", "data_loading", "slow_launches"}));
        return static_cast<double>(gap) < context.thresholds.rankGapShare * static_cast<double>(step) ? std::int64_t{0} : gap;
    };
    const auto worst = worstCause(context, "free_gap", more);
    if (!worst) return;
    const std::int64_t recoverable = context.costs["free_gap"][*worst];
    Finding finding = rankFinding(context, "free_gap", *worst, recoverable, {"rank_gap_share"});
    addParameter(finding, "free", timeText(meanOfSteps(facts.ranks[*worst], &StepFacts::free)));
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

void findStepOutliers(RuleContext& context) {
    constexpr std::size_t kFewest = 5;  // below, the median of the distances says nothing
    std::optional<Finding> worst;
    for (std::size_t r = 0; r < context.facts.ranks.size(); ++r) {
        const RankFacts& rank = context.facts.ranks[r];
        std::vector<double> times, distances;
        for (const StepFacts& step : rank.steps) {
            if (step.endToEnd() > 0) times.push_back(static_cast<double>(step.endToEnd()));
        }
        if (times.size() < kFewest) continue;
        const double middle = median(times);
        for (const double time : times) distances.push_back(std::abs(time - middle));
        const double spread = median(std::move(distances));
        for (const StepFacts& step : rank.steps) {
            const double more = static_cast<double>(step.endToEnd()) - middle;
            const bool isFar = spread <= 0 ? more > 0 : 0.6745 * more / spread > context.thresholds.outlierZ;
            if (!isFar || more < context.thresholds.outlierShare * middle) continue;
            // One step of one rank: the others wait for it, so all ranks show it.
            if (worst && *worst->recoverable >= saturatedRound(more)) continue;
            worst = rankFinding(context, "step_outlier", r, saturatedRound(more), {"outlier_z", "outlier_share"});
            // Only this step wins it back.
            worst->severity = FindingSeverity::Low;
            worst->step = step.step;
            addParameter(*worst, "step", step.step ? std::to_string(*step.step) : std::string("-"));
            addParameter(*worst, "time", timeText(step.endToEnd()));
            addParameter(*worst, "usual", timeText(saturatedRound(middle)));
            if (rank.hasEvents) {
                worst->range = step.range;
                worst->evidence.ranges.push_back({static_cast<std::uint32_t>(r), step.range});
            }
            addRows(*worst, "step_breakdown", step.step ? "step = " + std::to_string(*step.step) : std::string());
        }
    }
    if (worst) context.findings.push_back(std::move(*worst));
}

}  // namespace altiscope
