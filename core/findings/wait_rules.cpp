#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/account_facts.h"
#include "core/analysis/support/saturating.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Time in collectives of a rank that moves no data.
struct WaitSum {
    std::int64_t elapsed = 0, transit = 0;  ///< ns, of all steps
    std::vector<std::int64_t> byStep;       ///< ns of waiting
};

WaitSum waitSum(const RankFacts& rank) {
    WaitSum sum;
    for (const WaitFacts& waits : rank.waits) {
        addSaturated(sum.elapsed, waits.elapsed);
        addSaturated(sum.transit, waits.transit);
        sum.byStep.resize(std::max(sum.byStep.size(), waits.byStep.size()));
        for (std::size_t i = 0; i < waits.byStep.size(); ++i) addSaturated(sum.byStep[i], waits.byStep[i]);
    }
    return sum;
}

std::int64_t waited(const WaitFacts& waits) {
    return std::max<std::int64_t>(0, saturatedDifference(waits.elapsed, waits.transit));
}

/// Mean over the steps that have any, ns.
std::int64_t perAffected(const std::vector<std::int64_t>& byStep) {
    Occurrences all;
    all.byStep = byStep;
    return all.perAffectedStep();
}

/// Steps of a rank in which it waits; 1 at least.
std::int64_t stepsWithAny(const WaitSum& sum) {
    const auto steps = std::count_if(sum.byStep.begin(), sum.byStep.end(), [](std::int64_t ns) { return ns > 0; });
    return std::max<std::int64_t>(1, steps);
}

/// Whoever waits least in a group is waited for.
struct WaitedFor {
    RankIndex rank{};
    std::int64_t waits = 0;   ///< ns, of all steps
    bool isAlone = true;      ///< Nobody else of the group is in the capture.
    std::size_t present = 1;  ///< Ranks of the group that are.
};

WaitedFor waitedFor(const CaptureFacts& facts, RankIndex rank, const WaitFacts& in) {
    WaitedFor min{rank, waited(in)};
    for (RankIndex r; r.value < facts.ranks.size() && !in.group.empty(); ++r.value) {
        if (r == rank || facts.ranks[r.value].recording != facts.ranks[rank.value].recording) continue;
        for (const WaitFacts& other : facts.ranks[r.value].waits) {
            if (other.group != in.group) continue;
            min.isAlone = false;
            ++min.present;
            if (waited(other) < min.waits) min.rank = r, min.waits = waited(other);
        }
    }
    return min;
}

/// Rules of causes for which other ranks wait in their collectives.
std::span<const RuleName> makeOthersWait() {
    static const std::vector<RuleName> kNames = [] {
        std::vector<RuleName> names;
        for (const Rule& rule : kRules) {
            if (rule.makesOthersWait) names.emplace_back(rule);
        }
        return names;
    }();
    return kNames;
}

/// Whom all that are here wait for is probably one that is not.
void nameAbsent(Finding& finding, const WaitFacts& waits, std::size_t present) {
    addParameter(finding, "members", std::to_string(waits.members));
    addParameter(finding, "present", std::to_string(present));
    if (!waits.absent.empty()) addParameter(finding, "absent", numberRanges(waits.absent));
    const bool isAlone = present == 1;
    if (isAlone && waits.members == 2 && waits.absent.empty()) addNote(finding, "finding.note.waits_alone_pair");
    else if (waits.absent.size() == 1)
        addNote(finding, isAlone ? "finding.note.waits_alone_one" : "finding.note.waits_absent_one");
    else if (isAlone) addNote(finding, "finding.note.waits_alone");
    else addNote(finding, waits.absent.empty() ? "finding.note.waits_absent_some" : "finding.note.waits_absent");
}

/// The only step of several that waits for long.
std::optional<std::size_t> onlyStepThatWaits(const std::vector<std::int64_t>& byStep) {
    const auto most = std::max_element(byStep.begin(), byStep.end());
    if (byStep.size() < 2 || *most <= 0) return std::nullopt;
    const auto count =
        std::count_if(byStep.begin(), byStep.end(), [most](std::int64_t ns) { return isAffected(ns, *most); });
    return count == 1 ? std::optional(static_cast<std::size_t>(most - byStep.begin())) : std::nullopt;
}

/// A wait in one step of several is an event, and no rate.
void nameOnlyStep(const RuleContext& context, Finding& finding, const RankFacts& rank, const WaitSum& sum) {
    const auto only = onlyStepThatWaits(sum.byStep);
    if (!only || *only >= rank.steps.size() || !finding.recoverable) return;
    const StepFacts& step = rank.steps[*only];
    finding.step = step.step;
    addParameter(finding, "step", std::to_string(step.step.value_or(static_cast<std::int64_t>(*only) + 1)));
    addParameter(finding, "step_wait", timeText(std::min(sum.byStep[*only], step.exposed)));
    setRecoverable(context, finding, std::min(sum.byStep[*only], step.exposed), "finding.note.waits_once");
    rateOneStep(context, finding);
}

/// How much of its step a rank waits in collectives.
void describeWaits(Finding& finding, const RankFacts& rank, const WaitSum& sum) {
    const std::int64_t all = std::min(perAffected(sum.byStep), meanOfSteps(rank, &StepFacts::exposed));
    addParameter(finding, "waiting", timeText(all));
    addParameter(finding, "waiting_share",
                 shareText(static_cast<double>(all) / static_cast<double>(std::max<std::int64_t>(1, meanStep(rank)))));
    const std::int64_t steps = stepsWithAny(sum);
    addParameter(finding, "elapsed", timeText(sum.elapsed / steps));
    addParameter(finding, "transit", timeText(sum.transit / steps));
}

/// Evidence: the collectives of a rank, whose waits are summed up, and those of the group that waits most.
void addWaitRows(Finding& finding, const RankFacts& rank, const WaitFacts& most) {
    addCollectiveRows(finding, rank, "kind = 'collective'");
    if (rank.waits.size() > 1 && !most.group.empty())
        addCollectiveRows(finding, rank, "kind = 'collective' AND group_name = " + sqlLiteral(most.group));
}

/// Evidence: the longest waits of a rank for ranks that are not here.
void addLongestWaits(const RuleContext& context, Finding& finding, RankIndex rank) {
    constexpr std::size_t kShown = 5;
    std::vector<TimeRange> waits;
    for (const WaitCause& wait : context.facts.account->job.waits) {
        if (wait.cause == Cause::Absent && wait.rank == rank) waits.push_back(wait.range);
    }
    const std::size_t shown = std::min(kShown, waits.size());
    std::partial_sort(waits.begin(), waits.begin() + static_cast<std::ptrdiff_t>(shown), waits.end(),
                      [](const TimeRange& a, const TimeRange& b) { return a.length() > b.length(); });
    waits.resize(shown);
    for (const TimeRange& wait : waits) finding.evidence.ranges.push_back({rank, wait});
    if (!waits.empty()) finding.range = waits.front();
}

/// With a replay only waits for ranks that are not here have no other finding.
void findAbsentRanks(RuleContext& context, const Claim& claim) {
    const WaitFacts* most = nullptr;
    RankIndex worst{};
    for (const CauseSlice& slice : claim.slices) {
        if (slice.rank.value >= context.facts.ranks.size()) continue;
        for (const WaitFacts& waits : context.facts.ranks[slice.rank.value].waits) {
            const std::size_t present = waitedFor(context.facts, slice.rank, waits).present;
            const bool isWhole = waits.members > 0 && present >= waits.members;
            if (isWhole || (most != nullptr && waited(waits) <= waited(*most))) continue;
            most = &waits;
            worst = slice.rank;
        }
    }
    if (most == nullptr) return;
    const RankFacts& rank = context.facts.ranks[worst.value];
    if (static_cast<double>(claim.recoverable) < context.thresholds.rankGapShare * static_cast<double>(meanStep(rank)))
        return;
    Finding finding = claimFinding(context, "collective_wait", worst, claim, 0, {"rank_gap_share"});
    describeWaits(finding, rank, waitSum(rank));
    addParameter(finding, "group", most->group.empty() ? "N/A" : most->group);
    const WaitedFor here = waitedFor(context.facts, worst, *most);
    addParameter(finding, "waits", timeText(waited(*most) / stepsWithAny(waitSum(rank))));
    if (most->members > here.present) nameAbsent(finding, *most, here.present);
    else addNote(finding, "finding.note.waits_unknown");
    addNote(finding, "finding.note.absent_gain");
    addLongestWaits(context, finding, worst);
    if (finding.evidence.ranges.empty()) addStepRanges(finding, rank, worst);
    addWaitRows(finding, rank, *most);
    addRows(finding, "blame", "cause = 'absent'");
    context.findings.push_back(std::move(finding));
}

}  // namespace

void findCollectiveWaits(RuleContext& context) {
    const auto claim = claimOf(context, isClaimedBy("collective_wait"));
    if (claim) {
        findAbsentRanks(context, *claim);
        return;
    }
    const auto worst = worstCost(context.facts, {&StepFacts::exposed}, [&](const RankFacts& rank) {
        const WaitSum sum = waitSum(rank);
        const double waits = static_cast<double>(saturatedDifference(sum.elapsed, sum.transit));
        if (waits < context.thresholds.waitShare * static_cast<double>(sum.elapsed)) return StepCost{};
        const std::int64_t explained = saidOfOthers(context, indexOf(context, rank), makeOthersWait());
        // What waits while the device computes costs nothing.
        const std::int64_t exposed = std::min(perAffected(sum.byStep), meanOfSteps(rank, &StepFacts::exposed));
        const std::int64_t left = saturatedDifference(exposed, explained);
        if (static_cast<double>(left) < context.thresholds.rankGapShare * static_cast<double>(meanStep(rank)))
            return StepCost{};
        return StepCost{left, sum.byStep};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    const WaitSum sum = waitSum(rank);
    const auto most = std::max_element(rank.waits.begin(), rank.waits.end(),
                                       [](const WaitFacts& a, const WaitFacts& b) { return waited(a) < waited(b); });
    const WaitedFor late = waitedFor(context.facts, worst->rank, *most);
    const std::int64_t waiting = worst->time;
    // How much of a wait each of several causes has does not follow from their sums. Trifles explain nothing.
    constexpr double kTrifle = 0.1;
    const bool isExplained = static_cast<double>(saidOfOthers(context, worst->rank, makeOthersWait())) >=
                             kTrifle * static_cast<double>(waiting);
    Finding finding = rankFinding(context, "collective_wait", worst->rank,
                                  isExplained ? std::nullopt : std::optional<std::int64_t>(waiting),
                                  {"wait_share", "rank_gap_share", "wait_in_turn_share"});
    describeWaits(finding, rank, sum);
    const std::int64_t steps = stepsWithAny(sum);
    addParameter(finding, "group", most->group.empty() ? "N/A" : most->group);
    addParameter(finding, "waits", timeText(waited(*most) / steps));
    addParameter(finding, "late", rankText(context.facts.ranks[late.rank.value]));
    addParameter(finding, "late_waits", timeText(late.waits / steps));
    // Of two that wait about as long for each other neither is the cause.
    const bool isClear = late.rank != worst->rank && late.waits < waited(*most) / 2;
    if (isExplained) addNote(finding, "finding.note.waits_explained");
    else if (isClear) addNote(finding, "finding.note.waits_for");
    else if (most->members > late.present) nameAbsent(finding, *most, late.present);
    else if (most->group.empty()) addNote(finding, "finding.note.waits_no_group");
    else if (late.isAlone) addNote(finding, "finding.note.waits_unknown");
    else if (static_cast<double>(waiting) < context.thresholds.waitInTurnShare * static_cast<double>(meanStep(rank)))
        lowerSeverity(finding, FindingSeverity::Low, "finding.note.waits_in_turn");
    else addNote(finding, "finding.note.waits_alike");
    nameOnlyStep(context, finding, rank, sum);
    addStepRanges(finding, rank, worst->rank);
    addWaitRows(finding, rank, *most);
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
