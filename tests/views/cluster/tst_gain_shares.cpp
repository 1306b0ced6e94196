#include "tests/support/test_main.h"
#include "views/cluster/data/gain_shares.h"

#include <string>

using namespace altiscope;

/// What a step could win, by the findings that claim it.
class TestGainShares : public QObject {
    Q_OBJECT
private slots:
    void init();
    void causesOfOneFindingAreOneShare();
    void sharesAddUp();
    void chosenStepsAlone();
    void ranksAndLinksHaveFindingsOfTheirOwn();
    void whatNoReplayClaimsIsNotLinked();

private:
    CauseFacts cause(Cause word, CauseKind kind, std::vector<RankIndex> ranks, std::vector<std::int64_t> gains) const {
        CauseFacts made;
        made.cause = word;
        made.kind = kind;
        made.ranks = std::move(ranks);
        made.removal = made.alone = std::move(gains);
        return made;
    }
    static Finding finding(const char* rule, std::uint32_t rank) {
        Finding made;
        made.rule = rule;
        made.rank = RankIndex{rank};
        made.isReplayed = true;
        return made;
    }
    JobAccount m_job;
    CaptureFacts m_facts;
    const std::vector<std::size_t> m_all{0, 1};
};

void TestGainShares::init() {
    m_job = {};
    m_job.refusal = ReplayRefusal::None;
    m_job.steps = {5, 6};
    m_job.recorded = {1000, 3000};
    m_facts = {};
    for (int r = 0; r < 4; ++r) m_facts.ranks.emplace_back().rankId = r;
}

void TestGainShares::causesOfOneFindingAreOneShare() {
    m_job.causes = {cause(Cause::Gc, CauseKind::Any, {{0}}, {100, 100}),
                    cause(Cause::Kernel, CauseKind::Any, {{1}}, {80, 80}),
                    cause(Cause::Gc, CauseKind::Any, {{2}}, {60, 0})};
    const std::vector<Finding> findings{finding("slow_rank", 1), finding("gc_pause", 0)};
    const std::vector<GainShare> shares = gainShares(m_job, m_facts, findings, m_all);
    QCOMPARE(shares.size(), std::size_t{2});
    QCOMPARE(shares[0].finding.value(), std::size_t{1});
    QCOMPARE(shares[0].causes, (std::vector<std::size_t>{0, 2}));
    QCOMPARE(shares[0].gain, std::int64_t{130});
    QCOMPARE(shares[0].affectedSteps, std::size_t{2});
    QCOMPARE(shares[1].finding.value(), std::size_t{0});
    QCOMPARE(shares[1].gain, std::int64_t{80});
}

void TestGainShares::sharesAddUp() {
    m_job.causes = {cause(Cause::Gc, CauseKind::Any, {{0}}, {100, 100}),
                    cause(Cause::Checkpoint, CauseKind::Any, {{1}}, {0, 40}),
                    cause(Cause::Transfer, CauseKind::SmallPackets, {{0}, {1}}, {20, 20})};
    std::int64_t sum = 0;
    for (const GainShare& share : gainShares(m_job, m_facts, {}, m_all)) {
        QVERIFY(!share.finding);
        sum += share.gain;
    }
    QCOMPARE(sum, std::int64_t{(200 + 40 + 40) / 2});
    QCOMPARE(meanOver(m_job.recorded, m_all), std::int64_t{2000});
}

void TestGainShares::chosenStepsAlone() {
    m_job.causes = {cause(Cause::Checkpoint, CauseKind::Any, {{1}}, {0, 40})};
    const std::vector<std::size_t> second{1}, first{0};
    QCOMPARE(gainShares(m_job, m_facts, {}, second)[0].gain, std::int64_t{40});
    QCOMPARE(gainShares(m_job, m_facts, {}, second)[0].affectedSteps, std::size_t{1});
    QCOMPARE(gainShares(m_job, m_facts, {}, first)[0].gain, std::int64_t{0});
    QCOMPARE(gainShares(m_job, m_facts, {}, first)[0].affectedSteps, std::size_t{0});
}

void TestGainShares::ranksAndLinksHaveFindingsOfTheirOwn() {
    m_job.causes = {cause(Cause::Kernel, CauseKind::Any, {{1}}, {80, 80}),
                    cause(Cause::Kernel, CauseKind::Any, {{3}}, {70, 70}),
                    cause(Cause::Transfer, CauseKind::Link, {{0}, {2}}, {60, 60}),
                    cause(Cause::Kernel, CauseKind::Any, {{2}}, {5, 5})};
    m_job.causes[2].link = std::pair(RankIndex{0}, RankIndex{2});
    std::vector<Finding> findings{finding("slow_rank", 3), finding("slow_rank", 1), finding("slow_link", 1),
                                  finding("slow_link", 0)};
    findings[2].parameters = {{"source", "1"}, {"target", "2"}};
    findings[3].parameters = {{"source", "0"}, {"target", "2"}};
    const std::vector<GainShare> shares = gainShares(m_job, m_facts, findings, m_all);
    QCOMPARE(shares.size(), std::size_t{4});
    QCOMPARE(shares[0].finding.value(), std::size_t{1});
    QCOMPARE(shares[1].finding.value(), std::size_t{0});
    QCOMPARE(shares[2].finding.value(), std::size_t{3});
    QVERIFY(!shares[3].finding);
}

void TestGainShares::whatNoReplayClaimsIsNotLinked() {
    m_job.causes = {cause(Cause::Gc, CauseKind::Any, {{0}}, {100, 100})};
    std::vector<Finding> findings{finding("gc_pause", 0)};
    findings[0].isReplayed = false;
    QVERIFY(!gainShares(m_job, m_facts, findings, m_all)[0].finding);
}

ALTI_TEST(TestGainShares)
#include "tst_gain_shares.moc"
