#include "views/overview/tree/capture_tree_model.h"

#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/tree/capture_tree.h"
#include "views/overview/tree/captures_panel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

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
    void namesOfTheUserStandWhereverTheyAreShown();
    void groupsComeAndGoWithTheirCaptures();
    void capturesAreDraggedFromGroupToGroup();
    void theSearchShowsWhatHasTheText();
    void sizeAndDateAreInTheTip();
    void aFileIsShownByItsFolder();
    void aRankThatIsNotReadIsReadByADoubleClick();
};

/// Takes what would be shown in the file manager.
class FolderTaker : public QObject {
    Q_OBJECT
public slots:
    void take(const QUrl& url) { taken << url.toLocalFile(); }

public:
    QStringList taken;
};

namespace {

QString twoCaptures(const QTemporaryDir& folder) {
    for (const char* name : {"x/run", "y/run"}) {
        const QString output =
            folder.filePath(QLatin1String(name)) + QStringLiteral("/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT");
        if (!QDir().mkpath(output)) return {};
        QFile file(output + QStringLiteral("/trace_view.json"));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":"1.0","dur":1}])");
    }
    return folder.path();
}

/// Names of the rows that are shown.
QStringList shownRows(const QTreeView& tree, const QModelIndex& above = {}) {
    QStringList names;
    for (int row = 0; row < tree.model()->rowCount(above); ++row) {
        if (tree.isRowHidden(row, above)) continue;
        const QModelIndex index = tree.model()->index(row, 0, above);
        names << index.data().toString();
        if (index.data(CaptureTreeModel::KindRole).toInt() != static_cast<int>(CaptureTreeModel::Kind::Rank))
            names << shownRows(tree, index);
    }
    return names;
}

}  // namespace

void TestCaptureTreeModel::namesOfTheUserStandWhereverTheyAreShown() {
    JobRunner jobs;
    Session session(jobs);
    CaptureTree tree(session);
    QAbstractItemModel& model = *tree.model();
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    const QModelIndex capture = model.index(0, 0), host = model.index(0, 0, capture), rank = model.index(1, 0, host);
    QVERIFY((capture.flags() & Qt::ItemIsEditable) != 0 && (rank.flags() & Qt::ItemIsEditable) != 0);
    QVERIFY((host.flags() & Qt::ItemIsEditable) == 0);
    QVERIFY(model.setData(capture, QStringLiteral("before the change")));
    QCOMPARE(capture.data().toString(), QStringLiteral("before the change"));
    QCOMPARE(captureName(*session.capture(id)), QStringLiteral("before the change"));
    QCOMPARE(rank.data(Qt::EditRole).toString(), QStringLiteral("Rank 1"));
    // What was not changed is no name.
    QVERIFY(model.setData(rank, QStringLiteral("Rank 1")));
    QVERIFY(session.capture(id)->names.rankAliases.empty());
    QVERIFY(model.setData(rank, QStringLiteral("stage 1")));
    QCOMPARE(rank.data().toString(), QStringLiteral("stage 1 · NPU 5"));
    QVERIFY(rank.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("Rank 1\n")));
    QVERIFY(rank.data(CaptureTreeModel::SearchRole).toString().contains(QStringLiteral("Rank 1")));
    QVERIFY(model.setData(rank, QString()) && model.setData(capture, QStringLiteral("  ")));
    QCOMPARE(rank.data().toString(), QStringLiteral("Rank 1 · NPU 5"));
    QCOMPARE(capture.data().toString(), QStringLiteral("capture"));
}

void TestCaptureTreeModel::groupsComeAndGoWithTheirCaptures() {
    const QTemporaryDir folder;
    QVERIFY(!twoCaptures(folder).isEmpty());
    JobRunner jobs;
    Session session(jobs);
    CaptureTree tree(session);
    auto& model = static_cast<CaptureTreeModel&>(*tree.model());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const CaptureId first = openAndWait(session, folder.filePath(QStringLiteral("x/run")));
    const CaptureId second = openAndWait(session, folder.filePath(QStringLiteral("y/run")));
    QCOMPARE(shownRows(tree), (QStringList{QStringLiteral("run · x"), QStringLiteral("Rank 0"),
                                           QStringLiteral("run · y"), QStringLiteral("Rank 0")}));
    tree.setCurrentCapture(first);
    session.setGroup(first, QStringLiteral("tp 8"));
    QCOMPARE(shownRows(tree), (QStringList{QStringLiteral("run · y"), QStringLiteral("Rank 0"), QStringLiteral("tp 8"),
                                           QStringLiteral("run · x"), QStringLiteral("Rank 0")}));
    QCOMPARE(tree.currentCapture(), first);
    session.setGroup(second, QStringLiteral("tp 8"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.groups(), QStringList{QStringLiteral("tp 8")});
    tree.setFoldedGroups({QStringLiteral("tp 8")});
    QCOMPARE(tree.foldedGroups(), QStringList{QStringLiteral("tp 8")});
    // Another name: the row stays as it is folded.
    QVERIFY(model.setData(model.index(0, 0), QStringLiteral("tensor parallel")));
    QCOMPARE(session.capture(second)->names.group, QStringLiteral("tensor parallel"));
    QCOMPARE(tree.foldedGroups(), QStringList{QStringLiteral("tensor parallel")});
    session.close(first);
    QCOMPARE(model.rowCount(), 1);
    session.setGroup(second, {});
    QCOMPARE(model.groups(), QStringList());
    QCOMPARE(shownRows(tree), (QStringList{QStringLiteral("run"), QStringLiteral("Rank 0")}));
    session.close(second);
    QCOMPARE(model.rowCount(), 0);
}

void TestCaptureTreeModel::capturesAreDraggedFromGroupToGroup() {
    const QTemporaryDir folder;
    QVERIFY(!twoCaptures(folder).isEmpty());
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const CaptureId first = openAndWait(session, folder.filePath(QStringLiteral("x/run")));
    const CaptureId second = openAndWait(session, folder.filePath(QStringLiteral("y/run")));
    session.setGroup(second, QStringLiteral("b"));
    const std::unique_ptr<QMimeData> dragged(model.mimeData({model.captureIndex(first)}));
    QVERIFY(model.dropMimeData(dragged.get(), Qt::MoveAction, -1, -1, model.captureIndex(second)));
    QCOMPARE(session.capture(first)->names.group, QStringLiteral("b"));
    QVERIFY(model.dropMimeData(dragged.get(), Qt::MoveAction, -1, -1, {}));
    QCOMPARE(session.capture(first)->names.group, QString());
    QVERIFY((model.index(0, 0, model.captureIndex(first)).flags() & Qt::ItemIsDragEnabled) == 0);
}

void TestCaptureTreeModel::theSearchShowsWhatHasTheText() {
    const QTemporaryDir folder;
    QVERIFY(!twoCaptures(folder).isEmpty());
    JobRunner jobs;
    Session session(jobs);
    CapturesPanel panel(session);
    panel.resize(300, 400);
    panel.show();
    CaptureTree& tree = panel.tree();
    const CaptureId first = openAndWait(session, folder.filePath(QStringLiteral("x/run")));
    QVERIFY(openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks"))) != kNoCapture);
    session.renameRank(first, "rank0_ascend_pt", QStringLiteral("Stage 0"));
    auto* line = panel.findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("stage"));
    QCOMPARE(shownRows(tree), (QStringList{QStringLiteral("run"), QStringLiteral("Stage 0")}));
    // A host and all below it; a rank by what it was called.
    line->setText(QStringLiteral("NODE-1"));
    QCOMPARE(shownRows(tree).mid(0, 2), (QStringList{QStringLiteral("capture"), QStringLiteral("node-1")}));
    QCOMPARE(shownRows(tree).size(), 4);
    line->setText(QStringLiteral("rank 1"));
    QCOMPARE(shownRows(tree),
             (QStringList{QStringLiteral("capture"), QStringLiteral("node-1"), QStringLiteral("Rank 1 · NPU 5")}));
    line->setText(QStringLiteral("nowhere"));
    QVERIFY(shownRows(tree).isEmpty());
    const auto isSaid = [&] {
        const auto labels = panel.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().startsWith(QStringLiteral("No capture"));
        });
    };
    QVERIFY(isSaid());
    // What comes later is searched too.
    const CaptureId second = openAndWait(session, folder.filePath(QStringLiteral("y/run")));
    QTRY_VERIFY(shownRows(tree).isEmpty());
    session.rename(second, QStringLiteral("nowhere else"));
    QTRY_COMPARE(shownRows(tree).value(0), QStringLiteral("nowhere else"));
    QVERIFY(!isSaid());
    QTest::keyClick(line, Qt::Key_Escape);
    QVERIFY(line->text().isEmpty());
    QCOMPARE(tree.shownCaptures(), 3);
}

void TestCaptureTreeModel::sizeAndDateAreInTheTip() {
    const QTemporaryDir folder;
    QVERIFY(!twoCaptures(folder).isEmpty());
    JobRunner jobs;
    Session session(jobs);
    CaptureTreeModel model(session);
    const CaptureId id = openAndWait(session, folder.filePath(QStringLiteral("x/run")));
    const auto tip = [&] { return model.captureIndex(id).data(Qt::ToolTipRole).toString(); };
    QTRY_VERIFY2(tip().contains(QStringLiteral("On disk: 58 B (files: 1)")), qPrintable(tip()));
    QVERIFY(tip().contains(QStringLiteral("Newest file: 20")));
    // Closing gives up what is under way.
    session.close(openAndWait(session, folder.filePath(QStringLiteral("y/run"))));
    QTRY_VERIFY(jobs.idle());
}

void TestCaptureTreeModel::aFileIsShownByItsFolder() {
    const QTemporaryDir folder;
    QVERIFY(!twoCaptures(folder).isEmpty());
    FolderTaker taker;
    QDesktopServices::setUrlHandler(QStringLiteral("file"), &taker, "take");
    JobRunner jobs;
    Session session(jobs);
    CaptureTree tree(session);
    const CaptureId run = openAndWait(session, folder.filePath(QStringLiteral("x/run")));
    const QString trace = QStringLiteral("y/run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json");
    const CaptureId file = openAndWait(session, folder.filePath(trace));
    const auto open = [&](CaptureId capture) {
        tree.setCurrentCapture(capture);
        const auto actions = tree.findChildren<QAction*>();
        const auto found = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
            return action->text() == QStringLiteral("Open in file &manager");
        });
        QVERIFY(found != actions.end());
        (*found)->trigger();
    };
    open(run);
    open(file);
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    QCOMPARE(taker.taken,
             (QStringList{folder.filePath(QStringLiteral("x/run")), QFileInfo(folder.filePath(trace)).absolutePath()}));
}

void TestCaptureTreeModel::aRankThatIsNotReadIsReadByADoubleClick() {
    JobRunner jobs;
    Session session(jobs);
    session.setAutoLoadLimit(1);
    CaptureTree tree(session);
    tree.resize(400, 400);
    tree.show();
    const CaptureId id = openAndWait(session, goldenCapture(QStringLiteral("torch_two_ranks")));
    const QAbstractItemModel& model = *tree.model();
    const QModelIndex host = model.index(0, 0, model.index(0, 0)), second = model.index(1, 0, host);
    const auto click = [&](const QModelIndex& index) {
        tree.scrollTo(index);
        const QPoint at = tree.visualRect(index).center();
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(tree.viewport(), Qt::LeftButton, {}, at);
    };
    click(second);
    QVERIFY(tree.findChild<QLineEdit*>() == nullptr);
    QTRY_VERIFY(session.capture(id)->job == 0 && session.capture(id)->store->ranks[1].trace != nullptr);
    // One that is read is renamed, as by F2.
    click(second);
    auto* editor = tree.findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->text(), QStringLiteral("Rank 1"));
    editor->setText(QStringLiteral("second"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(second.data().toString(), QStringLiteral("second · NPU 5"));
    tree.setCurrentIndex(model.index(0, 0));
    QTest::keyClick(&tree, Qt::Key_F2);
    QTRY_VERIFY(tree.findChild<QLineEdit*>() != nullptr);
}

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
