#include "core/analysis/capture_analysis.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using altiscope::test::addKernelRows;
using altiscope::test::addRow;
using altiscope::test::rankTrace;
using altiscope::test::rowsOf;
using altiscope::test::RowText;

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

std::shared_ptr<const CaptureStore> captureOf(std::vector<RankEntry> ranks,
                                              std::shared_ptr<const RowTables> groups = nullptr) {
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
        const CaptureAnalysis analysis(captureOf(
            {rankOf(
                0, "Ascend Hardware/Stream 1: MatMul[0,50) MatMul[80,100)\n"
                   "Communication/Group D Communication: hcom_allReduce__1_0_1[30,60)\n"
                   "Communication/Group T Communication: hcom_allGather__2_0_1[40,70) hcom_allGather__2_1_1[75,85)\n")},
            groups));
        const RankFacts& facts = analysis.facts({})->ranks.at(0);
        QCOMPARE(facts.steps.at(0).communication, 50);
        QCOMPARE(facts.steps.at(0).exposed, 25);
        QCOMPARE(ofType(facts, "dp").all.total, 30);
        QCOMPARE(ofType(facts, "dp").exposed.total, 10);
        QCOMPARE(ofType(facts, "tp").all.total, 20);
        QCOMPARE(ofType(facts, "tp").exposed.total, 15);
        QCOMPARE(ofType(facts, "dp").all.count, std::uint64_t{1});
        QCOMPARE(ofType(facts, "tp").all.count, std::uint64_t{2});
    }

    void rowsAreTheSameWithAndWithoutFactsBefore() {
        const auto capture = captureOf({rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,50) MatMul[80,100)\n"),
                                        rankOf(1, "Ascend Hardware/Stream 1: MatMul[0,50) "
                                                  "Add[50,100)\nCommunication/Group 0 Communication: a[90,120)\n")});
        const CaptureAnalysis together(capture), apart(capture);
        const auto facts = together.facts({});
        QCOMPARE(facts->ranks[1].steps.at(0).computing, 100);
        for (RankIndex r; r.value < 2; ++r.value) {
            const auto rows = together.rank(r, {}), same = apart.rank(r, {});
            for (const RowKind kind : {RowKind::StepBreakdown, RowKind::OpStat})
                QCOMPARE(rows->rows->find(kind)->size(), same->rows->find(kind)->size());
        }
        const auto before = apart.rank({1}, {});
        QVERIFY(apart.facts({}) != nullptr);
        QCOMPARE(apart.rank({1}, {}).get(), before.get());
        const CancelToken token;
        token.requestCancel();
        QVERIFY(CaptureAnalysis(capture).facts(token) == nullptr);
        QVERIFY(CaptureAnalysis(capture).rank({0}, token) == nullptr);
    }

    void kernelsWithoutATimelineGiveFacts() {
        RankEntry rank;
        rank.info.rankId = 3;
        RowTablesBuilder builder;
        const auto kernel = [&](const char* step, const char* name, const char* core, const char* begin,
                                const char* duration) {
            addRow(builder, RowKind::Kernel,
                   {{"step", step},
                    {"kind", "compute"},
                    {"name", name},
                    {"type", name},
                    {"accelerator_core", core},
                    {"ts", begin},
                    {"dur", duration}});
        };
        kernel("5", "Cast", "AI_CPU", "1000", "40000");
        kernel("5", "Add", "AI_VECTOR_CORE", "50000", "2000");
        kernel("6", "Add", "AI_VECTOR_CORE", "100000", "3000");
        addRow(builder, RowKind::StepBreakdown,
               {{"step", "5"},
                {"origin", "recorded"},
                {"computing", "42000"},
                {"not_overlapped", "500"},
                {"free", "7000"}});
        rank.rows = builder.seal({}).value();
        const CaptureAnalysis analysis(captureOf({rank}));
        const RankFacts& facts = analysis.facts({})->ranks.at(0);
        QCOMPARE(facts.kernelCount, std::uint64_t{3});
        QCOMPARE(facts.aiCpu.at("Cast").max, 40000);
        QVERIFY((facts.aiCpu.at("Cast").byStep == std::vector<std::int64_t>{40000, 0}));
        QVERIFY(facts.aiCpu.at("Cast").longest.empty());
        QCOMPARE(facts.tinyKernels.count, std::uint64_t{2});
        // The profiler's own summary knows more than the kernels; where it has no step they stand for it.
        QCOMPARE(facts.steps.at(0).endToEnd(), 49500);
        QVERIFY(!facts.steps[0].isComputed);
        QCOMPARE(facts.steps.at(1).computing, 3000);
        const auto rows = analysis.rank({0}, {})->rows;
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
        for (const auto& [size, begin, end] :
             {std::tuple(1, 10, 0), {2, 20, 250}, {4, 30, 150}, {8, 110, 400}, {16, 210, 0}, {32, 99, 200}})
            addRow(builder, RowKind::Allocation,
                   end == 0 ? RowText{{"size", std::to_string(size)}, {"alloc_ts", std::to_string(begin)}}
                            : RowText{{"size", std::to_string(size)},
                                      {"alloc_ts", std::to_string(begin)},
                                      {"release_ts", std::to_string(end)}});
        rank.rows = builder.seal({}).value();
        // 4 and 32 are freed until the next step ends; 16 is of the last step.
        const auto facts = CaptureAnalysis(captureOf({rank})).facts({});
        QVERIFY((facts->ranks[0].pools.at(0).keptAllocations == std::vector<std::int64_t>{3, 8}));
    }

    void theLastCollectivesOfAStepAreKnown() {
        // Between the first and the second something is computed, and behind the third.
        const CaptureAnalysis analysis(
            captureOf({rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,10) MatMul[30,50) MatMul[90,100)\n"
                                 "Communication/Group D Communication: hcom_allReduce__1_0_1[10,30) "
                                 "hcom_allReduce__1_1_1[50,70) hcom_allReduce__1_2_1[71,80)\n")},
                      rowsOf(RowKind::CommGroup, {{{"group_name", "D"}, {"hash", "1"}, {"parallel_type", "dp"}}})));
        const auto facts = analysis.facts({});
        QCOMPARE(ofType(facts->ranks[0], "dp").exposed.total, 49);
        QCOMPARE(ofType(facts->ranks[0], "dp").lastExposed, 29);
    }

    void aCollectionWithinTheLoaderCountsOnce() {
        // The loader is called from 0 to 100 by one thread and to 120 by another; 30 of that the interpreter collects
        // garbage.
        RankEntry rank = rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,10) MatMul[150,160)\n"
                                   "Python/Thread 7: enumerate(DataLoader)#__next__[0,100)\n"
                                   "Python/Thread 8: enumerate(DataLoader)#__next__[20,120)\n"
                                   "Python GC/GC: gc[40,70) gc[130,135)\n");
        rank.steps = {{1, TimeRange{{0}, {200}}}};
        const auto facts = CaptureAnalysis(captureOf({rank})).facts({});
        QCOMPARE(facts->ranks[0].garbageCollections.byStep, (std::vector<std::int64_t>{35}));
        QCOMPARE(facts->ranks[0].dataLoading.byStep, (std::vector<std::int64_t>{90}));
        QCOMPARE(facts->ranks[0].dataLoading.count, std::uint64_t{2});
    }

    void callsOfTheHostAreKnownByTheirNames() {
        RankEntry rank = rankOf(
            0,
            "Ascend Hardware/Stream 1: MatMul[0,10)\n"
            "CANN/Thread 7: AscendCL@aclrtFree[0,20) AscendCL@aclrtFreeHost[20,25) AscendCL@aclMallocMemInner[30,60) "
            "AscendCL@aclopCompileAndExecute[60,90) AscendCL@aclopCompileAndExecute[100,2000100)\n"
            "Python/Thread 8: SyncBatchNorm[0,20) BatchNorm[20,30)\n");
        rank.steps = {{1, TimeRange{{0}, {3000000}}}};
        rank.info.metadata = {{"ENV_VARIABLES.HCCL_ALGO", ""}, {"ENV_VARIABLES.ASCEND_LAUNCH_BLOCKING", "1"}};
        const auto facts = CaptureAnalysis(captureOf({rank})).facts({});
        QCOMPARE(facts->ranks[0].memoryCalls.total, 50);
        QCOMPARE(facts->ranks[0].compilations.total, 2'000'000);
        QCOMPARE(facts->ranks[0].syncBatchNorms, std::uint64_t{1});
        QVERIFY((facts->ranks[0].environment ==
                 std::vector<std::pair<std::string, std::string>>{{"ASCEND_LAUNCH_BLOCKING", "1"}}));
    }

    void gapsAfterSynchronizationsCountOnce() {
        // Two end in the gap from 20 to 50, one while the device is busy.
        RankEntry rank = rankOf(0, "Ascend Hardware/Stream 1: MatMul[0,20) MatMul[50,80) MatMul[90,100)\n"
                                   "CANN/Thread 7: AscendCL@aclrtSynchronizeStream[0,20) "
                                   "AscendCL@aclrtSynchronizeStream[21,25) AscendCL@aclrtSynchronizeStream[30,60)\n");
        rank.steps = {{1, TimeRange{{0}, {200}}}};
        const auto facts = CaptureAnalysis(captureOf({rank})).facts({});
        QCOMPARE(facts->ranks[0].freeAfterSynchronization.byStep, (std::vector<std::int64_t>{30}));
        QCOMPARE(facts->ranks[0].synchronizations.count, std::uint64_t{3});
    }

    void stagesComeFromEverySourceThatTellsThem_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<QList<qint64>>("stages");
        QTest::addRow("pp_index") << QStringLiteral("pp_index")
                                  << QStringList{QStringLiteral("0"), QStringLiteral("0"), QStringLiteral("1"),
                                                 QStringLiteral("1")}
                                  << QList<qint64>{0, 0, 1, 1};
        QTest::addRow("pp_index that is not known")
            << QStringLiteral("pp_index")
            << QStringList{QStringLiteral("0"), QStringLiteral("0"), QStringLiteral("0"), QStringLiteral("0")}
            << QList<qint64>{0, 0, 0, 0};
        QTest::addRow("rows of stages") << QStringLiteral("pipeline_stage")
                                        << QStringList{QStringLiteral("1"), QStringLiteral("1"), QStringLiteral("0"),
                                                       QStringLiteral("0")}
                                        << QList<qint64>{1, 1, 0, 0};
        QTest::addRow("sizes") << QStringLiteral("distributed_args.pipeline_model_parallel_size")
                               << QStringList{QStringLiteral("2"), QStringLiteral("2"), QStringLiteral("2"),
                                              QStringLiteral("2")}
                               << QList<qint64>{0, 0, 1, 1};
        QTest::addRow("sizes that do not give the job")
            << QStringLiteral("distributed_args.pipeline_model_parallel_size")
            << QStringList{QStringLiteral("3"), QStringLiteral("3"), QStringLiteral("3"), QStringLiteral("3")}
            << QList<qint64>{0, 0, 0, 0};
        QTest::addRow("sends and receives") << QString() << QStringList() << QList<qint64>{0, 0, 1, 1};
    }
    void stagesComeFromEverySourceThatTellsThem() {
        QFETCH(QString, key);
        QFETCH(QStringList, values);
        QFETCH(QList<qint64>, stages);
        auto capture = std::make_shared<CaptureStore>();
        for (std::int64_t r = 0; r < 4; ++r) {
            RankEntry& rank = capture->ranks.emplace_back();
            rank.info.rankId = r;
            rank.info.metadata = {{"distributed_args.world_size", "4"},
                                  {"distributed_args.tensor_model_parallel_size", "2"}};
            if (!key.isEmpty())
                rank.info.metadata.emplace_back(key.toStdString(), values[static_cast<qsizetype>(r)].toStdString());
            const std::string group = r % 2 == 0 ? "even" : "odd";
            if (key.isEmpty())
                rank.rows =
                    rowsOf(RowKind::Collective,
                           {{{"group_name", group}, {"op_name", r < 2 ? "hcom_send__1_0" : "hcom_receive__1_0"}}});
        }
        const auto facts = CaptureAnalysis(capture).facts({});
        for (std::size_t r = 0; r < 4; ++r) QCOMPARE(qint64{facts->ranks[r].stage}, stages[static_cast<qsizetype>(r)]);
    }

    void waitsAreSummedUpByGroupAndStep() {
        auto capture = std::make_shared<CaptureStore>();
        RankEntry& rank = capture->ranks.emplace_back();
        RowTablesBuilder builder;
        for (const char* step : {"1", "2"}) {
            addRow(builder, RowKind::StepBreakdown,
                   {{"step", step},
                    {"computing", "50"},
                    {"not_overlapped", "40"},
                    {"not_overlapped_excl_receive", "25"},
                    {"free", "10"}});
            addRow(builder, RowKind::Collective,
                   {{"step", step},
                    {"group_name", "g"},
                    {"op_name", "hcom_allReduce__1_0_1"},
                    {"elapsed", "30"},
                    {"transit", "4"}});
            addRow(builder, RowKind::Collective,
                   {{"step", step}, {"group_name", "g"}, {"op_name", "hcom_allGather__1_0_1"}, {"elapsed", "10"}});
            for (int i = 0; i < 3; ++i)
                addRow(builder, RowKind::Collective,
                       {{"step", step},
                        {"group_name", "p"},
                        {"op_name", "hcom_receive__1_0_1"},
                        {"elapsed", "5"},
                        {"transit", "1"}});
        }
        rank.rows = builder.seal({}).value();
        const auto facts = CaptureAnalysis(capture).facts({});
        const RankFacts& found = facts->ranks[0];
        QCOMPARE(found.waits.size(), std::size_t{1});
        QCOMPARE(found.waits[0].elapsed, 60);
        QCOMPARE(found.waits[0].transit, 8);
        QCOMPARE(found.waits[0].byStep, (std::vector<std::int64_t>{26, 26}));
        QCOMPARE(found.receivesPerStep, 3.0);
        QCOMPARE(found.steps[0].bubble, 15);
    }
};

ALTI_TEST(TestCaptureAnalysis)
#include "tst_capture_analysis.moc"
