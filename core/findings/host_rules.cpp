#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// A finding about slices of the host that take long: the rank on which they take most of a step.
/// @param isMuch  Whether it is worth a finding.
/// @param claim   What a replay says of it.
template <class IsMuch>
void findLongSlices(RuleContext& context, RuleName rule, Occurrences RankFacts::*slices, IsMuch isMuch,
                    const std::optional<Claim>& claim, ThresholdName threshold, FindingSeverity minSeverity) {
    const auto worst = worstClaim(
        context, {&StepFacts::free, &StepFacts::exposed, &StepFacts::bubble}, claim, [&](const RankFacts& rank) {
            const Occurrences& found = rank.*slices;
            return isMuch(found) ? StepCost{found.perAffectedStep(), found.byStep} : StepCost{};
        });
    // Where the device had enough to do meanwhile, nothing is lost.
    if (!worst || (claim && claim->recoverable == 0)) return;
    const Occurrences& found = context.facts.ranks[worst->rank.value].*slices;
    Finding finding = claimFinding(context, rule, worst->rank, claim, worst->time, {threshold});
    const bool isRate = claim && !claim->isEvent;
    rateByAllSteps(context, finding,
                   isRate ? context.facts.ranks[worst->rank.value].steps.size() : found.stepsWithAny(), minSeverity);
    nameSingleEvent(context, finding, found);
    addParameter(finding, "count", std::to_string(found.count));
    addParameter(finding, "longest", timeText(found.max));
    addParameter(finding, "steps", std::to_string(found.stepsWithAny()));
    addSlices(finding, found);
    context.findings.push_back(std::move(finding));
}

double meanLaunchGap(const RankFacts& rank) {
    return rank.launchGaps.count == 0
               ? 0
               : static_cast<double>(rank.launchGaps.total) / static_cast<double>(rank.launchGaps.count);
}

/// The time of the host before launches beyond the usual one, where that is much.
StepCost launchCost(const RuleContext& context, const RankFacts& rank) {
    const double gap = meanLaunchGap(rank);
    if (gap < context.thresholds.launchGapNs) return {};
    const double share = std::max(0.0, 1 - context.thresholds.usualLaunchGapNs / gap);
    return {saturatedRound(static_cast<double>(rank.launchGaps.perAffectedStep()) * share), rank.launchGaps.byStep};
}

/// Optimizers of PyTorch that have a fused one for the NPU.
constexpr std::array<std::string_view, 9> kFusible = {"Adam",  "AdamW",    "SGD",     "Adadelta", "Lamb",
                                                      "AdamP", "BertAdam", "RMSprop", "RMSpropTF"};

/// A gap as far as it is free time: what comes before the first kernel and after the last one is in no step.
struct FreeGap {
    TimeRange range;
    const GapFacts* gap = nullptr;
};

/// The longest of a rank, the longest first.
std::vector<FreeGap> longestFreeGaps(const RankFacts& rank, const RankAccount& account) {
    std::optional<TimeRange> works;  // from the first work of the steps to the last
    for (const StepFacts& step : rank.steps) {
        if (step.range.empty()) continue;
        works = works ? TimeRange{std::min(works->begin, step.range.begin), std::max(works->end, step.range.end)}
                      : step.range;
    }
    std::vector<FreeGap> gaps;
    for (const StepAccount& step : account.steps) {
        for (const GapFacts& gap : step.longestGaps) {
            const TimeRange range =
                works ? TimeRange{std::max(works->begin, gap.range.begin), std::min(works->end, gap.range.end)}
                      : gap.range;
            if (range.begin < range.end) gaps.push_back({range, &gap});
        }
    }
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const FreeGap& a, const FreeGap& b) { return a.range.length() > b.range.length(); });
    return gaps;
}

/// A gap that a slice of another track covers is that slice's: what such gaps take of a mean step cannot be won.
void leaveOutOtherWork(const RuleContext& context, Finding& finding, RankIndex rank) {
    const auto& account = context.facts.account;
    if (account == nullptr || rank.value >= account->ranks.size() || !finding.recoverable) return;
    std::map<std::string, std::int64_t, std::less<>> byName;
    std::int64_t sum = 0;
    std::size_t steps = 0;
    for (const StepFacts& step : context.facts.ranks[rank.value].steps) steps += step.endToEnd() > 0 ? 1 : 0;
    for (const FreeGap& one : longestFreeGaps(context.facts.ranks[rank.value], account->ranks[rank.value])) {
        if (one.gap->cause != Cause::Unknown || one.gap->name.empty()) continue;
        addSaturated(byName[one.gap->name], one.range.length().value);
        addSaturated(sum, one.range.length().value);
    }
    if (sum == 0 || steps == 0) return;
    std::map<std::string, double, std::less<>> perStep;
    for (const auto& [name, ns] : byName) perStep[name] = static_cast<double>(ns) / static_cast<double>(steps);
    addParameter(finding, "other_work", largestTypes(perStep));
    const std::int64_t each = sum / static_cast<std::int64_t>(steps);
    setRecoverable(context, finding, std::max<std::int64_t>(0, saturatedDifference(*finding.recoverable, each)),
                   "finding.note.other_work");
}

/// Names the longest gaps of a rank with what the host did in each, as far as its account knows.
/// @return Whether there are any.
bool addLongestGaps(const RuleContext& context, Finding& finding, RankIndex rank) {
    const auto& account = context.facts.account;
    if (account == nullptr || rank.value >= account->ranks.size()) return false;
    std::int64_t unknown = 0, all = 0;
    for (const StepAccount& step : account->ranks[rank.value].steps) {
        addSaturated(unknown, step.gapOf(Cause::Unknown));
        addSaturated(all, step.gap());
    }
    std::vector<FreeGap> gaps = longestFreeGaps(context.facts.ranks[rank.value], account->ranks[rank.value]);
    if (gaps.empty() || all <= 0) return false;
    constexpr std::size_t kNamed = 3;
    gaps.resize(std::min(kNamed, gaps.size()));
    std::string known, own, notKnown;
    for (const FreeGap& one : gaps) {
        const Cause cause = one.gap->cause;
        const std::string length = timeText(one.range.length().value);
        const std::string name = one.gap->name.empty() ? std::string(causeName(cause)) : one.gap->name;
        if (cause == Cause::Unknown && !one.gap->name.empty()) continue;  // as leaveOutOtherWork says
        std::string& list = cause == Cause::Unknown ? notKnown : cause == Cause::Turnaround ? own : known;
        const bool isNamed = &list == &known;
        list += (list.empty() ? "" : ", ") + (isNamed ? name + " (" + length + ')' : length);
        finding.evidence.ranges.push_back({rank, one.range, true, one.gap->slice});
        if (!finding.range) finding.range = one.range;
    }
    const auto add = [&finding](std::string_view name, std::string list, std::string_view note) {
        if (list.empty()) return;
        addParameter(finding, name, std::move(list));
        addNote(finding, note);
    };
    add("gaps", std::move(known), "finding.note.longest_gaps");
    add("own_gaps", std::move(own), "finding.note.own_gaps");
    add("unknown_gaps", std::move(notKnown), "finding.note.gaps_not_recorded");
    add("unknown_share", shareText(static_cast<double>(unknown) / static_cast<double>(all)),
        "finding.note.unknown_gaps");
    return true;
}

/// Rules of what the host does while the device is idle.
const std::initializer_list<RuleName> kOfTheHost = {
    "gc_pause",      "data_loading", "memory_calls",     "operator_compilation",
    "slow_launches", "free_gap",     "synchronizations", "tiny_kernels"};

/// Whether a finding names a cause of the host.
bool isSaid(const RuleContext& context, Cause cause, CauseKind kind = CauseKind::Any) {
    const bool isOfMemory = kind == CauseKind::MemoryCalls;
    const std::optional<RuleName> rule = cause == Cause::Gc            ? RuleName("gc_pause")
                                         : cause == Cause::DataLoading ? RuleName("data_loading")
                                         : cause == Cause::Compile     ? RuleName("operator_compilation")
                                         : cause != Cause::Host        ? std::optional<RuleName>()
                                         : isOfMemory                  ? RuleName("memory_calls")
                                                                       : RuleName("slow_launches");
    return rule && std::any_of(context.findings.begin(), context.findings.end(),
                               [&rule](const Finding& other) { return other.rule == *rule; });
}

/// ns of a mean step in which the device is idle for causes that other findings name: by the account of the rank, or
/// where that knows no launches by what those rules find on this rank.
std::int64_t idleForOthers(const RuleContext& context, RankIndex r) {
    const AccountFacts* account = context.facts.account.get();
    if (account == nullptr || r.value >= account->ranks.size() || !account->ranks[r.value].hasLaunches)
        return std::max(saidOf(context, r, kOfTheHost), hostCost(context, context.facts.ranks[r.value]));
    const RankAccount& own = account->ranks[r.value];
    const RankFacts& rank = context.facts.ranks[r.value];
    const auto meanGapOf = [&own](Cause cause) {
        std::int64_t gaps = 0;
        for (const StepAccount& step : own.steps) addSaturated(gaps, step.gapOf(cause));
        return own.steps.empty() ? 0 : gaps / static_cast<std::int64_t>(own.steps.size());
    };
    std::int64_t sum = 0;
    for (const Cause cause : {Cause::Gc, Cause::DataLoading, Cause::Compile}) {
        if (isSaid(context, cause)) addSaturated(sum, meanGapOf(cause));
    }
    // The host does more in gaps than these findings say.
    std::int64_t ofHost = 0;
    if (isSaid(context, Cause::Host)) addSaturated(ofHost, launchCost(context, rank).time);
    if (isSaid(context, Cause::Host, CauseKind::MemoryCalls)) addSaturated(ofHost, rank.memoryCalls.perAffectedStep());
    return saturatedSum(sum, std::min(ofHost, meanGapOf(Cause::Host)));
}

}  // namespace

std::int64_t hostCost(const RuleContext& context, const RankFacts& rank) {
    const auto isLong = [](const Occurrences& found, double min) { return static_cast<double>(found.max) >= min; };
    std::int64_t sum = launchCost(context, rank).time;
    if (isLong(rank.garbageCollections, context.thresholds.gcPauseNs))
        addSaturated(sum, rank.garbageCollections.perAffectedStep());
    if (isLong(rank.dataLoading, context.thresholds.dataLoadingNs))
        addSaturated(sum, rank.dataLoading.perAffectedStep());
    return sum;
}

void findGcPauses(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.max) >= context.thresholds.gcPauseNs;
    };
    // mended by one call
    findLongSlices(context, "gc_pause", &RankFacts::garbageCollections, isLong,
                   claimOf(context, isClaimedBy("gc_pause")), "gc_pause", FindingSeverity::Medium);
}

void findDataLoading(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.max) >= context.thresholds.dataLoadingNs;
    };
    findLongSlices(context, "data_loading", &RankFacts::dataLoading, isLong,
                   claimOf(context, isClaimedBy("data_loading")), "data_loading", FindingSeverity::Low);
}

void findMemoryCalls(RuleContext& context) {
    const auto isLong = [&](const Occurrences& found) {
        return static_cast<double>(found.total) >= context.thresholds.memoryCallsNs;
    };
    findLongSlices(context, "memory_calls", &RankFacts::memoryCalls, isLong,
                   claimOf(context, isClaimedBy("memory_calls")), "memory_calls", FindingSeverity::Low);
}

void findCompilations(RuleContext& context) {
    const auto isMuch = [&](const Occurrences& found) {
        return static_cast<double>(found.count) >= context.thresholds.compilations;
    };
    findLongSlices(context, "operator_compilation", &RankFacts::compilations, isMuch,
                   claimOf(context, isClaimedBy("operator_compilation")), "compilations", FindingSeverity::Low);
}

void findSlowLaunches(RuleContext& context) {
    const auto claim = claimOf(context, isClaimedBy("slow_launches"));
    const auto worst = worstClaim(context, {&StepFacts::free}, claim,
                                  [&](const RankFacts& rank) { return launchCost(context, rank); });
    if (!worst || (claim && claim->recoverable == 0)) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding =
        claimFinding(context, "slow_launches", worst->rank, claim, worst->time, {"launch_gap", "usual_launch_gap"});
    addParameter(finding, "gap", timeText(saturatedRound(meanLaunchGap(rank))));
    addParameter(finding, "usual", timeText(static_cast<std::int64_t>(context.thresholds.usualLaunchGapNs)));
    addParameter(finding, "count", std::to_string(rank.launchGaps.count));
    addParameter(finding, "free", timeText(meanOfSteps(rank, &StepFacts::free)));
    addSlices(finding, rank.launchGaps);
    for (const TimeRange& gap : rank.longestLaunchGaps) finding.evidence.ranges.push_back({worst->rank, gap, true});
    context.findings.push_back(std::move(finding));
}

void findSynchronizations(RuleContext& context) {
    const auto claim = whatIfClaim(context, WhatIf::Synchronizations);
    const auto worst = worstClaim(context, {&StepFacts::free}, claim, [&](const RankFacts& rank) {
        if (rank.steps.empty()) return StepCost{};
        const double each = static_cast<double>(rank.synchronizations.count) / static_cast<double>(rank.steps.size());
        if (each <= context.thresholds.synchronizationsPerStep) return StepCost{};
        return StepCost{rank.freeAfterSynchronization.perAffectedStep(), rank.freeAfterSynchronization.byStep};
    });
    // Where the host is ahead of the device all the same, nothing is lost.
    if (!worst || (claim && claim->recoverable == 0)) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    Finding finding =
        boundFinding(context, "synchronizations", worst->rank, claim, worst->time, {"synchronizations_per_step"});
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
        if (rank.hasForeachOptimizer || !rank.isNpu) continue;
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
    // Causes that other findings name are theirs.
    const auto worst = worstCost(context.facts, {&StepFacts::free}, [&](const RankFacts& rank) {
        const std::int64_t own = std::max<std::int64_t>(0, meanOfSteps(rank, &StepFacts::free) -
                                                               idleForOthers(context, indexOf(context, rank)));
        const double min = context.thresholds.freeShare * static_cast<double>(meanStep(rank));
        return StepCost{static_cast<double>(own) >= min ? own : 0};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    // All that launches without a host would win, but what is said already.
    const auto bound =
        launchBound(context, [&](const CauseFacts& cause) { return isSaid(context, cause.cause, cause.kind); });
    Finding finding = rankFinding(context, "free_time", worst->rank,
                                  bound ? std::min(worst->time, *bound) : worst->time, {"free_share"});
    if (bound && *bound < worst->time) addNote(finding, "finding.note.launch_bound");
    const std::int64_t free = meanOfSteps(rank, &StepFacts::free);
    addParameter(finding, "free", timeText(free));
    addParameter(finding, "free_share", shareText(static_cast<double>(free) / static_cast<double>(meanStep(rank))));
    if (!rank.hasHostEvents) addNote(finding, "finding.note.no_host");
    else if (!addLongestGaps(context, finding, worst->rank)) addNote(finding, "finding.note.look_at_gaps");
    leaveOutOtherWork(context, finding, worst->rank);
    addStepRanges(finding, rank, worst->rank);
    finding.evidence.isOfIdleDevice = true;
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
