#include "views/overview/tree/capture_tree_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/tree/capture_tree.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;
using namespace altiscope::test;

class TestCaptureTreeModel : public QObject {
    Q_OBJECT
private slots:
    void rowsOfACapture();
    void stateOfEachCapture_data();
    void stateOfEachCapture();
    void severalCapturesComeAndGo();
    void readingAgainKeepsTheRows();
    void aStoppedRankIsPartial();
    void aChangeOfManyRanksIsReportedAtOnce();
    void rowsKnowTheirCaptureAndPath();
    void ranksOfABigCaptureWaitToBeAskedFor();
    void ranksThatAreNotHereAreSaid();
};

/// Ranks 0, 1 and 4 of a job without groups: 2 and 3 are absent. Reading again keeps what is unfolded.
void TestCaptureTreeModel::ranksThatAreNotHereAreSaid() {
    JobRunner jobs;
    Session session(jobs);
    const QTemporaryDir folder;
    for (const int rank : {0, 1, 4}) {
        const QString output = folder.filePath(QStringLiteral("rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT").arg(rank));
        QVERIFY(QDir().mkpath(output));
        QFile file(output + QStringLiteral("/trace_view.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.0","dur":1}])");
    }
    CaptureTree tree(session);
    const CaptureId id = openAndWait(session, folder.path());
    QAbstractItemModel& model = *tree.model();
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QModelIndex capture = model.index(0, 0);
    QCOMPARE(model.rowCount(capture), 4);
    const QPersistentModelIndex first = model.index(0, 0, capture);
    QCOMPARE(model.index(3, 0, capture).data().toString(), QStringLiteral("Not here: rank 2, 3"));
    QVERIFY(model.index(3, 0, capture).data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("3 of 5 ranks")));
    tree.expand(first);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QCOMPARE(model.rowCount(capture), 4);
    QVERIFY(first.isValid());
    QVERIFY(tree.isExpanded(first));
    // All of them are here: nothing is said.
    CaptureTreeModel whole(session);
    QVERIFY(openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks"))) != kNoCapture);
    QVERIFY(!printed(whole).section(QStringLiteral("node-1"), 1).contains(QStringLiteral("Not here")));
}

void TestCaptureTreeModel::rowsOfACapture() {
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks"))) != kNoCapture);
    // As profiler_info_0.json and _1.json of the capture say.
    const QString rank = QStringLiteral("    Rank %1 · NPU %2\n"
                                        "      Recorded\n"
                                        "        AI Core metrics\n"
                                        "        Tensor shapes\n"
                                        "        Call stacks\n"
                                        "        Steps\n"
                                        "        Timeline\n"
                                        "      7 kind(s) of data not recorded\n"
                                        "        Memory: profile_memory\n"
                                        "        L2 cache: l2_cache\n"
                                        "        Network cards: sys_io\n"
                                        "        PCIe and HCCS: sys_interconnection\n"
                                        "        Module hierarchy: with_modules\n"
                                        "        Program marks (mstx): mstx\n"
                                        "        Host load: host_sys\n");
    QCOMPARE(printed(model), QStringLiteral("capture\n  node-1\n") + rank.arg(0).arg(4) + rank.arg(1).arg(5));
    const QModelIndex host = model.index(0, 0, model.index(0, 0));
    const QModelIndex missing = model.index(1, 0, model.index(0, 0, host));
    QCOMPARE(model.index(0, 0, missing).data(Qt::ToolTipRole).toString(),
             QStringLiteral("Memory was not recorded: switch on profile_memory when you record again."));
}

void TestCaptureTreeModel::ranksOfABigCaptureWaitToBeAskedFor() {
    JobRunner jobs;
    Session session(jobs);
    session.setAutoLoadLimit(1);
    CaptureTree tree(session);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    const QAbstractItemModel& model = *tree.model();
    const QModelIndex capture = model.index(0, 0), host = model.index(0, 0, capture);
    QCOMPARE(capture.siblingAtColumn(CaptureTreeModel::StateColumn).data().toString(), QStringLiteral("1 of 2 ranks"));
    QVERIFY(model.index(0, 0, host).data(CaptureTreeModel::ExcludedRole).toString().isEmpty());
    const QModelIndex second = model.index(1, 0, host);
    QCOMPARE(second.siblingAtColumn(CaptureTreeModel::StateColumn).data().toString(), QStringLiteral("not read"));
    QVERIFY(second.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Not read: about 1 s, ")));
    // Return on the capture asks for nothing, on the rank for its timeline.
    emit tree.activated(capture);
    QCOMPARE(session.capture(id)->job, std::uint64_t{0});
    emit tree.activated(second.siblingAtColumn(CaptureTreeModel::StateColumn));
    // Only what is not complete has a word.
    QTRY_COMPARE(capture.siblingAtColumn(CaptureTreeModel::StateColumn).data().toString(), QString());
    QVERIFY(session.capture(id)->store->ranks[1].trace != nullptr);
}

void TestCaptureTreeModel::aChangeOfManyRanksIsReportedAtOnce() {
    JobRunner jobs;
    Session session(jobs);
    QTemporaryDir folder;
    // As cluster_analysis_output has it: many ranks, known by their rows.
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("cluster_analysis_output")));
    QFile file(folder.filePath(QStringLiteral("cluster_analysis_output/cluster_step_trace_time.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
               "Communication(Not Overlapped and Exclude Receive),Preparing\n");
    for (int rank = 0; rank < 200; ++rank) file.write("5,rank," + QByteArray::number(rank) + ",1,1,1,1,1,1,1,1,1\n");
    file.close();
    CaptureTree tree(session);
    const CaptureId id = openAndWait(session, folder.path());
    auto& model = *tree.model();
    QCOMPARE(model.rowCount(model.index(0, 0)), 200);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QVERIFY2(changed.count() < 20, qPrintable(QString::number(changed.count())));
    // What is below a folded rank shows when it is unfolded.
    const QModelIndex rank = model.index(150, 0, model.index(0, 0));
    QVERIFY(!tree.isFirstColumnSpanned(0, rank));
    tree.expand(rank);
    QVERIFY(tree.isFirstColumnSpanned(0, rank));
    // One line says how many kinds of data are missing.
    QVERIFY(!tree.isExpanded(model.index(model.rowCount(rank) - 1, 0, rank)));
}

void TestCaptureTreeModel::stateOfEachCapture_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("capture");
    QTest::addColumn<QString>("rank");
    QTest::newRow("cut off") << goldenCapture(QStringLiteral("interrupted")) << QStringLiteral("partial")
                             << QStringLiteral("partial");
    QTest::newRow("never analysed") << goldenCapture(QStringLiteral("raw_only")) << QString()
                                    << QStringLiteral("raw data");
    QTest::newRow("missing") << QStringLiteral("/nowhere/at/all") << QStringLiteral("failed") << QString();
}

void TestCaptureTreeModel::stateOfEachCapture() {
    QFETCH(QString, path);
    QFETCH(QString, capture);
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(openAndWait(session, path) != kNoCapture);
    const QModelIndex row = model.index(0, CaptureTreeModel::StateColumn);
    if (!capture.isEmpty()) QCOMPARE(row.data().toString(), capture);
    QModelIndex inner = model.index(0, 0);
    while (model.rowCount(inner) > 0 &&
           inner.data(CaptureTreeModel::KindRole) != static_cast<int>(CaptureTreeModel::Kind::Rank)) {
        inner = model.index(0, 0, inner);
    }
    const bool isRank = inner.data(CaptureTreeModel::KindRole) == static_cast<int>(CaptureTreeModel::Kind::Rank);
    QTEST(isRank ? inner.siblingAtColumn(CaptureTreeModel::StateColumn).data().toString() : QString(), "rank");
}

void TestCaptureTreeModel::severalCapturesComeAndGo() {
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const CaptureId first = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    const CaptureId second =
        openAndWait(session, goldenCapture(QStringLiteral("chrome_object")) + QStringLiteral("/my_trace.json"));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.captureIndex(second).row(), 1);
    QCOMPARE(model.captureIndex(second).data().toString(), QStringLiteral("my_trace.json"));
    session.close(first);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.captureIndex(second).row(), 0);
    QVERIFY(!model.captureIndex(first).isValid());
    session.close(second);
    QCOMPARE(model.rowCount(), 0);
}

void TestCaptureTreeModel::readingAgainKeepsTheRows() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    CaptureTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QPersistentModelIndex rank = model.index(1, 0, model.index(0, 0, model.captureIndex(id)));
    const QString before = printed(model);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    session.reload(id);
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    QVERIFY(changed.count() > 0);
    QCOMPARE(printed(model), before);
    model.retranslate();
    QCOMPARE(printed(model), before);
    QVERIFY2(rank.isValid(), "a row that is selected or unfolded stays so");
}

void TestCaptureTreeModel::aStoppedRankIsPartial() {
    RankEntry rank;
    rank.info.state = RankState::Listed;
    OpenCapture capture;
    capture.cancelled = true;
    QCOMPARE(summaryOf(capture, rank).stateWord, QStringLiteral("not read"));
    rank.trace = std::make_shared<const TraceStore>(TraceColumns{}, true);
    QCOMPARE(summaryOf(capture, rank).stateWord, QStringLiteral("partial"));
    capture.cancelled = false;
    capture.job = 1;
    QCOMPARE(summaryOf(capture, rank).stateWord, QStringLiteral("reading"));
}

void TestCaptureTreeModel::rowsKnowTheirCaptureAndPath() {
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const QString path = goldenCapture(QStringLiteral("torch_two_ranks"));
    const CaptureId id = openAndWait(session, path);
    const QModelIndex capture = model.captureIndex(id);
    const QModelIndex rank = model.index(0, 0, model.index(0, 0, capture));
    QCOMPARE(capture.data(CaptureTreeModel::PathRole).toString(), path);
    QCOMPARE(rank.data(CaptureTreeModel::PathRole).toString(),
             path + QStringLiteral("/node-1_420_20260101120000120_ascend_pt"));
    QCOMPARE(CaptureTreeModel::captureOf(model.index(0, 0, model.index(1, 0, rank))), id);
}

ALTI_TEST(TestCaptureTreeModel)
#include "tst_capture_tree_model.moc"
