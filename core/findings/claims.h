#pragma once

#include "core/analysis/support/account_facts.h"
#include "core/findings/rule_support.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace altiscope {

/// The cost of some causes by a replay of the job; ns per step of the job.
struct Claim {
    /// By removal, after all causes that cost more: what all claims win together is their sum.
    std::int64_t recoverable = 0;
    std::int64_t now = 0;            ///< By removal of these causes alone.
    std::int64_t low = 0, high = 0;  ///< The least and the most of removal, alone and now.
    bool isEvent = false;            ///< Shows in fewer than half of the steps: it is the mean of those.
    std::vector<RankIndex> ranks;    ///< Who has the causes; empty: a replay finds none.
    std::vector<CauseSlice> slices;  ///< The longest first.

    bool has(RankIndex rank) const;
};
using CauseTest = std::function<bool(const CauseFacts& cause)>;
/// The causes that a rule claims, see ruleOf().
CauseTest isClaimedBy(RuleName rule);

/// The account that findings take their times from; null where the recording allows none. Several recordings in one
/// capture are no job, nor are ranks whose clocks are not known.
const JobAccount* replayedJob(const CaptureFacts& facts);

/// The causes that pass a test, as one.
/// @return nullopt: there is no replay. A claim of 0: no step would be shorter.
std::optional<Claim> claimOf(const RuleContext& context, const CauseTest& isMeant);

/// What a replay wins beside the causes, once all of these are gone: at most that, whatever else shares the time.
/// @param name  Of the change (WhatIfFacts::name), if it has one.
/// @return nullopt: there is no replay. A claim of 0: no step would be shorter.
std::optional<Claim> whatIfClaim(const RuleContext& context, WhatIf whatIf, std::string_view name = {});

/// As worstCost, for a rule that finds causes of the account: with a claim, of the ranks on which the rule finds
/// anything rather one that has the cause.
std::optional<WorstCost> worstClaim(const RuleContext& context, StepParts parts, const std::optional<Claim>& claim,
                                    const std::function<StepCost(const RankFacts& rank)>& value);
/// As rankFinding, with the time of a claim: as a range where it is one, and with a note where other causes hide it.
/// Without a claim it is `atMost`, and said to be an upper limit, with the reason why no replay tells more.
Finding claimFinding(const RuleContext& context, RuleName rule, RankIndex rank, const std::optional<Claim>& claim,
                     std::int64_t atMost, std::initializer_list<ThresholdName> thresholds);

/// The same for the claim of a what-if, or for a limit that says itself that it is one.
Finding boundFinding(const RuleContext& context, RuleName rule, RankIndex rank, const std::optional<Claim>& claim,
                     std::int64_t atMost, std::initializer_list<ThresholdName> thresholds);

/// The job's mean step without all causes of the account, ns; nullopt: there is no replay.
std::optional<std::int64_t> idealStep(const RuleContext& context);

/// ns per step that launches without any time of the host would win at most, beside what the causes that pass a test
/// win; nullopt: there is no replay.
std::optional<std::int64_t> launchBound(const RuleContext& context, const CauseTest& isClaimed);

}  // namespace altiscope
