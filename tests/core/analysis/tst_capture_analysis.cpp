#include "core/analysis/capture_analysis.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::addRow;
using altiscope::test::RowText;
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

    void rowsAreTheSameWithAndWithoutFactsBefore() {
        const auto capture = captureOf({rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,50) MatMul[80,100)\n"),
                                        rankOf(1, "Ascend Hardware/Stream 1: MatMul[0,50) Add[50,100)\nCommunication/Group 0 Communication: a[90,120)\n")});
        const CaptureAnalysis together(capture), apart(capture);
        const auto facts = together.facts({});
        QCOMPARE(facts->ranks[1].steps.at(0).computing, 100);
        for (std::uint32_t r = 0; r < 2; ++r) {
            const auto rows = together.rank(r, {}), same = apart.rank(r, {});
            for (const RowKind kind : {RowKind::StepBreakdown, RowKind::OpStat})
                QCOMPARE(rows->rows->find(kind)->size(), same->rows->find(kind)->size());
        }
        const auto before = apart.rank(1, {});
        QVERIFY(apart.facts({}) != nullptr);
        QCOMPARE(apart.rank(1, {}).get(), before.get());
        const CancelToken token;
        token.requestCancel();
        QVERIFY(CaptureAnalysis(capture).facts(token) == nullptr);
        QVERIFY(CaptureAnalysis(capture).rank(0, token) == nullptr);
    }

    void kernelsWithoutATimelineGiveFacts() {
        RankEntry rank;
        rank.info.rankId = 3;
        RowTablesBuilder builder;
        const auto kernel = [&](const char* step, const char* name, const char* core, const char* begin, const char* duration) {
            addRow(builder, RowKind::Kernel, {{"step", step}, {"kind", "compute"}, {"name", name}, {"type", name}, {"accelerator_core", core},
                                              {"ts", begin}, {"dur", duration}});
        };
        kernel("5", "Cast", "AI_CPU", "1000", "40000");
        kernel("5", "Add", "AI_VECTOR_CORE", "50000", "2000");
        kernel("6", "Add", "AI_VECTOR_CORE", "100000", "3000");
        addRow(builder, RowKind::StepBreakdown, {{"step", "5"}, {"origin", "recorded"}, {"computing", "42000"}, {"not_overlapped", "500"}, {"free", "7000"}});
        rank.rows = builder.seal({}).value();
        const CaptureAnalysis analysis(captureOf({rank}));
        const RankFacts& facts = analysis.facts({})->ranks.at(0);
        QCOMPARE(facts.kernelCount, std::uint64_t{3});
        QCOMPARE(facts.aiCpu.at("Cast").greatest, 40000);
        QVERIFY((facts.aiCpu.at("Cast").byStep == std::vector<std::int64_t>{40000, 0}));
        QVERIFY(facts.aiCpu.at("Cast").longest.empty());
        QCOMPARE(facts.tinyKernels.count, std::uint64_t{2});
        // The profiler's own summary knows more than the kernels; where it has no step they stand for it.
        QCOMPARE(facts.steps.at(0).endToEnd(), 49500);
        QVERIFY(!facts.steps[0].isComputed);
        QCOMPARE(facts.steps.at(1).computing, 3000);
        const auto rows = analysis.rank(0, {})->rows;
        QCOMPARE(rows->find(RowKind::OpStat)->size(), std::size_t{2});
        QVERIFY(rows->find(RowKind::StepBreakdown) == nullptr);
    }

    void recordingsOfARankAreCounted() {
        std::vector<RankEntry> ranks(5);
        for (std::size_t i = 2; i < 5; ++i) ranks[i].info.rankId = i == 4 ? 1 : 0;
        const auto facts = CaptureAnalysis(captureOf(ranks)).facts({});
        std::vector<std::uint32_t> recordings;
        for (const RankFacts& rank : facts->ranks) recordings.push_back(rank.recording);
        QVERIFY((recordings == std::vector<std::uint32_t>{0, 0, 0, 1, 0}));
    }

    void aRankThatIsTheCaptureHasTheNameOfItsFolder() {
        auto capture = std::make_shared<CaptureStore>();
        capture->path = "/data/run_ascend_pt/";
        capture->ranks.resize(2);
        capture->ranks[0].info.path = ".";
        capture->ranks[1].info.path = "a/b";
        const auto facts = CaptureAnalysis(capture).facts({});
        QCOMPARE(facts->ranks[0].path, std::string("run_ascend_pt"));
        QCOMPARE(facts->ranks[1].path, std::string("a/b"));
    }

    void whatTheNextStepDoesNotFreeIsKept() {
        RankEntry rank = rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,10)\n");
        rank.steps = {{1, TimeRange{{0}, {100}}}, {2, TimeRange{{100}, {200}}}, {3, TimeRange{{200}, {300}}}};
        RowTablesBuilder builder;
        addRow(builder, RowKind::MemorySample, {{"component", "PTA"}, {"ts", "5"}, {"allocated", "1"}});
        for (const auto& [size, begin, end] : {std::tuple(1, 10, 0), {2, 20, 250}, {4, 30, 150}, {8, 110, 400}, {16, 210, 0}, {32, 99, 200}})
            addRow(builder, RowKind::Allocation, end == 0 ? RowText{{"size", std::to_string(size)}, {"alloc_ts", std::to_string(begin)}}
                                                          : RowText{{"size", std::to_string(size)}, {"alloc_ts", std::to_string(begin)}, {"release_ts", std::to_string(end)}});
        rank.rows = builder.seal({}).value();
        // 4 and 32 are freed until the next step ends; 16 is of the last step.
        const auto facts = CaptureAnalysis(captureOf({rank})).facts({});
        QVERIFY((facts->ranks[0].keptAllocations == std::vector<std::int64_t>{3, 8}));
    }
};

ALTI_TEST(TestCaptureAnalysis)
#include "tst_capture_analysis.moc"
