#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

/// A cause that costs the same in each of six steps, however it is removed.
CauseFacts cause(Cause word, std::vector<RankIndex> ranks, std::int64_t ns, CauseKind kind = CauseKind::Any) {
    CauseFacts made;
    made.cause = word;
    made.kind = kind;
    made.slices.push_back({ranks.front(), SliceId{7}, "slice", {{1000}, {2000}}, ns});
    made.ranks = std::move(ranks);
    made.removal = made.alone = made.first = std::vector<std::int64_t>(6, ns);
    return made;
}

/// Facts whose job can be replayed, and has these causes.
CaptureFacts replayed(std::vector<CauseFacts> causes, CaptureFacts facts = cleanFacts()) {
    auto account = std::make_shared<AccountFacts>();
    account->job.refusal = ReplayRefusal::None;
    account->job.recorded.assign(6, 100 * kMs);
    account->job.withoutLaunches.assign(6, 98 * kMs);
    account->job.causes = std::move(causes);
    facts.account = std::move(account);
    return facts;
}

CaptureFacts slowRank(std::vector<CauseFacts> causes) {
    CaptureFacts facts = replayed(std::move(causes));
    facts.ranks[2].kernels["MatMul"].total += 60 * kMs;  // 10 ms a step
    return facts;
}

std::optional<Finding> firstOf(std::string_view rule, const CaptureFacts& facts) {
    for (const Finding& finding : runRules(facts, {})) {
        if (finding.rule == rule) return finding;
    }
    return std::nullopt;
}

bool says(const Finding& finding, std::string_view words) {
    return findingDetail(finding, "en").find(words) != std::string::npos;
}

constexpr RankIndex kSlow{2};

}  // namespace

/// Findings claim what a replay of the job wins.
class TestClaims : public QObject {
    Q_OBJECT
private slots:
    void aSlowRankClaimsWhatAReplayWins() {
        const Finding found = *firstOf("slow_rank", slowRank({cause(Cause::Kernel, {kSlow}, 8 * kMs)}));
        QCOMPARE(*found.recoverable, 8 * kMs);
        QCOMPARE(found.severity, FindingSeverity::High);
        QVERIFY(says(found, "8.0 ms (8.0 %) shorter"));
        QVERIFY(!says(found, "upper limit"));
    }

    void aSlowRankBehindASlowLinkSaysThatItIsHidden() {
        // Mended alone it wins 0.4 ms, as all wait for the link longer than for the rank.
        CauseFacts hidden = cause(Cause::Kernel, {kSlow}, 10 * kMs);
        hidden.first.assign(6, 400'000);
        CauseFacts link = cause(Cause::Transfer, {{0}, {1}}, 20 * kMs, CauseKind::Link);
        link.link = {RankIndex{0}, RankIndex{1}};
        CaptureFacts facts = slowRank({link, hidden});
        const Finding found = *firstOf("slow_rank", facts);
        QCOMPARE(*found.recoverable, 10 * kMs);
        QVERIFY2(says(found, "mended alone it wins 400.0 µs, and 10.0 ms once"), findingDetail(found, "en").c_str());
        QVERIFY(says(found, "0.4 % – 10.0 %"));
        const auto parameter = [&](std::string_view name) {
            for (const auto& [key, value] : found.parameters) {
                if (key == name) return value;
            }
            return std::string();
        };
        QCOMPARE(parameter("recoverable_low_ns"), std::string("400000"));
        QCOMPARE(parameter("recoverable_high_ns"), std::string("10000000"));
    }

    void whatMakesNoStepShorterClaimsNothing() {
        const Finding found = *firstOf("slow_rank", slowRank({}));
        QCOMPARE(*found.recoverable, std::int64_t{0});
        QCOMPARE(found.severity, FindingSeverity::Low);
        QVERIFY(says(found, "No step would be shorter"));
        // Pauses that no step waits for are no finding.
        CaptureFacts facts = replayed({});
        facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
        QVERIFY(!firstOf("gc_pause", facts));
        facts.account = nullptr;
        QVERIFY(firstOf("gc_pause", facts));
    }

    void aPauseThatTheDeviceIsAheadOfCostsLessThanItLasts() {
        // 10 ms in each step, of which four of six win 9 ms: 6 ms a step.
        CauseFacts pause = cause(Cause::Gc, {RankIndex{3}}, 9 * kMs);
        pause.removal[0] = pause.removal[1] = 0;
        pause.alone = pause.first = pause.removal;
        CaptureFacts facts = replayed({pause});
        facts.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 10 * kMs), 10 * kMs);
        const Finding found = *firstOf("gc_pause", facts);
        QCOMPARE(found.rank->value, 3U);
        QCOMPARE(*found.recoverable, 6 * kMs);
        QCOMPARE(found.severity, FindingSeverity::High);
    }

    void withoutAReplayTheTimeIsAnUpperLimitAndSaysWhy() {
        CaptureFacts facts = slowRank({});
        auto account = std::make_shared<AccountFacts>();
        account->job.refusal = ReplayRefusal::NoSynchronization;
        account->job.refusedBy = RankIndex{1};
        facts.account = account;
        const Finding found = *firstOf("slow_rank", facts);
        QCOMPARE(*found.recoverable, 10 * kMs);
        QVERIFY(says(found, "upper limit: a step of rank 1 has no recorded call"));
        // Ranks without a common time do not wait for each other in a replay: that says nothing.
        account = std::make_shared<AccountFacts>();
        account->job.refusal = ReplayRefusal::None;
        account->job.refusedBy = RankIndex{1};
        account->job.recorded.assign(6, 100 * kMs);
        facts.account = account;
        QCOMPARE(*firstOf("slow_rank", facts)->recoverable, 10 * kMs);
        QVERIFY(says(*firstOf("slow_rank", facts), "clocks"));
    }

    void rulesOfUnknownCausesAreSilentWhereAReplayKnows() {
        CaptureFacts facts = replayed({});
        for (StepFacts& step : facts.ranks[2].steps) {
            step.free = 30 * kMs;
            step.computing = 90 * kMs;
        }
        for (RankFacts& rank : facts.ranks) {
            WaitFacts& waits = rank.waits.emplace_back();
            waits.group = "g";
            waits.elapsed = 6 * 30 * kMs;
            waits.byStep.assign(6, 30 * kMs);
        }
        const std::vector<const char*> rules{"free_gap", "unbalanced_ranks", "collective_wait"};
        for (const char* rule : rules) QVERIFY2(!firstOf(rule, facts), rule);
        facts.account = nullptr;
        for (const char* rule : rules) QVERIFY2(firstOf(rule, facts), rule);
    }

    void theLateRankMayBeAbsent() {
        CauseFacts absent = cause(Cause::Absent, {RankIndex{1}}, 9 * kMs);
        CaptureFacts facts = replayed({absent});
        facts.ranks.resize(3);
        for (RankFacts& rank : facts.ranks) {
            WaitFacts& waits = rank.waits.emplace_back();
            waits.group = "g";
            waits.elapsed = 6 * 20 * kMs;
            waits.transit = 6 * 12 * kMs;
            waits.byStep.assign(6, 8 * kMs);
            waits.members = 4;
            waits.absent = {3};
        }
        const Finding found = *firstOf("collective_wait", facts);
        QCOMPARE(*found.recoverable, 9 * kMs);
        QVERIFY(says(found, "rank 3, which is not, is probably late"));
        QVERIFY(says(found, "9.0 ms (9.0 %) shorter"));
        // The waits themselves are the evidence.
        auto account = std::make_shared<AccountFacts>(*facts.account);
        WaitCause& wait = account->job.waits.emplace_back();
        wait.cause = Cause::Absent;
        wait.rank = *found.rank;
        wait.range = {{70 * kMs}, {79 * kMs}};
        facts.account = account;
        QVERIFY(firstOf("collective_wait", facts)->evidence.ranges.front().range == wait.range);
        account->job.causes.front().removal.assign(6, kMs / 2);
        QVERIFY(!firstOf("collective_wait", facts));
    }

    void reductionsThatAreWaitedForClaimWhatAReplayWins() {
        CauseFacts waits = cause(Cause::Transfer, {{0}, {1}, {2}, {3}}, 19 * kMs, CauseKind::NotHidden);
        const Finding found = *firstOf("exposed_communication", replayed({waits}));
        QCOMPARE(*found.recoverable, 19 * kMs);
        QVERIFY(says(found, "19.0 ms (19.0 %) shorter"));
        QVERIFY(!firstOf("exposed_communication", replayed({})));
    }

    void callsForMemoryClaimWhatARunWithoutThemWins() {
        CaptureFacts facts = replayed({cause(Cause::Host, {RankIndex{3}}, 4 * kMs, CauseKind::MemoryCalls)});
        facts.ranks[3].memoryCalls = occurrences(60, std::vector<std::int64_t>(6, 20 * kMs), 2 * kMs);
        QCOMPARE(*firstOf("memory_calls", facts)->recoverable, 4 * kMs);
        QVERIFY(!firstOf("slow_launches", facts));
        QVERIFY(!firstOf("memory_calls", replayed({}, facts)));
    }

    void whatRulesOfCoresSaveIsWhatStepsWouldWinAfterAllCauses() {
        CaptureFacts facts = replayed({});
        facts.ranks[1].idleCores.saved = occurrences(60, std::vector<std::int64_t>(6, 20 * kMs), kMs);
        facts.ranks[1].tinyKernels = occurrences(6 * 600, std::vector<std::int64_t>(6, kMs), 3000);
        facts.ranks[1].kernelCount = 6 * 700;
        facts.ranks[1].synchronizations = occurrences(6 * 20, std::vector<std::int64_t>(6, 9 * kMs), kMs);
        facts.ranks[1].freeAfterSynchronization = occurrences(6 * 20, std::vector<std::int64_t>(6, 9 * kMs), kMs);
        for (StepFacts& step : facts.ranks[1].steps) step.free = 20 * kMs;
        const std::vector<std::pair<const char*, WhatIf>> rules{{"idle_cores", WhatIf::IdleCores},
                                                                {"tiny_kernels", WhatIf::TinyKernels},
                                                                {"synchronizations", WhatIf::Synchronizations}};
        // No step is shorter by any of them, and nothing is said.
        for (const auto& [rule, whatIf] : rules) QVERIFY2(!firstOf(rule, facts), rule);
        auto account = std::make_shared<AccountFacts>(*facts.account);
        for (const auto& [rule, whatIf] : rules) {
            WhatIfFacts& one = account->job.whatIfs.emplace_back();
            one.whatIf = whatIf;
            one.ranks = {{1}};
            one.gains.assign(6, 2 * kMs);
        }
        facts.account = account;
        for (const auto& [rule, whatIf] : rules) QCOMPARE(*firstOf(rule, facts)->recoverable, 2 * kMs);
        // Without a replay the formulas hold.
        facts.account = nullptr;
        QCOMPARE(*firstOf("idle_cores", facts)->recoverable, 20 * kMs);
        QCOMPARE(*firstOf("synchronizations", facts)->recoverable, 9 * kMs);
    }

    void transfersLoseAtMostWhatStepsWouldWin() {
        CaptureFacts facts = replayed({});
        // 10 ms a step beside multiplications, 5 alone.
        facts.ranks[1].contention.push_back({"allreduce", 6, 6, 600 * kMs, 60 * kMs, 600 * kMs, 30 * kMs, {}});
        facts.ranks[1].contention[0].byStep.assign(6, {100 * kMs, 10 * kMs, 20 * kMs});
        for (StepFacts& step : facts.ranks[1].steps) step.exposed = 20 * kMs;
        // Nothing was replayed, as the limits of a user may be other ones: the formula holds.
        QCOMPARE(*firstOf("contention", facts)->recoverable, 5 * kMs);
        QVERIFY(says(*firstOf("contention", facts), "would save at most 5.0 ms"));
        auto account = std::make_shared<AccountFacts>(*facts.account);
        account->job.whatIfs.push_back({WhatIf::Contention, {{1}}, {}, std::vector<std::int64_t>(6, 2 * kMs)});
        facts.account = account;
        QCOMPARE(*firstOf("contention", facts)->recoverable, 2 * kMs);
        account = std::make_shared<AccountFacts>(*account);
        account->job.whatIfs[0].gains.assign(6, 0);
        facts.account = account;
        QVERIFY(!firstOf("contention", facts));
    }

    void theBubbleIsWhatNoScheduleMakesNecessary() {
        CaptureFacts facts = replayed({});
        for (RankFacts& rank : facts.ranks) {
            rank.stages = 2;
            rank.stage = *rank.rankId % 2;
            rank.receivesPerStep = 4;
            for (StepFacts& step : rank.steps) step.exposed = 5 * kMs, step.bubble = 30 * kMs;
        }
        auto account = std::make_shared<AccountFacts>(*facts.account);
        account->job.ideal.assign(6, 100 * kMs);
        WhatIfFacts& waits = account->job.whatIfs.emplace_back();
        waits.whatIf = WhatIf::NoPipelineWaits;
        waits.ranks = {{0}, {1}};
        waits.gains.assign(6, 40 * kMs);
        facts.account = account;
        // 60 ms of work in four micro-batches of two stages take 75 ms.
        QCOMPARE(*firstOf("pipeline_bubble", facts)->recoverable, 25 * kMs);
        for (RankFacts& rank : facts.ranks) rank.receivesPerStep = 1;
        QCOMPARE(*firstOf("pipeline_bubble", facts)->recoverable, std::int64_t{0});
        QVERIFY(!says(*firstOf("pipeline_bubble", facts), "others take longer"));
        for (RankFacts& rank : facts.ranks) rank.receivesPerStep = 0;
        QCOMPARE(*firstOf("pipeline_bubble", facts)->recoverable, 40 * kMs);
    }

    void launchesAreTheMostThatFreeTimeCanWin() {
        CaptureFacts facts = replayed({});  // without a host a step would be 2 ms shorter
        for (RankFacts& rank : facts.ranks) {
            for (StepFacts& step : rank.steps) step.free = 25 * kMs;
        }
        const Finding found = *firstOf("free_time", facts);
        QCOMPARE(*found.recoverable, 2 * kMs);
        QVERIFY(says(found, "wins no more"));
        // Less what a pause of the host claims already.
        CaptureFacts paused = replayed({cause(Cause::Gc, {RankIndex{3}}, kMs)}, facts);
        paused.ranks[3].garbageCollections = occurrences(6, std::vector<std::int64_t>(6, 20 * kMs), 20 * kMs);
        QCOMPARE(*firstOf("gc_pause", paused)->recoverable, kMs);
        QCOMPARE(*firstOf("free_time", paused)->recoverable, kMs);
    }
};

ALTI_TEST(TestClaims)
#include "tst_claims.moc"
