#include "views/capture/runs/run_model.h"

#include "tests/support/test_main.h"
#include "views/capture/runs/history_model.h"
#include "views/capture/runs/run_panel.h"
#include "views/capture/support/host_texts.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

using namespace altiscope;
using capture::CaptureRecord;
using capture::State;

namespace {

CaptureRecord recordOf(State state) {
    CaptureRecord record;
    record.id = "20261123-120000-abcdef";
    record.method = "torch-dynamic";
    record.started = 1'764'000'000'000'000'000;
    record.state = state;
    record.targets.resize(2);
    record.targets[0].name = "local";
    record.targets[0].state = State::Recording;
    record.targets[0].ranks = {
        {"/data/a_ascend_pt", 0, State::Done, {}},
        {"/data/b_ascend_pt", std::nullopt, State::Failed, {"capture.result.incomplete", {}, {}, {}}}};
    record.targets[1].name = "node7";
    record.targets[1].state = State::Armed;
    record.events = {{1, "local", {}, State::Armed, {}},
                     {2, "node7", {}, State::Armed, {"capture.event.log", {}, {}, {{"line", "\x1b[31mred"}}}}};
    return record;
}

std::string print(const std::vector<RunRow>& rows) {
    std::string text;
    for (const RunRow& row : rows)
        text += (row.isHost ? "" : "  ") + row.where.toStdString() + " | " +
                std::string(capture::stateText(row.state)) + " | " + row.message.toStdString() + "\n";
    return text;
}

std::shared_ptr<const CaptureRecord> shared(CaptureRecord record) {
    return std::make_shared<const CaptureRecord>(std::move(record));
}

QStringList buttonsOf(const RunPanel& panel) {
    QStringList texts;
    for (const QToolButton* button : panel.findChildren<QToolButton*>()) {
        if (button->isVisibleTo(&panel)) texts << button->text().remove(QLatin1Char('&'));
    }
    return texts;
}

}  // namespace

class TestRunModel : public QObject {
    Q_OBJECT
private slots:
    void rows();
    void modelFollows();
    void panelShowsWhatCanBeDone();
    void logGrows();
    void messagesHaveRoomInANarrowPanel();
    void changesOfSettings();
    void whatAHostSaysIsNoHtml();
    void whatAHostSaysHidesNothing();
};

void TestRunModel::rows() {
    QCOMPARE(print(runRows(recordOf(State::Recording))),
             std::string("This machine | recording | \n"
                         "  rank 0 | done | /data/a_ascend_pt\n"
                         "  b_ascend_pt | failed | The job ended before this "
                         "was complete.\n"
                         "node7 | armed | Output: \\x1b[31mred\n"));
    // Copying begins when the recording is over.
    QVERIFY(print(runRows(recordOf(State::Fetching))).starts_with("This machine | fetching"));
}

void TestRunModel::whatAHostSaysIsNoHtml() {
    CaptureRecord record = recordOf(State::Recording);
    const QString line = QStringLiteral("<b>done</b> <img src='/etc/motd'>");
    record.events.push_back(
        {3, "node7", {}, State::Armed, {"capture.event.log", {}, {}, {{"line", line.toStdString()}}}});
    RunModel model;
    model.setRows(runRows(record));
    const QModelIndex message = model.index(3, RunModel::Message);
    QCOMPARE(message.data().toString(), QStringLiteral("Output: ") + line);
    const QString tip = message.data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("&lt;b&gt;")) && !tip.contains(QStringLiteral("<img")), qPrintable(tip));
}

/// Also where it is no message of a capture: in checks, notes and failures.
void TestRunModel::whatAHostSaysHidesNothing() {
    const Error error{"capture.ssh.denied", {}, {}, {{"host", "node7"}, {"reason", "\x1b[2J\n\u202egnp.exe"}}};
    const QString text = hostSentence(error);
    QVERIFY2(text.contains(QStringLiteral("(\\x1b[2J\\n\\u202egnp.exe)")), qPrintable(text));
    QCOMPARE(hostText("a\tb"), QStringLiteral("a\\tb"));
    QCOMPARE(hostSentence({}), QString());
    QVERIFY(hostSentence({"capture.check.pid", {}, {}, {{"host", "local"}, {"pid", "7"}}})
                .endsWith(QStringLiteral("on this machine.")));
}

void TestRunModel::modelFollows() {
    RunModel model;
    const QAbstractItemModelTester tester(&model);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setRows(runRows(recordOf(State::Recording)));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(resets.size(), 1);
    CaptureRecord next = recordOf(State::Recording);
    next.targets[1].state = State::Recording;
    model.setRows(runRows(next));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0][0].toModelIndex().row(), 3);
    model.setRows(runRows(next));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(model.index(3, RunModel::State).data().toString(), QStringLiteral("recording"));
}

void TestRunModel::panelShowsWhatCanBeDone() {
    RunPanel panel;
    QCOMPARE(buttonsOf(panel), QStringList());
    panel.showRecord(shared(recordOf(State::Recording)), true);
    QCOMPARE(buttonsOf(panel), QStringList({QStringLiteral("Go on"), QStringLiteral("Cancel")}));
    panel.showRecord(shared(recordOf(State::Recording)), false);
    QCOMPARE(buttonsOf(panel),
             QStringList({QStringLiteral("Watch"), QStringLiteral("Go on"), QStringLiteral("Cancel")}));
    CaptureRecord record = recordOf(State::Done);
    panel.showRecord(shared(record), false);
    QCOMPARE(buttonsOf(panel), QStringList({QStringLiteral("Fetch")}));
    record.targets[0].fetched = "/data/fetched/local";
    panel.showRecord(shared(record), false);
    QCOMPARE(buttonsOf(panel), QStringList({QStringLiteral("Fetch"), QStringLiteral("Open")}));
    QCOMPARE(fetchedFolder(record), QStringLiteral("/data/fetched"));
    // What could not be put back can be tried again.
    record.targets[0].isConfigChanged = true;
    panel.showRecord(shared(record), false);
    QVERIFY(buttonsOf(panel).contains(QStringLiteral("Cancel")));
}

/// Beside the log the last column would be out of sight, as in a window of 1280 pixels.
void TestRunModel::messagesHaveRoomInANarrowPanel() {
    RunPanel panel;
    panel.resize(550, 260);
    panel.showRecord(shared(recordOf(State::Recording)), true);
    panel.show();
    const auto* table = panel.findChild<QTreeView*>();
    const int room = table->viewport()->width() - table->header()->sectionViewportPosition(RunModel::Message);
    QVERIFY2(room > 20 * panel.fontMetrics().averageCharWidth(), qPrintable(QString::number(room)));
    panel.resize(1200, 260);
    QTRY_VERIFY(table->width() < panel.width() - panel.fontMetrics().averageCharWidth() * 40);
}

void TestRunModel::logGrows() {
    RunPanel panel;
    const auto* log = panel.findChild<QPlainTextEdit*>();
    CaptureRecord record = recordOf(State::Recording);
    panel.showRecord(shared(record), true);
    QCOMPARE(log->toPlainText().count(QLatin1Char('\n')), 1);
    record.events.push_back({3, "local", 0, State::Done, {}});
    panel.showRecord(shared(record), true);
    QVERIFY2(log->toPlainText().endsWith(QStringLiteral("This machine  rank 0  done")), qPrintable(log->toPlainText()));
    QCOMPARE(log->toPlainText().count(QLatin1Char('\n')), 2);
    record.id = "20261123-120000-000000";
    panel.showRecord(shared(record), true);
    QCOMPARE(log->toPlainText().count(QLatin1Char('\n')), 2);
}

void TestRunModel::changesOfSettings() {
    CaptureRecord before = recordOf(State::Done), after = before;
    before.assignments = {{"active", "1"}, {"mstx", "true"}, {"warmup", "1"}};
    after.assignments = {{"warmup", "1"}, {"active", "2"}};
    QCOMPARE(settingChanges(before, after), std::string("- active=1\n- mstx=true\n+ active=2\n"));
    QCOMPARE(settingChanges(before, before), std::string());
    HistoryModel model;
    const QAbstractItemModelTester tester(&model);
    model.setRecords({shared(after), shared(before)});
    const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("- mstx=true")), qPrintable(tip));
    QCOMPARE(model.index(0, HistoryModel::Targets).data().toString(), QStringLiteral("This machine, node7"));
}

ALTI_TEST(TestRunModel)
#include "tst_run_model.moc"
