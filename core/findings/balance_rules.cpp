#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Pipelines of one recording and role.
using Job = std::pair<std::uint32_t, std::string>;

struct StageTime {
    std::int64_t stage = 0;
    double computing = 0;  ///< Median over its ranks, ns per step.
};

/// The stages of each job that has several.
std::map<Job, std::vector<StageTime>> stageTimes(const CaptureFacts& facts) {
    std::map<Job, std::vector<StageTime>> jobs;
    for (const auto& [cohort, computing] : cohortMedians(facts, &StepFacts::computing))
        jobs[{std::get<0>(cohort), std::get<1>(cohort)}].push_back({std::get<2>(cohort), computing});
    std::erase_if(jobs, [](const auto& job) { return job.second.size() < 2; });
    return jobs;
}

/// The rank of a stage that a finding is about: for which a time of the mean step is longest.
template <class Time>
std::optional<RankIndex> rankOf(const CaptureFacts& facts, const Job& job, std::int64_t stage, Time timeOf) {
    return worstRank(facts, [&](const RankFacts& rank) {
        return cohortOf(rank) == Cohort{job.first, job.second, stage} ? timeOf(rank) : 0;
    });
}

/// How many micro-batches a step has, by job; from what its ranks receive.
std::map<Job, double> microBatchesOf(const CaptureFacts& facts) {
    std::map<Job, std::vector<double>> counts;
    for (const RankFacts& rank : facts.ranks) {
        if (rank.stages < 2 || rank.receivesPerStep <= 0) continue;
        // A stage between two others receives from both of them for each micro-batch.
        const bool isEnd = rank.stage == 0 || rank.stage == rank.stages - 1;
        counts[{rank.recording, rank.role}].push_back(isEnd ? rank.receivesPerStep : rank.receivesPerStep / 2);
    }
    std::map<Job, double> microBatches;
    for (auto& [job, all] : counts) microBatches.emplace(job, std::max(1.0, median(std::move(all))));
    return microBatches;
}

/// How many layers a rank computes: each goes backwards through its attention once for each micro-batch (forwards it
/// may do so again). 0: not known.
double layersOf(const RankFacts& rank, const std::map<Job, double>& microBatches) {
    const auto known = microBatches.find({rank.recording, rank.role});
    if (known == microBatches.end() || rank.steps.empty()) return 0;
    std::uint64_t calls = 0;
    for (const auto& [name, kernel] : rank.kernels) {
        if (name.find("AttentionScoreGrad") != std::string::npos) calls += kernel.count;
    }
    return static_cast<double>(calls) / static_cast<double>(rank.steps.size()) / known->second;
}

/// Whether no layer, which moves as a whole, could go from the slowest stage to the fastest so that both take less than
/// the slowest one does now. Where nothing states the layers, a gap that is less than one of four is too small.
bool isBalancedAsLayersAllow(const RuleContext& context, double slowest, double fastest, double mean, double layers) {
    if (layers >= 1) return fastest + slowest / layers >= slowest;
    return slowest - mean < context.thresholds.stageGapShare * mean;
}

/// ns per step that kernels of each type take more on one rank than on another.
std::map<std::string, double, std::less<>> moreByType(const RankFacts& slow, const RankFacts& fast) {
    std::map<std::string, double, std::less<>> byType;
    const auto add = [&](const RankFacts& rank, double sign) {
        const auto steps = static_cast<double>(std::max<std::size_t>(1, rank.steps.size()));
        for (const auto& [name, kernel] : rank.kernels)
            byType[kernel.type] += sign * static_cast<double>(kernel.total) / steps;
    };
    add(slow, 1);
    add(fast, -1);
    return byType;
}

/// Causes that make a stage longer than the fastest one.
void nameStageDifference(Finding& finding, const RankFacts& slow, const RankFacts& fast) {
    const auto perStep = [](const RankFacts& rank) {
        return std::to_string(rank.kernelCount / std::max<std::size_t>(1, rank.steps.size()));
    };
    std::string types = largestTypes(moreByType(slow, fast));
    if (types.empty() || slow.kernelCount == 0 || fast.kernelCount == 0) return;
    addParameter(finding, "types", std::move(types));
    addParameter(finding, "slow_kernels", perStep(slow));
    addParameter(finding, "fast_kernels", perStep(fast));
    addNote(finding, "finding.note.stage_difference");
}

/// As names of receives are written by HCCL and by MindSpore up to 2.3.
constexpr std::string_view kReceives = "kind = 'p2p' AND (op_name GLOB 'hcom_receive*' OR op_name GLOB '*Receive-op*')";

/// Gain of a schedule without avoidable waits, once all causes are gone: p stages take (m + p - 1) / m times as
/// long as the slowest of them computes for its m micro-batches.
/// @param microBatches  0: not known, and no wait is called unavoidable.
std::optional<Claim> bubbleClaim(const RuleContext& context, const RankFacts& rank, double microBatches) {
    auto claim = whatIfClaim(context, WhatIf::NoPipelineWaits);
    const auto ideal = idealStep(context);
    // Batched transfers, and those of a rank whose peer is not here, have no replay without them.
    if (!claim || claim->ranks.empty()) return std::nullopt;
    if (!ideal || microBatches < 1) return claim;
    const auto alone = static_cast<double>(*ideal - claim->recoverable), others = static_cast<double>(rank.stages - 1);
    const std::int64_t unavoidable = saturatedRound(alone * others / microBatches);
    claim->recoverable = std::max<std::int64_t>(0, claim->recoverable - unavoidable);
    claim->now = claim->low = claim->high = claim->recoverable;
    return claim;
}

/// Where nothing states what a step consists of, waits of its receives are all that is known of the pipeline: what is
/// computed meanwhile is not recorded, nor what could be won.
void findReceiveWaits(RuleContext& context) {
    constexpr double kMost = 0.5;  // of a step: hardly anything else can be worth more
    const auto share = [](const RankFacts& rank) {
        const ReceiveWaits& waits = rank.receiveWaits;
        return waits.time > 0 ? static_cast<double>(waits.wait) / static_cast<double>(waits.time) : 0;
    };
    const auto worst = worstRank(context.facts, [&](const RankFacts& rank) {
        const ReceiveWaits& waits = rank.receiveWaits;
        return share(rank) < context.thresholds.bubbleShare ? 0 : waits.wait / static_cast<std::int64_t>(waits.steps);
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    const auto steps = static_cast<std::int64_t>(rank.receiveWaits.steps);
    Finding finding = rankFinding(context, "pipeline_bubble", *worst, std::nullopt, {"bubble_share"});
    if (share(rank) >= kMost) finding.severity = FindingSeverity::Medium;
    addParameter(finding, "bubble", timeText(rank.receiveWaits.wait / steps));
    addParameter(finding, "bubble_share", shareText(share(rank)));
    addParameter(finding, "step", timeText(rank.receiveWaits.time / steps));
    addNote(finding, "finding.note.bubble_of_receives");
    addCollectiveRows(finding, rank, kReceives);
    context.findings.push_back(std::move(finding));
}

std::string countText(double count) { return std::to_string(std::llround(count)); }

}  // namespace

void findUnbalancedStages(RuleContext& context) {
    const std::map<Job, double> microBatches = microBatchesOf(context.facts);
    for (const auto& [job, stages] : stageTimes(context.facts)) {
        const auto slower = [](const StageTime& a, const StageTime& b) { return a.computing < b.computing; };
        const StageTime slowest = *std::max_element(stages.begin(), stages.end(), slower),
                        fastest = *std::min_element(stages.begin(), stages.end(), slower);
        double sum = 0;
        for (const StageTime& stage : stages) sum += stage.computing;
        const double mean = sum / static_cast<double>(stages.size()), more = slowest.computing - mean;
        const auto computing = [](const RankFacts& rank) { return meanOfSteps(rank, &StepFacts::computing); };
        const auto slow = rankOf(context.facts, job, slowest.stage, computing),
                   waits = rankOf(context.facts, job, fastest.stage, meanNotOverlapped);
        if (!slow ||
            more < context.thresholds.rankGapShare * static_cast<double>(meanStep(context.facts.ranks[slow->value])))
            continue;
        // Where stages work one after the other, layers that move win nothing.
        const auto claim = whatIfClaim(context, WhatIf::BalancedStages);
        if (claim && !isSeen(context, context.facts.ranks[slow->value], claim->recoverable)) continue;
        const std::int64_t atMost =
            limitedCost(context.facts.ranks[slow->value], {saturatedRound(more)}, {&StepFacts::computing});
        Finding finding =
            claimFinding(context, "unbalanced_stages", *slow, claim, atMost, {"rank_gap_share", "stage_gap_share"});
        if (isBalancedAsLayersAllow(context, slowest.computing, fastest.computing, mean,
                                    layersOf(context.facts.ranks[slow->value], microBatches)))
            lowerSeverity(finding, FindingSeverity::Low, "finding.note.small_imbalance");
        addParameter(finding, "slow_stage", std::to_string(slowest.stage));
        addParameter(finding, "slow_time", timeText(saturatedRound(slowest.computing)));
        addParameter(finding, "fast_stage", std::to_string(fastest.stage));
        addParameter(finding, "fast_time", timeText(saturatedRound(fastest.computing)));
        addParameter(finding, "stages", std::to_string(stages.size()));
        addParameter(finding, "mean", timeText(saturatedRound(mean)));
        addParameter(finding, "waits", timeText(waits ? meanNotOverlapped(context.facts.ranks[waits->value]) : 0));
        const auto fast = rankOf(context.facts, job, fastest.stage, computing);
        if (fast) nameStageDifference(finding, context.facts.ranks[slow->value], context.facts.ranks[fast->value]);
        addStepRanges(finding, context.facts.ranks[slow->value], *slow);
        addRows(finding, "step_breakdown", "");
        context.findings.push_back(std::move(finding));
    }
}

void findUnbalancedRanks(RuleContext& context) {
    // With a replay that is a cause of kernels.
    if (replayedJob(context.facts) != nullptr) return;
    const std::vector<std::optional<double>> usual = mediansOfOthers(context.facts, &StepFacts::computing);
    const std::vector<StepCost> frequency = frequencyCosts(context);
    const auto worst = worstCost(context.facts, {&StepFacts::computing}, [&](const RankFacts& rank) {
        const RankIndex r = indexOf(context, rank);
        if (!usual[r.value]) return StepCost{};
        std::int64_t more =
            saturatedDifference(meanOfSteps(rank, &StepFacts::computing), saturatedRound(*usual[r.value]));
        for (const std::int64_t known : {saidOf(context, r, {"slow_rank"}), aiCpuCost(context, rank).time,
                                         limitedCost(rank, frequency[r.value], {&StepFacts::computing})})
            more = saturatedDifference(more, known);
        const double min = context.thresholds.rankGapShare * static_cast<double>(meanStep(rank));
        return StepCost{static_cast<double>(more) < min ? std::int64_t{0} : more};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding = rankFinding(context, "unbalanced_ranks", worst->rank, worst->time, {"rank_gap_share"});
    addComparison(finding, meanOfSteps(rank, &StepFacts::computing), saturatedRound(*usual[worst->rank.value]));
    addStepRanges(finding, rank, worst->rank);
    addPeers(context, finding, worst->rank);
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

void findPipelineBubble(RuleContext& context) {
    const std::map<Job, double> microBatches = microBatchesOf(context.facts);
    // With `parts` of the model in each stage a schedule fills and empties as many times faster.
    const auto unavoidable = [&](const RankFacts& rank, double parts = 1) {
        const auto known = microBatches.find({rank.recording, rank.role});
        const auto others = static_cast<double>(rank.stages - 1);
        return known == microBatches.end()
                   ? 0
                   : static_cast<double>(meanStep(rank)) * others / (parts * known->second + others);
    };
    // Step tables count batched sends and receives as communication.
    const auto bubbleOf = [](const RankFacts& rank) {
        return saturatedSum(meanOfSteps(rank, &StepFacts::bubble), meanOfSteps(rank, &StepFacts::batched));
    };
    const auto isLong = [&](const RankFacts& rank) {
        return rank.stages > 1 && static_cast<double>(bubbleOf(rank)) >=
                                      context.thresholds.bubbleShare * static_cast<double>(meanStep(rank));
    };
    const auto worst =
        worstRank(context.facts, [&](const RankFacts& rank) { return isLong(rank) ? bubbleOf(rank) : 0; });
    if (!worst) return findReceiveWaits(context);
    const RankFacts& rank = context.facts.ranks[worst->value];
    const std::int64_t bubble = bubbleOf(rank), step = meanStep(rank);
    const auto counted = microBatches.find({rank.recording, rank.role});
    const bool isKnown = counted != microBatches.end();
    // The whole bubble is named, and what can be recovered of it is what no other cause has.
    const auto claim = bubbleClaim(context, rank, counted == microBatches.end() ? 0 : counted->second);
    static constexpr RuleName kBefore[] = {"slow_rank", "unbalanced_stages", "unbalanced_ranks", "gc_pause",
                                           "slow_launches"};
    const std::int64_t others = saidOfOthers(context, *worst, kBefore);
    const std::int64_t avoidable = saturatedDifference(bubble, saturatedRound(unavoidable(rank)));
    Finding finding = boundFinding(context, "pipeline_bubble", *worst, claim,
                                   std::max<std::int64_t>(0, saturatedDifference(avoidable, others)), {"bubble_share"});
    if (const std::int64_t batched = meanOfSteps(rank, &StepFacts::batched); batched > 0) {
        addParameter(finding, "batched", timeText(batched));
        addParameter(finding, "batched_wait", timeText(meanOfSteps(rank, &StepFacts::batchedWait)));
        addNote(finding, "finding.note.bubble_batched");
        addCollectiveRows(finding, rank, "op_name GLOB 'hcom_batchSendRecv*'");
    }
    addNote(finding, isKnown ? "finding.note.bubble_unavoidable" : "finding.note.bubble_unknown");
    // Interleaved stages take as many micro-batches at once as there are stages.
    if (isKnown && std::llround(counted->second) >= rank.stages) addNote(finding, "finding.note.bubble_interleaved");
    addParameter(finding, "bubble", timeText(bubble));
    addParameter(finding, "bubble_share", shareText(static_cast<double>(bubble) / static_cast<double>(step)));
    addParameter(finding, "step", timeText(step));
    addParameter(finding, "unavoidable", timeText(std::min(bubble, saturatedRound(unavoidable(rank)))));
    addParameter(finding, "stages", std::to_string(rank.stages));
    if (isKnown) {
        addParameter(finding, "micro_batches", countText(counted->second));
        addParameter(finding, "interleaved", timeText(std::min(bubble, saturatedRound(unavoidable(rank, 2)))));
    }
    addStepRanges(finding, rank, *worst);
    addRows(finding, "step_breakdown", "");
    if (rank.receivesPerStep > 0) addCollectiveRows(finding, rank, kReceives);
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
