#include "core/findings/rules.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace altiscope {

namespace {

/// Mean times of the kernels of each name on the ranks of one stage.
using MeansByName = std::map<std::string_view, std::vector<std::pair<std::size_t, double>>>;

std::map<std::int64_t, MeansByName> kernelMeans(const CaptureFacts& facts) {
    std::map<std::int64_t, MeansByName> stages;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        MeansByName& stage = stages[facts.ranks[r].stage];
        for (const auto& [name, kernel] : facts.ranks[r].kernels)
            stage[name].emplace_back(r, static_cast<double>(kernel.total) / static_cast<double>(kernel.count));
    }
    return stages;
}

/// Time of each rank's kernels above what the same kernels take on the others, ns in all steps.
std::vector<double> kernelExcess(const CaptureFacts& facts) {
    std::vector<double> excess(facts.ranks.size());
    for (const auto& [stage, byName] : kernelMeans(facts)) {
        for (const auto& [name, means] : byName) {
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

/// The median of a value over the ranks of a stage that have steps; nullopt if there are fewer than two.
std::optional<double> stageMedian(const CaptureFacts& facts, std::int64_t stage, std::int64_t StepFacts::* part) {
    std::vector<double> values;
    for (const RankFacts& rank : facts.ranks) {
        if (rank.stage == stage && meanStep(rank) > 0) values.push_back(static_cast<double>(meanOfSteps(rank, part)));
    }
    if (values.size() < 2) return std::nullopt;
    return median(std::move(values));
}

std::map<std::int64_t, double> stageMedians(const CaptureFacts& facts, std::int64_t StepFacts::* part) {
    std::map<std::int64_t, double> medians;
    for (const RankFacts& rank : facts.ranks) {
        if (medians.contains(rank.stage)) continue;
        if (const auto middle = stageMedian(facts, rank.stage, part)) medians[rank.stage] = *middle;
    }
    return medians;
}

std::int64_t stepsOf(const RankFacts& rank) {
    return std::count_if(rank.steps.begin(), rank.steps.end(), [](const StepFacts& step) { return step.endToEnd() > 0; });
}

}  // namespace

void findSlowRank(RuleContext& context) {
    const CaptureFacts& facts = context.facts;
    const std::vector<double> excess = kernelExcess(facts);
    const std::map<std::int64_t, double> usual = stageMedians(facts, &StepFacts::computing);
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        const RankFacts& rank = facts.ranks[r];
        const std::int64_t step = meanStep(rank), steps = stepsOf(rank);
        if (step <= 0) continue;
        double more = 0;
        if (!rank.kernels.empty()) {
            more = excess[r] / static_cast<double>(steps);
        } else if (const auto known = usual.find(rank.stage); known != usual.end()) {
            more = static_cast<double>(meanOfSteps(rank, &StepFacts::computing)) - known->second;
        }
        const bool byKernels = !rank.kernels.empty();
        const double least = byKernels ? context.thresholds.rankKernelShare : context.thresholds.rankGapShare;
        if (more < least * static_cast<double>(step)) continue;
        Finding finding = rankFinding(context, "slow_rank", r, std::llround(more),
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
    const std::map<std::int64_t, double> usual = stageMedians(facts, &StepFacts::free);
    const std::int64_t explained = explainedBy(context.findings, {"gc_pause", "data_loading", "slow_launches"});
    const auto more = [&](const RankFacts& rank) {
        const auto known = usual.find(rank.stage);
        if (known == usual.end() || meanStep(rank) <= 0) return std::int64_t{0};
        return meanOfSteps(rank, &StepFacts::free) - static_cast<std::int64_t>(known->second) - explained;
    };
    const auto worst = worstRank(facts, more);
    if (!worst) return;
    const std::int64_t recoverable = more(facts.ranks[*worst]);
    const auto step = static_cast<double>(meanStep(facts.ranks[*worst]));
    if (static_cast<double>(recoverable) < context.thresholds.rankGapShare * step) return;
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
            if (worst && *worst->recoverable >= static_cast<std::int64_t>(more)) continue;
            worst = rankFinding(context, "step_outlier", r, static_cast<std::int64_t>(more), {"outlier_z", "outlier_share"});
            // Only this step wins it back.
            worst->severity = FindingSeverity::Low;
            worst->step = step.step;
            addParameter(*worst, "step", step.step ? std::to_string(*step.step) : std::string("-"));
            addParameter(*worst, "time", timeText(step.endToEnd()));
            addParameter(*worst, "usual", timeText(static_cast<std::int64_t>(middle)));
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
