#include "core/findings/claims.h"

#include "core/analysis/support/saturating.h"
#include "core/findings/cause_rules.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace altiscope {

namespace {

std::int64_t sumOf(const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

std::string_view limitCode(const JobAccount& job) {
    switch (job.refusal) {
    case ReplayRefusal::None:
        return job.refusedBy == kNoRank ? "finding.note.limit_recordings" : "finding.note.limit_clocks";
    case ReplayRefusal::NoTimeline: return "finding.note.limit_no_timeline";
    case ReplayRefusal::Cut: return "finding.note.limit_cut";
    case ReplayRefusal::NoSynchronization: return "finding.note.limit_no_synchronization";
    case ReplayRefusal::Cycle:
    case ReplayRefusal::Contradiction:
    case ReplayRefusal::Error: return "finding.note.limit_unclear";
    case ReplayRefusal::TooLarge: break;
    }
    return "finding.note.limit_too_large";
}

/// Why there is no claim.
void addLimit(const RuleContext& context, Finding& finding) {
    if (context.facts.account == nullptr || replayedJob(context.facts) != nullptr) return;
    if (!finding.recoverable || *finding.recoverable <= 0) return;
    const JobAccount& job = context.facts.account->job;
    if (job.refusedBy != kNoRank && job.refusedBy.value < context.facts.ranks.size())
        addParameter(finding, "refused_rank", rankText(context.facts.ranks[job.refusedBy.value]));
    else addParameter(finding, "refused_rank", "N/A");
    addNote(finding, limitCode(job));
}

void addRange(const RuleContext& context, Finding& finding, const Claim& claim) {
    const std::int64_t step = meanStep(context.facts.ranks[finding.rank->value]);
    addParameter(finding, "recoverable_low_ns", std::to_string(claim.low));
    addParameter(finding, "recoverable_high_ns", std::to_string(claim.high));
    const auto differ = [](std::int64_t low, std::int64_t high) {
        return static_cast<double>(high - low) > kRangeShare * static_cast<double>(high);
    };
    if (!differ(claim.low, claim.high)) return;
    const auto share = [step](std::int64_t ns) {
        return shareText(step > 0 ? static_cast<double>(ns) / static_cast<double>(step) : 0);
    };
    for (auto& [name, value] : finding.parameters) {
        if (name == "recoverable") value = timeText(claim.low) + " \xE2\x80\x93 " + timeText(claim.high);
        if (name == "share") value = share(claim.low) + " \xE2\x80\x93 " + share(claim.high);
    }
    if (!differ(claim.now, claim.recoverable)) return;
    addParameter(finding, "now", timeText(claim.now));
    addParameter(finding, "later", timeText(claim.recoverable));
    addNote(finding, "finding.note.hidden_behind");
}

}  // namespace

bool Claim::has(RankIndex rank) const { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

CauseTest isClaimedBy(RuleName rule) {
    return [rule](const CauseFacts& cause) { return ruleOf(cause) == rule; };
}

const JobAccount* replayedJob(const CaptureFacts& facts) {
    if (facts.account == nullptr || facts.account->job.refusal != ReplayRefusal::None) return nullptr;
    const bool isOne = std::all_of(facts.ranks.begin(), facts.ranks.end(), [&](const RankFacts& rank) {
        return rank.recording == facts.ranks.front().recording;
    });
    const JobAccount& job = facts.account->job;
    return isOne && job.refusedBy == kNoRank && !job.recorded.empty() ? &job : nullptr;
}

std::optional<Claim> claimOf(const RuleContext& context, const CauseTest& isMeant) {
    const JobAccount* job = replayedJob(context.facts);
    if (job == nullptr) return std::nullopt;
    Claim claim;
    std::int64_t alone = 0;
    std::vector<std::int64_t> removal(job->recorded.size());
    const auto steps = static_cast<std::int64_t>(job->recorded.size());
    bool isEvent = true;
    for (const CauseFacts& cause : job->causes) {
        if (!isMeant(cause)) continue;
        isEvent = isEvent && cause.isEvent;
        for (std::size_t i = 0; i < std::min(removal.size(), cause.removal.size()); ++i) removal[i] += cause.removal[i];
        alone += sumOf(cause.alone);
        claim.now += cause.first.empty() ? sumOf(cause.removal) : sumOf(cause.first);
        for (const RankIndex rank : cause.ranks) {
            if (!claim.has(rank)) claim.ranks.push_back(rank);
        }
        claim.slices.insert(claim.slices.end(), cause.slices.begin(), cause.slices.end());
    }
    if (claim.slices.empty() && sumOf(removal) <= 0) return Claim{};
    std::stable_sort(claim.slices.begin(), claim.slices.end(),
                     [](const CauseSlice& a, const CauseSlice& b) { return a.amount > b.amount; });
    CauseFacts all;
    all.removal = removal;
    claim.isEvent = isEvent;
    // A rate is of all steps; an event is of those that it is in.
    const auto count = isEvent ? std::max<std::int64_t>(1, static_cast<std::int64_t>(all.stepsWithAny())) : steps;
    claim.recoverable = std::max<std::int64_t>(0, sumOf(removal) / count);
    claim.now = std::max<std::int64_t>(0, claim.now / count);
    const std::int64_t last = std::max<std::int64_t>(0, alone / count);
    claim.low = std::min({claim.recoverable, claim.now, last});
    claim.high = std::max({claim.recoverable, claim.now, last});
    return claim;
}

std::optional<Claim> whatIfClaim(const RuleContext& context, WhatIf whatIf, std::string_view name) {
    const JobAccount* job = replayedJob(context.facts);
    if (job == nullptr) return std::nullopt;
    Claim claim;
    for (const WhatIfFacts& one : job->whatIfs) {
        if (one.whatIf != whatIf || one.name != name) continue;
        claim.ranks = one.ranks;
        claim.recoverable =
            std::max<std::int64_t>(0, sumOf(one.gains) / static_cast<std::int64_t>(job->recorded.size()));
    }
    claim.now = claim.low = claim.high = claim.recoverable;
    return claim;
}

std::optional<WorstCost> worstClaim(const RuleContext& context, StepParts parts, const std::optional<Claim>& claim,
                                    const std::function<StepCost(const RankFacts& rank)>& value) {
    if (!claim) return worstCost(context.facts, parts, value);
    std::optional<WorstCost> worst;
    std::pair<bool, std::int64_t> most;
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const std::int64_t time = value(context.facts.ranks[r.value]).time;
        const std::pair<bool, std::int64_t> here{claim->has(r), time};
        if (time <= 0 || (worst && here <= most)) continue;
        worst = {r, time};
        most = here;
    }
    return worst;
}

Finding claimFinding(const RuleContext& context, RuleName rule, RankIndex rank, const std::optional<Claim>& claim,
                     std::int64_t atMost, std::initializer_list<ThresholdName> thresholds) {
    Finding finding = rankFinding(context, rule, rank, claim ? claim->recoverable : atMost, thresholds);
    if (!claim) {
        addLimit(context, finding);
        return finding;
    }
    finding.isReplayed = true;
    finding.now = claim->now;
    // Who mends this one alone wins that.
    finding.severity = std::min(finding.severity, severityOf(context, rank, claim->now));
    if (claim->recoverable > 0) addRange(context, finding, *claim);
    else addNote(finding, "finding.note.no_gain");
    return finding;
}

Finding boundFinding(const RuleContext& context, RuleName rule, RankIndex rank, const std::optional<Claim>& claim,
                     std::int64_t atMost, std::initializer_list<ThresholdName> thresholds) {
    Finding finding = rankFinding(context, rule, rank, claim ? claim->recoverable : atMost, thresholds);
    finding.isReplayed = claim.has_value();
    return finding;
}

std::optional<std::int64_t> idealStep(const RuleContext& context) {
    const JobAccount* job = replayedJob(context.facts);
    if (job == nullptr || job->ideal.empty()) return std::nullopt;
    return sumOf(job->ideal) / static_cast<std::int64_t>(job->ideal.size());
}

std::optional<std::int64_t> launchBound(const RuleContext& context, const CauseTest& isClaimed) {
    const JobAccount* job = replayedJob(context.facts);
    if (job == nullptr) return std::nullopt;
    std::int64_t bound = sumOf(job->recorded) - sumOf(job->withoutLaunches);
    for (const CauseFacts& cause : job->causes) {
        if (isClaimed(cause)) bound -= sumOf(cause.removal);
    }
    return std::max<std::int64_t>(0, bound / static_cast<std::int64_t>(job->recorded.size()));
}

}  // namespace altiscope
