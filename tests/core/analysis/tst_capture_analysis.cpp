#include "core/analysis/capture_analysis.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::rankTrace;
using altiscope::test::rowsOf;

namespace {

RankEntry rankOf(std::int64_t number, const std::string& lines) {
    RankEntry rank;
    rank.info.rankId = number;
    rank.trace = rankTrace(lines);
    RowTablesBuilder builder;
    addKernelRows(builder, *rank.trace, 1);
    rank.rows = builder.seal({}).value();
    return rank;
}

std::shared_ptr<const CaptureStore> captureOf(std::vector<RankEntry> ranks, std::shared_ptr<const RowTables> groups = nullptr) {
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks = std::move(ranks);
    capture->rows = std::move(groups);
    return capture;
}

const CollectiveFacts& ofType(const RankFacts& facts, const std::string& type) {
    static const CollectiveFacts none;
    for (const CollectiveFacts& one : facts.collectives) {
        if (one.parallelType == type) return one;
    }
    return none;
}

}  // namespace

class TestCaptureAnalysis : public QObject {
    Q_OBJECT
private slots:
    void overlappingCollectivesOfTwoTypesCountOnce() {
        // dp and tp are exposed from 50 to 60 both, which is one stretch of time; it goes to dp, which began first.
        const auto groups = rowsOf(RowKind::CommGroup, {{{"group_name", "D"}, {"hash", "1"}, {"parallel_type", "dp"}},
                                                        {{"group_name", "T"}, {"hash", "2"}, {"parallel_type", "tp"}}});
        const CaptureAnalysis analysis(captureOf({rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,50) MatMul[80,100)\n"
                                                            "Communication/Group D Communication: hcom_allReduce__1_0_1[30,60)\n"
                                                            "Communication/Group T Communication: hcom_allGather__2_0_1[40,70) hcom_allGather__2_1_1[75,85)\n")},
                                                 groups));
        const RankFacts& facts = analysis.facts({})->ranks.at(0);
        QCOMPARE(facts.steps.at(0).communication, 50);
        QCOMPARE(facts.steps.at(0).notOverlapped, 25);
        QCOMPARE(ofType(facts, "dp").all.total, 30);
        QCOMPARE(ofType(facts, "dp").exposed.total, 10);
        QCOMPARE(ofType(facts, "tp").all.total, 20);
        QCOMPARE(ofType(facts, "tp").exposed.total, 15);
        QCOMPARE(ofType(facts, "dp").all.count, std::uint64_t{1});
        QCOMPARE(ofType(facts, "tp").all.count, std::uint64_t{2});
    }

    void factsAndRowsTogetherAreThoseOneByOne() {
        const auto capture = captureOf({rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,50) MatMul[80,100)\n"),
                                        rankOf(1, "Ascend Hardware/Stream 1: MatMul[0,50) Add[50,100)\nCommunication/Group 0 Communication: a[90,120)\n")});
        const CaptureAnalysis together(capture), apart(capture);
        const auto facts = together.factsAndRanks({});
        const auto others = apart.facts({});
        QCOMPARE(together.facts({}).get(), facts.get());
        for (std::uint32_t r = 0; r < 2; ++r) {
            QCOMPARE(facts->ranks[r].steps.at(0).computing, others->ranks[r].steps.at(0).computing);
            const auto rows = together.rank(r, {}), same = apart.rank(r, {});
            for (const RowKind kind : {RowKind::StepBreakdown, RowKind::OpStat})
                QCOMPARE(rows->rows->find(kind)->size(), same->rows->find(kind)->size());
        }
        // Facts that somebody asked for alone before.
        QCOMPARE(apart.factsAndRanks({}).get(), others.get());
        const CancelToken token;
        token.requestCancel();
        QVERIFY(CaptureAnalysis(capture).factsAndRanks(token) == nullptr);
        QVERIFY(CaptureAnalysis(capture).rank(0, token) == nullptr);
    }
};

ALTI_TEST(TestCaptureAnalysis)
#include "tst_capture_analysis.moc"
