#include "views/overview/rank_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/table_view.h"

#include <QAbstractItemModelTester>

using namespace altiscope;
using namespace altiscope::test;

class TestRankModel : public QObject {
    Q_OBJECT
private slots:
    void rowsOfTwoRanks();
    void unknownIsSaid();
    void followsTheSession();
};

void TestRankModel::rowsOfTwoRanks() {
    JobRunner jobs;
    Session session(jobs);
    RankModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    QCOMPARE(model.rowCount(), 2);
    const auto cell = [&](int column, int role = Qt::DisplayRole) { return model.index(0, column).data(role); };
    QCOMPARE(cell(RankModel::RankColumn).toString(), QStringLiteral("0"));
    QCOMPARE(cell(RankModel::DeviceColumn).toString(), QStringLiteral("4"));
    QCOMPARE(cell(RankModel::HostColumn).toString(), QStringLiteral("node-1"));
    QCOMPARE(cell(RankModel::FrameworkColumn).toString(), QStringLiteral("PyTorch"));
    QCOMPARE(cell(RankModel::SourceColumn).toString(), QStringLiteral("text"));
    // ProfilerStep#5, aten::add, Add_1 and EVENT_RECORD of the first rank, and the flow between two of them.
    QCOMPARE(cell(RankModel::StepsColumn).toString(), QStringLiteral("5"));
    QCOMPARE(cell(RankModel::SlicesColumn).toString(), QStringLiteral("4"));
    QCOMPARE(cell(RankModel::FlowsColumn).toString(), QStringLiteral("1"));
    QCOMPARE(cell(RankModel::SlicesColumn, kSortRole).toULongLong(), 4ULL);
    QVERIFY(cell(RankModel::MissingColumn).toString().startsWith(QStringLiteral("Memory, L2 cache")));
    QVERIFY(cell(RankModel::MissingColumn, Qt::ToolTipRole).toString().contains(QStringLiteral("profile_memory")));
    QVERIFY(cell(RankModel::SpanColumn, Qt::ToolTipRole).toString().endsWith(QStringLiteral(" ns")));
    const auto& metadata = model.metadata(0);
    const auto version =
        std::find_if(metadata.begin(), metadata.end(), [](const auto& entry) { return entry.first == "cann_version"; });
    QVERIFY(version != metadata.end());
    QCOMPARE(version->second, std::string("8.3.RC1"));
}

void TestRankModel::unknownIsSaid() {
    JobRunner jobs;
    Session session(jobs);
    RankModel model(session);
    openAndWait(session, goldenCapture(QStringLiteral("chrome_object")) + QStringLiteral("/my_trace.json"));
    QCOMPARE(model.index(0, RankModel::RankColumn).data().toString(), QStringLiteral("unknown"));
    QCOMPARE(model.index(0, RankModel::DeviceColumn).data().toString(), QString());
    QCOMPARE(model.index(0, RankModel::RankColumn).data(kSortRole).toLongLong(), -1LL);
    QCOMPARE(model.index(0, RankModel::FrameworkColumn).data().toString(), QStringLiteral("Chrome trace"));
}

void TestRankModel::followsTheSession() {
    JobRunner jobs;
    Session session(jobs);
    const std::uint32_t id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    RankModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 2);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QCOMPARE(model.rowCount(), 2);
    session.close(id);
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.metadata(0).empty());
}

ALTI_TEST(TestRankModel)
#include "tst_rank_model.moc"
