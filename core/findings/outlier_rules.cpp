#include "core/findings/fail_slow.h"
#include "core/findings/rule_support.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// Cost of collections and loading in each step above that of the others (the median), ns: findings of their own.
std::vector<double> explainedBySteps(const RankFacts& rank) {
    std::vector<double> sums(rank.steps.size());
    for (const Occurrences* cause : {&rank.garbageCollections, &rank.dataLoading}) {
        if (cause->byStep.empty()) continue;
        const std::vector<double> all(cause->byStep.begin(), cause->byStep.end());
        const double usual = median(all);
        for (std::size_t step = 0; step < std::min(sums.size(), all.size()); ++step)
            sums[step] += std::max(0.0, all[step] - usual);
    }
    return sums;
}

/// Time that a rank itself takes in a step, without its waits for others.
double ownTime(const StepFacts& step) { return static_cast<double>(saturatedSum(step.computing, step.free)); }

/// A part of a step that may make it longer than the others.
template <class Step>
struct GrowingPart {
    std::string_view name;  ///< Parameter of its note.
    std::string_view note;
    std::int64_t (*of)(const Step& step);
};

/// Parts that grew less than this share of what the step took more do not say why.
constexpr double kNamedGrowth = 0.2;

constexpr std::array<GrowingPart<StepFacts>, 4> kPartsOfSteps{{
    {"more_computing", "finding.note.step_computing", [](const StepFacts& step) { return step.computing; }},
    {"more_exposed", "finding.note.step_exposed", [](const StepFacts& step) { return step.exposed; }},
    {"more_bubble", "finding.note.step_bubble", [](const StepFacts& step) { return step.bubble; }},
    {"more_idle", "finding.note.step_idle", [](const StepFacts& step) { return step.free; }},
}};

/// Collections of garbage and loading are findings of their own.
std::int64_t otherGaps(const StepAccount& step) {
    return step.gap() - step.gapOf(Cause::Gc) - step.gapOf(Cause::DataLoading);
}
constexpr std::array<GrowingPart<StepAccount>, 7> kPartsOfAccounts{{
    {"more_computing", "finding.note.step_computing", [](const StepAccount& step) { return step.computing; }},
    {"more_transfer", "finding.note.step_transfer", [](const StepAccount& step) { return step.transfer; }},
    {"more_wait", "finding.note.step_wait", [](const StepAccount& step) { return step.wait; }},
    {"more_absent", "finding.note.step_absent", [](const StepAccount& step) { return step.absent; }},
    {"more_exposed", "finding.note.step_exposed", [](const StepAccount& step) { return step.unknownCommunication; }},
    {"more_copy", "finding.note.step_copy", [](const StepAccount& step) { return step.copy; }},
    {"more_idle", "finding.note.step_idle", &otherGaps},
}};

/// Says which parts of a step grew above their median, the largest growth first.
/// @return Whether the idle time is one of them.
template <class Step, std::size_t N>
bool nameParts(Finding& finding, const std::vector<Step>& steps, const Step& longer, double more,
               const std::array<GrowingPart<Step>, N>& parts) {
    std::vector<std::pair<double, const GrowingPart<Step>*>> grown;
    for (const GrowingPart<Step>& part : parts) {
        std::vector<double> all;
        for (const Step& step : steps) all.push_back(static_cast<double>(part.of(step)));
        const double growth = static_cast<double>(part.of(longer)) - median(std::move(all));
        if (growth >= kNamedGrowth * more) grown.emplace_back(growth, &part);
    }
    std::stable_sort(grown.begin(), grown.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    bool isIdle = false;
    for (const auto& [growth, part] : grown) {
        addParameter(finding, part->name, timeText(saturatedRound(growth)));
        addNote(finding, part->note);
        isIdle = isIdle || part->name == "more_idle";
    }
    return isIdle;
}

/// Whether a step on the device lies in the step of the host but for a fifth.
bool isMostlyIn(TimeRange device, TimeRange host) {
    const std::int64_t shared =
        std::min(device.end.value, host.end.value) - std::max(device.begin.value, host.begin.value);
    return static_cast<double>(shared) >= (1 - kNamedGrowth) * static_cast<double>(device.length().value);
}

/// Says what a step does longer than the others, by its account, or by its parts where there is none.
void nameGrowth(const RuleContext& context, Finding& finding, const RankFacts& rank, const StepFacts& step,
                double more) {
    const RankAccount* account = nullptr;
    if (const auto& all = context.facts.account; all != nullptr) {
        const std::size_t r = indexOf(context, rank).value;
        if (r < all->ranks.size()) account = &all->ranks[r];
    }
    // A recording may name steps of which it has no times; and where the host runs ahead, what the device does between
    // two of its borders is not that step's work.
    std::vector<StepAccount> timed;
    std::optional<std::size_t> own;
    for (const StepFacts& one : rank.steps) {
        if (account == nullptr || one.endToEnd() <= 0) continue;
        const auto found = std::find_if(account->steps.begin(), account->steps.end(),
                                        [&](const StepAccount& other) { return other.step == one.step; });
        if (found == account->steps.end() || !isMostlyIn(one.range, found->range)) continue;
        if (&one == &step) own = timed.size();
        timed.push_back(*found);
    }
    if (!own) {
        std::vector<StepFacts> steps = rank.steps;
        std::erase_if(steps, [](const StepFacts& one) { return one.endToEnd() <= 0; });
        nameParts(finding, steps, step, more, kPartsOfSteps);
        return;
    }
    if (!nameParts(finding, timed, timed[*own], more, kPartsOfAccounts)) return;
    for (const GapFacts& gap : timed[*own].longestGaps) {
        if (gap.cause == Cause::Gc || gap.cause == Cause::DataLoading) continue;
        finding.evidence.ranges.push_back({*finding.rank, gap.range, true, gap.slice});
        if (gap.name.empty() && gap.cause != Cause::Unknown) return;
        addParameter(finding, "gap_time", timeText(gap.range.length().value));
        addParameter(finding, "gap_name", gap.name.empty() ? "N/A" : gap.name);
        addNote(finding, gap.cause != Cause::Unknown ? "finding.note.step_gap"
                         : gap.name.empty()          ? "finding.note.step_gap_unknown"
                                                     : "finding.note.step_gap_beside");
        return;
    }
}

}  // namespace

void findStepOutliers(RuleContext& context) {
    constexpr std::size_t kFewest = 5;  // below, the median of the distances says nothing
    std::optional<Finding> worst;
    double worstOwn = 0;
    struct {
        const RankFacts* rank = nullptr;
        const StepFacts* step = nullptr;
        double more = 0;
    } grown;
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const RankFacts& rank = context.facts.ranks[r.value];
        std::vector<double> times, distances;
        for (const StepFacts& step : rank.steps) {
            if (step.endToEnd() > 0) times.push_back(static_cast<double>(step.endToEnd()));
        }
        if (times.size() < kFewest) continue;
        const double middle = median(times);
        for (const double time : times) distances.push_back(std::abs(time - middle));
        const double spread = median(std::move(distances));
        const std::vector<double> explained = explainedBySteps(rank);
        const std::vector<SlowSteps> slowSteps = slowStepsOf(context, rank);
        std::vector<double> own;
        for (const StepFacts& step : rank.steps) {
            if (step.endToEnd() > 0) own.push_back(ownTime(step));
        }
        const double usualOwn = median(std::move(own));
        for (const StepFacts& step : rank.steps) {
            const auto place = static_cast<std::size_t>(&step - rank.steps.data());
            // In a slow stretch, which is a finding of its own, against the steps of that.
            double usual = middle;
            for (const SlowSteps& slow : slowSteps) {
                if (step.step && slow.first <= *step.step && *step.step <= slow.last)
                    usual = std::max(usual, slow.level);
            }
            const double more = static_cast<double>(step.endToEnd()) - usual - explained[place];
            const bool isFar = spread <= 0 ? more > 0 : 0.6745 * more / spread > context.thresholds.outlierZ;
            if (!isFar || more < context.thresholds.outlierShare * usual) continue;
            // One step of one rank: the others wait for it, so all ranks show it. The one that does more is the cause.
            const double ownMore = ownTime(step) - usualOwn - explained[place];
            if (worst && std::pair(worstOwn, *worst->recoverable) >= std::pair(ownMore, saturatedRound(more))) continue;
            worstOwn = ownMore;
            worst = rankFinding(context, "step_outlier", r, saturatedRound(more), {"outlier_z", "outlier_share"});
            rateOneStep(context, *worst);
            worst->step = step.step;
            addParameter(*worst, "step", step.step ? std::to_string(*step.step) : std::string("-"));
            addParameter(*worst, "time", timeText(step.endToEnd()));
            addParameter(*worst, "usual", timeText(saturatedRound(usual)));
            if (rank.hasEvents) {
                worst->range = step.range;
                worst->evidence.ranges.push_back({r, step.range});
            }
            grown = {&rank, &step, more};
            addRows(*worst, "step_breakdown", step.step ? "step = " + std::to_string(*step.step) : std::string());
        }
    }
    if (!worst) return;
    nameGrowth(context, *worst, *grown.rank, *grown.step, grown.more);
    context.findings.push_back(std::move(*worst));
}

}  // namespace altiscope
