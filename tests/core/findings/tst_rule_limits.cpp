#include "core/findings/run_rules.h"
#include "tests/core/findings/planted_facts.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <string>

using namespace altiscope;
using altiscope::test::cleanFacts;
using altiscope::test::kMs;
using altiscope::test::occurrences;

namespace {

Occurrences each(std::int64_t ns, std::uint64_t count = 6) {
    return occurrences(count, std::vector<std::int64_t>(6, ns), ns);
}

std::vector<Finding> ofRule(const CaptureFacts& facts, std::string_view rule,
                            const FindingThresholds& thresholds = {}) {
    std::vector<Finding> findings = runRules(facts, {}, thresholds);
    std::erase_if(findings, [&](const Finding& finding) { return finding.rule != rule; });
    return findings;
}

bool hasNote(const Finding& finding, std::string_view code) {
    return std::find(finding.notes.begin(), finding.notes.end(), code) != finding.notes.end();
}

}  // namespace

/// Values exactly at a limit, and sums over ranks and steps that are not alike.
class TestRuleLimits : public QObject {
    Q_OBJECT
private slots:
    void aShareAtALimitIsOfTheGraverSeverity() {
        for (const auto& [ns, severity] : {std::pair(5 * kMs, FindingSeverity::High),
                                           {5 * kMs - 1, FindingSeverity::Medium},
                                           {3 * kMs, FindingSeverity::Medium},
                                           {3 * kMs - 1, FindingSeverity::Low}}) {
            CaptureFacts facts = cleanFacts();
            facts.ranks[3].dataLoading = occurrences(12, std::vector<std::int64_t>(6, ns), 10 * kMs);
            const auto loading = ofRule(facts, "data_loading");
            QCOMPARE(loading.size(), std::size_t{1});
            QCOMPARE(*loading[0].recoverable, ns);
            QCOMPARE(loading[0].severity, severity);
        }
    }

    void communicationThatIsHiddenAtTheLimitIsMostlyHidden() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[1].collectives[0].all = each(40 * kMs, 60);
        facts.ranks[1].collectives[0].exposed = each(30 * kMs, 60);  // a quarter is hidden
        FindingThresholds thresholds;
        thresholds.hiddenShare = 0.25;
        QVERIFY(ofRule(facts, "exposed_communication", thresholds).empty());
        thresholds.hiddenShare = 0.2500001;
        const auto exposed = ofRule(facts, "exposed_communication", thresholds);
        QCOMPARE(exposed.size(), std::size_t{1});
        // Without a replay nobody knows what it costs.
        QVERIFY(!exposed[0].recoverable);
        QCOMPARE(exposed[0].severity, FindingSeverity::Low);
    }

    /// Without a replay each time is a limit of its own, and no more than a step; limits may share their time.
    void limitsAreNotCutByEachOther() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) {
            for (StepFacts& step : rank.steps) {
                step.computing = 3 * kMs;
                step.communication = step.exposed = 5 * kMs;
                step.free = 92 * kMs;
            }
        }
        facts.ranks[1].dataLoading = each(95 * kMs);
        facts.ranks[3].garbageCollections = each(110 * kMs);
        const auto pauses = ofRule(facts, "gc_pause"), loading = ofRule(facts, "data_loading");
        QCOMPARE(pauses.size(), std::size_t{1});
        QCOMPARE(*pauses[0].recoverable, 97 * kMs);  // as much as the device does not compute
        QCOMPARE(*loading.at(0).recoverable, 95 * kMs);
    }

    /// 0.05 % of a step was rated medium.
    void aTrifleOnTheAiCpuIsLow() {
        for (const auto& [ns, severity] :
             {std::pair(std::int64_t{30'000}, FindingSeverity::Low), {30 * kMs, FindingSeverity::High}}) {
            CaptureFacts facts = cleanFacts();
            facts.ranks[1].aiCpu["Cast"] = each(ns);
            const auto found = ofRule(facts, "ai_cpu");
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].severity, severity);
        }
    }

    /// One pause in one of six steps was rated as if each step had it.
    void aPauseInOneStepIsRatedByAllSteps() {
        CaptureFacts facts = cleanFacts();
        Occurrences pause = each(0, 1);
        pause.byStep[2] = 12 * kMs;
        pause.total = pause.max = 12 * kMs;
        facts.ranks[1].garbageCollections = pause;
        const auto found = ofRule(facts, "gc_pause");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(*found[0].recoverable, 12 * kMs);  // 2 % of the steps together, above a trifle
        QCOMPARE(found[0].severity, FindingSeverity::Medium);
        QVERIFY(hasNote(found[0], "finding.note.some_steps"));
    }

    /// A link that is slow in one of its steps costs that step what it loses there.
    void aLinkLosesNothingInItsFastSteps() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[1].links.push_back({11, 1, 2, "HCCS", 180 * kMs, 10 * kMs});
        for (LinkFacts& link : facts.ranks[1].links) {
            if (link.step == 10 && link.source == 1 && link.target == 2) link.time = 40 * kMs;
        }
        const auto links = ofRule(facts, "slow_link");
        QCOMPARE(links.size(), std::size_t{1});
        QCOMPARE(links[0].rank->value, 1U);
        QCOMPARE(*links[0].recoverable, 30 * kMs);
    }

    void smallPacketsExplainALinkThatNoneIsLike() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) rank.links.clear();
        // 5 bytes/ns where 18 are usual; 16 MB are enough to tell, a byte less is not.
        facts.ranks[0].links.push_back({10, 0, 1, "HCCS", 16'000'000, 3'200'000});
        QCOMPARE(ofRule(facts, "slow_link").size(), std::size_t{1});
        facts.ranks[0].links[0].size -= 1;
        QVERIFY(ofRule(facts, "slow_link").empty());
        facts.ranks[0].links[0].size += 1;
        facts.ranks[2].packets.push_back({11, "HCCS", 65536, 10'000, 100 * kMs, 50e6, 65536e4, 10, {}});
        QCOMPARE(ofRule(facts, "small_packets").size(), std::size_t{1});
        QVERIFY(ofRule(facts, "slow_link").empty());
    }

    /// Seconds in which the job stands still stay serious, whatever their share of a step.
    void lostPacketsStayHighWhateverTheirShare() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) {
            rank.steps[1].exposed = 6'000 * kMs;
            rank.waits.emplace_back().group = "g";
            rank.longCollectives.push_back({11, "g", "hcom_allReduce", 5'000 * kMs, 4'500 * kMs, 1'000'000});
        }
        FindingThresholds thresholds;
        thresholds.highShare = thresholds.mediumShare = 2;  // no time alone is enough
        const auto lost = ofRule(facts, "lost_packets", thresholds);
        QCOMPARE(lost.size(), std::size_t{1});
        // 4.5 s in one of six steps, whose mean is about 1.1 s.
        QVERIFY(*lost[0].recoverable < 1'200 * kMs);
        QCOMPARE(lost[0].severity, FindingSeverity::High);
    }

    /// The one peer of a rank is what it is compared with, not the mean of both.
    void ofTwoRanksThePeerIsTheOther() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(2);
        for (RankFacts& rank : facts.ranks) rank.kernels.clear();
        for (StepFacts& step : facts.ranks[1].steps) step.computing += 40 * kMs;
        const auto slow = ofRule(facts, "slow_rank");
        QCOMPARE(slow.size(), std::size_t{1});
        QCOMPARE(*slow[0].recoverable, 40 * kMs);
        const std::string detail = findingDetail(slow[0], "en");
        QVERIFY2(detail.find("computes 100.0 ms a step, its peers 60.0 ms: +40.0 ms (+67 %)") != std::string::npos,
                 detail.c_str());
    }

    void rowsOfRanksWithoutANumberAreThoseOfTheRank() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[2].kernels["MatMul"].total += 60 * kMs;
        const auto condition = [&] {
            const auto slow = ofRule(facts, "slow_rank");
            return slow.size() == 1 && !slow[0].evidence.rows.empty() ? slow[0].evidence.rows[0].condition
                                                                      : std::string();
        };
        QVERIFY(condition().starts_with("rank_id = 2"));
        QVERIFY(condition().find("rowid") == std::string::npos);
        for (RankFacts& rank : facts.ranks) rank.rankId.reset();
        QVERIFY(condition().starts_with("rank_id IS NULL"));
        QVERIFY2(condition().ends_with(" AND rowid BETWEEN 2199023255553 AND 3298534883328"), condition().c_str());
    }

    /// Two recordings in one folder are two jobs: each has its own rank of that number.
    void recordingsAreRatedByTheirOwnSteps() {
        CaptureFacts facts = cleanFacts();
        facts.ranks.resize(2);
        facts.ranks[1].rankId = 0;
        facts.ranks[1].recording = 1;
        for (RankFacts& rank : facts.ranks) {
            for (StepFacts& step : rank.steps) step.computing = 30 * kMs, step.exposed = 5 * kMs, step.free = 65 * kMs;
        }
        facts.ranks[0].garbageCollections = each(60 * kMs);
        facts.ranks[1].dataLoading = each(60 * kMs);
        QCOMPARE(*ofRule(facts, "gc_pause").at(0).recoverable, 60 * kMs);
        QCOMPARE(*ofRule(facts, "data_loading").at(0).recoverable, 60 * kMs);
    }

    /// A link of the same ranks that was fast in an older recording hid it. Its transport is a word from a file.
    void aLinkIsSlowInItsOwnRecording() {
        CaptureFacts facts = cleanFacts();
        for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
            RankFacts& rank = facts.ranks[r];
            rank.rankId = static_cast<std::int64_t>(r % 2);
            rank.recording = r < 2 ? 0 : 1;
            rank.links.clear();
            for (std::int64_t target = 10; target < 14; ++target)
                rank.links.push_back({11, *rank.rankId, target, "o'r", 180 * kMs, 10 * kMs});
        }
        QVERIFY(ofRule(facts, "slow_link").empty());
        facts.ranks[2].links[0].time = 25 * kMs;
        const auto links = ofRule(facts, "slow_link");
        QCOMPARE(links.size(), std::size_t{1});
        QCOMPARE(links[0].rank->value, 2U);
        QCOMPARE(*links[0].recoverable, 15 * kMs);
        QVERIFY(links[0].evidence.rows.at(0).condition.find("transport = 'o''r'") != std::string::npos);
    }

    /// Packets of the network are small below a limit of their own; those of SDMA stand in other rows, too.
    void rowsOfSmallPacketsAreThoseThatWereCounted() {
        CaptureFacts facts = cleanFacts();
        facts.ranks[2].packets.push_back({11, "HCCS", 65536, 10'000, 100 * kMs, 50e6, 65536e4, 10, {}});
        const auto found = ofRule(facts, "small_packets");
        QCOMPARE(found.size(), std::size_t{1});
        const std::string& condition = found[0].evidence.rows.at(0).condition;
        QVERIFY2(condition.find("packet_size < iif(transport = 'RDMA', 524288, 1048576)") != std::string::npos,
                 condition.c_str());
        QVERIFY(condition.find("transport IS NOT 'SDMA'") != std::string::npos);
    }

    void ofManySlowLinksTheWorstAreShown() {
        CaptureFacts facts = cleanFacts();
        for (RankFacts& rank : facts.ranks) rank.links.clear();
        // 14 of 100 take 11 to 24 us longer than the others, in no order.
        for (std::int64_t target = 100; target < 200; ++target) {
            const std::int64_t slow = target < 114 ? 1'011'000 + (target * 5 % 14) * 1000 : 0;
            facts.ranks[0].links.push_back({11, 0, target, "HCCS", 18'000'000, kMs + slow});
        }
        const auto links = ofRule(facts, "slow_link");
        QCOMPARE(links.size(), std::size_t{10});
        for (std::size_t i = 0; i < links.size(); ++i)
            QCOMPARE(*links[i].recoverable, 1'024'000 - static_cast<std::int64_t>(i) * 1000);
    }
};

ALTI_TEST(TestRuleLimits)
#include "tst_rule_limits.moc"
