#include "views/capture/runs/history_panel.h"

#include "tests/support/test_main.h"
#include "tests/views/capture/record_stage.h"
#include "views/capture/runs/captures_pane.h"
#include "views/capture/runs/run_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <memory>

using namespace altiscope;
using namespace altiscope::test;
using capture::CaptureRecord;

namespace {

/// Far beyond what anything takes, also on a loaded machine under a sanitizer.
constexpr int kPatience = 120'000;

/// One that has ended, and whose results were copied to `fetched`.
CaptureRecord ended(const RecordStage& stage, const std::string& fetched, const char* active) {
    CaptureRecord record;
    record.method = "torch-dynamic";
    record.assignments = {{"active", active}};
    record.state = capture::State::Done;
    record.targets.resize(1);
    record.targets[0].name = "local";
    record.targets[0].state = capture::State::Done;
    record.targets[0].fetched = fetched;
    return stage.store().create(record).ok() ? record : CaptureRecord{};
}

/// As the user would: the text, then another place.
void type(QLineEdit& line, const char* text) {
    line.setFocus();
    line.insert(QString::fromUtf8(text));  // keys of QTest are ASCII
    QTest::keyClick(&line, Qt::Key_Return);
}

std::string noteOf(const RecordStage& stage, const std::string& id) {
    const auto record = stage.store().load(id);
    return record.ok() ? record.value().note : "no capture";
}

}  // namespace

class TestHistory : public QObject {
    Q_OBJECT
private slots:
    void theHistoryIsSearchedByTheKeyboard();
    void aNoteStaysWithItsCapture();
    void aNoteIsNotReplacedWhileItIsTyped();
    void aNoteThatIsBeingTypedIsKeptWhenTheWindowGoes();
    void aNoteGoesToTheCaptureThatItWasTypedFor();
    void aNoteThatIsBeingTypedStaysInSightWhenAnotherCaptureEnds();
    void aNoteThatCannotBeWrittenStays();
    void withoutACaptureThereIsNoNote();
    void whatChangedSinceTheCaptureBeforeIsAmongTheMessages();
    void bothResultsAreOpenedToBeCompared();
    void whatIsStillRecordingIsShownAtTheNextStart();
};

void TestHistory::theHistoryIsSearchedByTheKeyboard() {
    RecordStage stage;
    const CaptureRecord one = ended(stage, {}, "11"), two = ended(stage, {}, "22"), three = ended(stage, {}, "33");
    QVERIFY(stage.store().setNote(one.id, "Before the rebuild").ok());
    stage.page.show();
    QVERIFY(QTest::qWaitForWindowActive(&stage.page));
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    auto* table = history->findChild<QTreeView*>();
    auto* filter = history->findChild<QLineEdit*>();
    const auto shown = [&] {
        int rows = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) rows += table->isRowHidden(row, {}) ? 0 : 1;
        return rows;
    };
    QCOMPARE(shown(), 3);
    // By the note, whatever its case and order of words; the capture that is found is the one that is shown.
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("REBUILD before"));
    QCOMPARE(shown(), 1);
    QCOMPARE(history->current()->id, one.id);
    QVERIFY(history->findChild<QLabel*>()->text().contains(QStringLiteral("1 of 3")));
    // One that comes meanwhile does not match either.
    const CaptureRecord four = ended(stage, {}, "44");
    history->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 4, kPatience);
    QCOMPARE(shown(), 1);
    QTest::keyClick(filter, Qt::Key_Escape);
    QCOMPARE(shown(), 4);
    QVERIFY(!history->findChild<QLabel*>()->text().contains(QStringLiteral(" of ")));
    // By a setting; from there to the list.
    QTest::keyClicks(filter, QStringLiteral("active=33"));
    QCOMPARE(history->current()->id, three.id);
    QTest::keyClick(filter, Qt::Key_Down);
    QVERIFY(table->hasFocus());
    // The capture before is still the one before in time, not the one before in sight.
    QCOMPARE(history->former()->id, two.id);
    filter->setFocus();
    filter->selectAll();
    QTest::keyClicks(filter, QStringLiteral("no such capture"));
    QCOMPARE(shown(), 0);
    QCOMPARE(history->current()->id, three.id);
}

void TestHistory::aNoteStaysWithItsCapture() {
    RecordStage stage;
    const CaptureRecord record = ended(stage, {}, "1");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(record.id);
    auto* line = stage.page.findChild<RunPanel*>()->findChild<QLineEdit*>();
    type(*line, "vor dem Umbau 作业");
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, record.id), std::string("vor dem Umbau 作业"), kPatience);
    // Whoever drives it writes its record anew, and knows nothing of the note.
    QVERIFY(stage.store().save(record).ok());
    history->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    const auto* model = history->findChild<QTreeView*>()->model();
    QCOMPARE(model->index(0, HistoryModel::Note).data().toString(), QStringLiteral("vor dem Umbau 作业"));
    QVERIFY(model->index(0, 0).data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("vor dem Umbau 作业")));
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, record.id), std::string(), kPatience);
    QVERIFY(!std::filesystem::exists(stage.store().noteFile(record.id)));
}

void TestHistory::aNoteIsNotReplacedWhileItIsTyped() {
    RecordStage stage;
    CaptureRecord record = ended(stage, {}, "1");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(record.id);
    auto* line = stage.page.findChild<RunPanel*>()->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("half"));
    record.events.push_back({1, "local", {}, capture::State::Done, {}});
    QVERIFY(stage.store().save(record).ok());
    history->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!history->current()->events.empty(), kPatience);
    QCOMPARE(line->text(), QStringLiteral("half"));
}

void TestHistory::aNoteThatIsBeingTypedIsKeptWhenTheWindowGoes() {
    RecordStage stage;
    const CaptureRecord record = ended(stage, {}, "1");
    auto page = std::make_unique<CapturePage>(stage.session, ViewMemory(), stage.captures());
    page->show();
    QTRY_VERIFY_WITH_TIMEOUT(page->idle(), kPatience);
    page->findChild<HistoryPanel*>()->choose(record.id);
    QTest::keyClicks(page->findChild<RunPanel*>()->findChild<QLineEdit*>(), QStringLiteral("late"));
    page.reset();
    QCOMPARE(noteOf(stage, record.id), std::string("late"));
}

void TestHistory::aNoteGoesToTheCaptureThatItWasTypedFor() {
    RecordStage stage;
    const CaptureRecord first = ended(stage, {}, "1"), second = ended(stage, {}, "2");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(first.id);
    auto* line = stage.page.findChild<RunPanel*>()->findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("of the first"));
    // One that was started meanwhile comes in front.
    history->choose(second.id);
    QCOMPARE(line->text(), QString());
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, first.id), std::string("of the first"), kPatience);
    QCOMPARE(noteOf(stage, second.id), std::string());
}

void TestHistory::aNoteThatIsBeingTypedStaysInSightWhenAnotherCaptureEnds() {
    RecordStage stage;
    const CaptureRecord first = ended(stage, {}, "1");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    stage.page.findChild<HistoryPanel*>()->choose(first.id);
    const auto* run = stage.page.findChild<RunPanel*>();
    auto* line = run->findChild<QLineEdit*>();
    line->setFocus();
    QTest::keyClicks(line, QStringLiteral("of the "));
    capture::StartRequest request{
        capture::findMethod("torch-dynamic"), {}, {}, stage.path("none/x.json").string(), {}, {}, {}, {}};
    request.targets.push_back(*capture::parseTarget("local"));
    QSignalSpy said(&stage.page, &CapturePage::statusMessage);
    stage.page.findChild<CapturesPane*>()->start(std::move(request), false);
    const auto isSaid = [&said] {
        return std::any_of(said.begin(), said.end(),
                           [](const auto& one) { return one[0].toString().contains(QStringLiteral("none/x.json")); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSaid() && stage.page.idle(), kPatience);
    QCOMPARE(stage.store().list().size(), std::size_t{2});
    QCOMPARE(run->shownId(), first.id);
    QTest::keyClicks(line, QStringLiteral("first"));
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, first.id), std::string("of the first"), kPatience);
    QCOMPARE(noteOf(stage, stage.store().list().front().id), std::string());
}

void TestHistory::aNoteThatCannotBeWrittenStays() {
    RecordStage stage;
    const CaptureRecord first = ended(stage, {}, "1"), second = ended(stage, {}, "2");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(first.id);
    auto* line = stage.page.findChild<RunPanel*>()->findChild<QLineEdit*>();
    // Nothing can be put in its place, whoever runs this.
    const auto file = stage.store().noteFile(first.id);
    std::filesystem::create_directories(file / "x");
    QSignalSpy said(&stage.page, &CapturePage::statusMessage);
    type(*line, "kept");
    QTRY_VERIFY_WITH_TIMEOUT(!said.empty() && stage.page.idle(), kPatience);
    QVERIFY(said.back()[0].toString().contains(QStringLiteral("note.txt")));
    history->choose(second.id);
    QCOMPARE(line->text(), QString());
    history->choose(first.id);
    QCOMPARE(line->text(), QStringLiteral("kept"));
    // With the next one it is tried again.
    std::filesystem::remove_all(file);
    history->choose(second.id);
    type(*line, "another");
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, second.id), std::string("another"), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, first.id), std::string("kept"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    // What others write afterwards is what is shown.
    QVERIFY(stage.store().setNote(second.id, "of another window").ok());
    history->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(line->text(), QStringLiteral("of another window"), kPatience);
}

void TestHistory::withoutACaptureThereIsNoNote() {
    RecordStage stage;
    const CaptureRecord record = ended(stage, {}, "1");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* history = stage.page.findChild<HistoryPanel*>();
    history->choose(record.id);
    auto* run = stage.page.findChild<RunPanel*>();
    auto* line = run->findChild<QLineEdit*>();
    QVERIFY(line->isVisibleTo(run));
    QTest::keyClicks(line, QStringLiteral("mine"));
    history->choose({});
    run->showProblem(QStringLiteral("no place"));
    QVERIFY(!line->isVisibleTo(run));
    for (const auto* button : run->findChildren<QToolButton*>()) QVERIFY(!button->isVisibleTo(run));
    QTRY_COMPARE_WITH_TIMEOUT(noteOf(stage, record.id), std::string("mine"), kPatience);
    history->choose(record.id);
    QVERIFY(line->isVisibleTo(run));
    QTRY_COMPARE_WITH_TIMEOUT(line->text(), QStringLiteral("mine"), kPatience);
}

void TestHistory::whatChangedSinceTheCaptureBeforeIsAmongTheMessages() {
    RecordStage stage;
    const CaptureRecord first = ended(stage, {}, "1");
    QTest::qSleep(2);  // or both would have begun in the same moment
    const CaptureRecord second = ended(stage, {}, "2");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    stage.page.findChild<HistoryPanel*>()->choose(second.id);
    const auto* log = stage.page.findChild<RunPanel*>()->findChild<QPlainTextEdit*>();
    const QString text = log->toPlainText();
    QVERIFY2(text.startsWith(QStringLiteral("Changed since the capture before:\n- active=1\n+ active=2")),
             qPrintable(text));
    stage.page.findChild<HistoryPanel*>()->choose(first.id);
    QVERIFY2(!log->toPlainText().contains(QStringLiteral("before")), qPrintable(log->toPlainText()));
}

void TestHistory::bothResultsAreOpenedToBeCompared() {
    RecordStage stage;
    const CaptureRecord first = ended(stage, "/data/first/local", "1");
    QTest::qSleep(2);
    const CaptureRecord second = ended(stage, "/data/second/local", "2");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    auto* run = stage.page.findChild<RunPanel*>();
    QToolButton* compare = nullptr;
    for (auto* button : run->findChildren<QToolButton*>()) {
        if (button->text() == QStringLiteral("Compare")) compare = button;
    }
    QVERIFY(compare != nullptr);
    stage.page.findChild<HistoryPanel*>()->choose(first.id);
    QVERIFY(!compare->isVisibleTo(run));
    stage.page.findChild<HistoryPanel*>()->choose(second.id);
    QVERIFY(compare->isVisibleTo(run));
    const QSignalSpy wanted(&stage.page, &CapturePage::comparisonRequested);
    compare->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toString(), QStringLiteral("/data/first"));
    QCOMPARE(wanted[0][1].toString(), QStringLiteral("/data/second"));
}

void TestHistory::whatIsStillRecordingIsShownAtTheNextStart() {
    RecordStage stage;
    CaptureRecord record = ended(stage, {}, "1");
    record.state = record.targets[0].state = capture::State::Recording;
    QVERIFY(stage.store().save(record).ok());
    QTest::qSleep(2);
    ended(stage, {}, "2");
    stage.page.show();
    QTRY_VERIFY_WITH_TIMEOUT(stage.page.idle(), kPatience);
    const auto* run = stage.page.findChild<RunPanel*>();
    QCOMPARE(run->shownId(), record.id);
    const auto buttons = run->findChildren<QToolButton*>();
    QVERIFY(std::any_of(buttons.begin(), buttons.end(), [run](const QToolButton* button) {
        return button->text() == QStringLiteral("&Watch") && button->isVisibleTo(run);
    }));
}

ALTI_TEST(TestHistory)
#include "tst_history.moc"
