#include "core/session/marks.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"
#include "views/common/pages/message_page.h"
#include "views/common/support/formatters.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/overlay/wrapped_text.h"
#include "views/timeline/page/timeline_page.h"
#include "views/timeline/panels/details_panel.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/marks_panel.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/scene/timeline_keys.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

using namespace altiscope;

namespace {

constexpr const char* kTrace = R"([
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Python"}},
{"ph":"X","name":"step","pid":1,"tid":1,"ts":"1736408883573888.000","dur":100,"args":{}},
{"ph":"X","name":"aten::add","cat":"cpu_op","pid":1,"tid":1,"ts":"1736408883573898.001","dur":10.5,"args":{"Sequence number":7,"Call stack":"inner.py(3): f;\r\nouter.py(9): g"}},
{"ph":"X","name":"AddKernel","pid":2,"tid":5,"ts":"1736408883573950","dur":20,"args":{"Task Type":"AI_CORE"}},
{"ph":"s","name":"flow","cat":"async_npu","id":"42","pid":1,"tid":1,"ts":"1736408883573900"},
{"ph":"f","bp":"e","name":"flow","cat":"async_npu","id":"42","pid":2,"tid":5,"ts":"1736408883573950"}
])";

struct PageFixture {
    PageFixture()
        : runner(2), session(runner), marks(session, {}), page(session, selection, marks), details(session, selection) {
        page.resize(1200, 600);
        page.show();
        details.resize(1200, 300);
        details.show();
    }
    ~PageFixture() { runner.shutdown(); }
    void open(const QString& path) {
        session.open(path);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return runner.idle() && page.idle() && details.idle(); }, 20'000));
    }
    /// The visible window; of the first capture, whose clock is the page's.
    std::optional<TimeRange> inSight() const { return page.captureRange(session.captures().front().id); }
    const TraceStore& trace(std::size_t rank = 0) { return *session.captures().front().store->ranks[rank].trace; }
    std::optional<SliceIndex> slice(std::string_view name) {
        for (std::uint32_t i = 0; i < trace().sliceCount(); ++i) {
            if (trace().name({i}) == name) return SliceIndex{i};
        }
        return std::nullopt;
    }
    QTreeWidget* list(const QString& name) const {
        for (auto* tree : details.findChildren<QTreeWidget*>()) {
            if (tree->accessibleName() == name) return tree;
        }
        return nullptr;
    }
    QString labels() const {
        QStringList texts;
        for (const QLabel* label : details.findChildren<QLabel*>()) {
            if (label->isVisibleTo(&details)) texts << label->text();
        }
        for (const auto* text : details.findChildren<WrappedText*>()) {
            if (text->isVisibleTo(&details)) texts << text->toPlainText();
        }
        return texts.join(u'\n');
    }

    JobRunner runner;
    Session session;
    Selection selection;
    Marks marks;
    TimelinePage page;
    DetailsPanel details;
};

QString writeTrace(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(kTrace);
    return path;
}

}  // namespace

class TestTimelinePage : public QObject {
    Q_OBJECT
private slots:
    void emptyPageIsIdle();
    void opensOnTheWholeRun();
    void rangeIsKeptUntilLoaded();
    void closedEvidenceTakesItsRangeAway();
    void shortLaunchIsShownWithTheGapBeforeIt();
    void detailsShowEverything();
    void detailsFollowLinks();
    void detailsCountFromTheBeginOfTheirCapture();
    void aPartCountsFromTheBeginOfTheRun();
    void longNamesWrapAndCopyExactly();
    void argumentsOverSeveralLines();
    void provisionalArgumentsAreAnnounced();
    void rawDataSaysWhatToDo();
    void keysAreCommandsToo();
    void detailsOfARange();
    void closingACaptureEmptiesThePage();
    void keysOfTheCanvasWorkInTheTrackNames();
    void trackNamesShowTheFocus();
    void marksAreSetShownAndEdited();
    void escapeLeavesTheSearchBeforeTheSelection();
    void closeWhileLoading();
    void realCapture();
};

void TestTimelinePage::escapeLeavesTheSearchBeforeTheSelection() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    fixture.selection.setRange(TimeRange{fixture.trace().range().begin, fixture.trace().range().end});
    auto* canvas = fixture.page.findChild<TimelineCanvas*>();
    auto* bar = fixture.page.findChild<FindBar*>();
    QTest::keyClick(canvas, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(bar->isVisible());
    QTest::keyClicks(bar->focusProxy(), QStringLiteral("add"));
    fixture.settle();
    QTest::keyClick(bar->focusProxy(), Qt::Key_Escape);
    QVERIFY2(bar->isVisible(), "hits stay");
    QVERIFY2(fixture.page.focusWidget() == canvas, "keys go to the canvas");
    QTest::keyClick(canvas, Qt::Key_Escape);
    QVERIFY(!bar->isVisible() && fixture.selection.current().range);
    QTest::keyClick(canvas, Qt::Key_Escape);
    QVERIFY(!fixture.selection.current().range);
}

void TestTimelinePage::marksAreSetShownAndEdited() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    MarksPanel panel(fixture.session, fixture.selection, fixture.marks);
    const CaptureId capture = fixture.session.captures().front().id;
    const auto perform = [&](TimelineAction what) {
        for (QAction* action : fixture.page.commands()) {
            if (action->data().toInt() == static_cast<int>(what)) action->trigger();
        }
    };
    // Without pointer, range or slice there is nowhere to set it, and that is told.
    QSignalSpy reported(&fixture.page, &TimelinePage::statusMessage);
    perform(TimelineAction::AddMark);
    QCOMPARE(reported.count(), 1);
    QVERIFY(fixture.marks.of(capture).empty());
    // The marked range wins over the slice.
    fixture.selection.selectSlice(capture, {0, fixture.trace().id(*fixture.slice("AddKernel"))});
    fixture.settle();
    perform(TimelineAction::AddMark);
    QCOMPARE(fixture.marks.of(capture).size(), std::size_t{1});
    const TimeRange kernel{{1'736'408'883'573'950'000}, {1'736'408'883'573'970'000}};
    QCOMPARE(fixture.marks.of(capture)[0].range.begin.value, kernel.begin.value);
    QVERIFY(fixture.marks.of(capture)[0].range.empty());
    fixture.selection.setRange(kernel);
    perform(TimelineAction::AddMark);
    QVERIFY(fixture.marks.of(capture)[1].range == kernel);
    QCOMPARE(panel.rowCount(), 2);
    QCOMPARE(panel.item(1, 2)->text(), QStringLiteral("20.0 µs"));
    // A time is not wrapped into two lines.
    QVERIFY(panel.columnWidth(1) > panel.fontMetrics().horizontalAdvance(panel.item(1, 1)->text()));
    // A name written into the list is the mark's.
    panel.item(1, 0)->setText(QStringLiteral(" the kernel "));
    QTRY_COMPARE(fixture.marks.of(capture)[1].name, QStringLiteral("the kernel"));
    QCOMPARE(panel.item(1, 0)->text(), QStringLiteral("the kernel"));
    // Where clocks are moved, its time is told as the ruler counts.
    const QString recorded = panel.item(1, 1)->text();
    fixture.selection.setShifts(capture, nullptr, kernel.begin - DurationNs{1'500'000});
    QCOMPARE(panel.item(1, 1)->text(), formatRelativeTime(kernel.begin, kernel.begin - DurationNs{1'500'000}));
    fixture.selection.setShifts(capture, nullptr);
    QCOMPARE(panel.item(1, 1)->text(), recorded);
    // From the ruler a mark is known by its place.
    QSignalSpy wanted(&panel, &MarksPanel::wanted);
    panel.editName(capture, 1);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(panel.currentRow(), 1);
    auto* editor = panel.findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->text(), QStringLiteral("the kernel"));
    QTest::keyClick(editor, Qt::Key_Escape);
    panel.editName(capture, 2);
    panel.editName({capture.value + 1}, 0);
    QCOMPARE(wanted.count(), 1);
    // Enter leads to its range; Delete removes it.
    QSignalSpy requested(&panel, &MarksPanel::rangeRequested);
    panel.setCurrentCell(1, 0);
    QTest::keyClick(&panel, Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
    fixture.page.showCaptureRange(requested[0][0].value<CaptureId>(), requested[0][1].value<TimeRange>());
    QVERIFY(*fixture.inSight() == kernel);
    QTest::keyClick(&panel, Qt::Key_Delete);
    QCOMPARE(panel.rowCount(), 1);
    fixture.session.close(capture);
    QCOMPARE(panel.rowCount(), 0);
}

void TestTimelinePage::emptyPageIsIdle() {
    PageFixture fixture;
    QVERIFY(fixture.page.idle());
    QVERIFY(fixture.details.idle());
    QVERIFY(fixture.page.commands().empty());
    fixture.page.grab();
}

void TestTimelinePage::opensOnTheWholeRun() {
    const QTemporaryDir folder;
    PageFixture fixture;
    QSignalSpy idle(&fixture.page, &TimelinePage::becameIdle);
    fixture.open(writeTrace(folder));
    QVERIFY(fixture.inSight());
    // 100 us and a hundredth on either side.
    QCOMPARE(fixture.inSight()->begin.value, std::int64_t(1'736'408'883'573'888'000 - 1'000));
    QCOMPARE(fixture.inSight()->end.value, std::int64_t(1'736'408'883'573'988'000 + 1'000));
    QVERIFY(idle.count() > 0);
}

void TestTimelinePage::rangeIsKeptUntilLoaded() {
    const QTemporaryDir folder;
    PageFixture fixture;
    const TimeRange range{{1'736'408'883'573'900'000}, {1'736'408'883'573'900'010}};
    fixture.page.showRange(range);
    fixture.open(writeTrace(folder));
    QCOMPARE(*fixture.inSight(), range);
}

namespace {

/// A group of the launch chain by its title.
const QTreeWidgetItem* groupOf(const QTreeWidget& links, const QString& title) {
    const auto found = links.findItems(title, Qt::MatchExactly, 0);
    return found.size() == 1 ? found.front() : nullptr;
}

}  // namespace

void TestTimelinePage::closedEvidenceTakesItsRangeAway() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    const TimeRange run = fixture.trace().homeRange();
    TimelineEvidence evidence;
    evidence.capture = fixture.session.captures().front().id;
    evidence.window = run;
    evidence.mark = TimeRange{run.begin, run.begin + DurationNs{1000}};
    fixture.page.showEvidence(evidence);
    fixture.settle();
    QVERIFY(fixture.selection.current().range == evidence.mark);
    fixture.page.clearEvidence();
    QVERIFY(!fixture.selection.current().range);
    // What was marked since stays.
    fixture.page.showEvidence(evidence);
    fixture.settle();
    SelectionState own = fixture.selection.current();
    own.range = run;
    fixture.selection.set(own);
    fixture.page.clearEvidence();
    QVERIFY(fixture.selection.current().range == run);
}

void TestTimelinePage::shortLaunchIsShownWithTheGapBeforeIt() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[{\"ph\":\"X\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":9000},"
               "{\"ph\":\"X\",\"name\":\"launch\",\"pid\":1,\"tid\":1,\"ts\":4000,\"dur\":2}]");
    file.close();
    PageFixture fixture;
    fixture.open(path);
    const CaptureId capture = fixture.session.captures().front().id;
    const SliceIndex launch = *fixture.slice("launch");
    const TimeRange own{fixture.trace().begin(launch), fixture.trace().end(launch)};
    TimelineEvidence evidence;
    evidence.capture = capture;
    evidence.gaps = {{own.begin - DurationNs{2'000'000}, own.begin}};
    evidence.window = {own.begin - DurationNs{2'500'000}, own.end + DurationNs{500'000}};
    const auto revealed = [&] {
        fixture.page.showEvidence(evidence);
        const SliceKey key{0, fixture.trace().id(launch)};
        fixture.selection.selectSlice(capture, key);
        fixture.selection.reveal(capture, key);
        fixture.settle();
        return *fixture.page.captureRange(capture);
    };
    QCOMPARE(revealed(), evidence.window);
    // Without a gap it is looked at by itself.
    evidence.gaps.clear();
    QVERIFY(revealed().length() < DurationNs{1'000'000});
}

void TestTimelinePage::detailsShowEverything() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    fixture.selection.selectSlice({1}, {0, fixture.trace().id(*fixture.slice("aten::add"))});
    fixture.settle();
    const QString labels = fixture.labels();
    for (const char* text : {"aten::add", "10,500 ns", "Python", "cpu_op", "1736408883573898001",
                             "2025-01-09 07:48:03.573898001 UTC", "step"}) {
        QVERIFY2(labels.contains(QString::fromUtf8(text)), qPrintable(labels));
    }
    const QTreeWidget* arguments = fixture.list(QStringLiteral("Arguments"));
    QCOMPARE(arguments->topLevelItemCount(), 1);
    QCOMPARE(arguments->topLevelItem(0)->text(0), QStringLiteral("Sequence number"));
    QCOMPARE(arguments->topLevelItem(0)->text(1), QStringLiteral("7"));
    // Functions stand at the end of long paths.
    const QTreeWidget* stack = fixture.list(QStringLiteral("Call stack"));
    QCOMPARE(stack->textElideMode(), Qt::ElideLeft);
    QCOMPARE(stack->topLevelItemCount(), 2);
    QCOMPARE(stack->topLevelItem(0)->text(0), QStringLiteral("inner.py(3): f"));
    QCOMPARE(stack->topLevelItem(1)->toolTip(0), QStringLiteral("outer.py(9): g"));
    // Whichever way the key comes, all that is selected is copied: by itself the list copies its current line alone.
    auto* keys = fixture.list(QStringLiteral("Call stack"));
    keys->selectAll();
    QTest::keyClick(keys, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("inner.py(3): f\nouter.py(9): g"));
    // One list: what the flow leads to is said once.
    const QTreeWidget* links = fixture.list(QStringLiteral("Launch chain and flows"));
    const QTreeWidgetItem* followed = groupOf(*links, QStringLiteral("Followed by"));
    QVERIFY(followed != nullptr);
    QCOMPARE(followed->childCount(), 1);
    QCOMPARE(followed->child(0)->text(1), QStringLiteral("AddKernel"));
    QVERIFY(followed->child(0)->text(0).contains(QStringLiteral("async_npu")));
    QCOMPARE(links->findItems(QStringLiteral("AddKernel"), Qt::MatchExactly | Qt::MatchRecursive, 1).size(), 1);
    QVERIFY(groupOf(*links, QStringLiteral("Other flows")) == nullptr);
}

void TestTimelinePage::detailsFollowLinks() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    fixture.selection.selectSlice({1}, {0, fixture.trace().id(*fixture.slice("aten::add"))});
    fixture.settle();
    auto* links = fixture.list(QStringLiteral("Launch chain and flows"));
    QSignalSpy reveal(&fixture.selection, &Selection::revealRequested);
    const QTreeWidgetItem* followed = groupOf(*links, QStringLiteral("Followed by"));
    QVERIFY(followed != nullptr);
    emit links->itemClicked(followed->child(0), 0);
    QTRY_COMPARE(reveal.count(), 1);  // once the click is over: the list is filled anew
    fixture.settle();
    QCOMPARE(fixture.selection.current().slice->id, fixture.trace().id(*fixture.slice("AddKernel")));
    QVERIFY(fixture.labels().contains(QStringLiteral("AddKernel")));
}

void TestTimelinePage::detailsCountFromTheBeginOfTheirCapture() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    // Begins 50 us after the first capture, while that still runs.
    const QString later = folder.filePath(QStringLiteral("later.json"));
    QFile file(later);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","name":"late","pid":1,"tid":1,"ts":"1736408883573938.000","dur":10,"args":{}}])");
    file.close();
    fixture.open(later);
    const TraceStore& second = *fixture.session.captures().back().store->ranks[0].trace;
    fixture.selection.selectSlice({2}, {0, second.id({0})});
    fixture.settle();
    const QString zero = QStringLiteral("0.000\u202f000\u202f000 s");
    QVERIFY2(fixture.labels().contains(zero), qPrintable(fixture.labels()));
    fixture.selection.showCapture({1});
    fixture.settle();
    fixture.selection.selectSlice({1}, {0, fixture.trace().id(*fixture.slice("aten::add"))});
    fixture.settle();
    const QString ten = QStringLiteral("0.000\u202f010\u202f001 s");
    QTRY_VERIFY2(fixture.labels().contains(ten), qPrintable(fixture.labels()));
}

void TestTimelinePage::aPartCountsFromTheBeginOfTheRun() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        R"([{"ph":"X","name":"early","pid":1,"tid":1,"ts":1000,"dur":10},{"ph":"X","name":"late","pid":1,"tid":1,"ts":1100,"dur":10}])");
    file.close();
    PageFixture fixture;
    fixture.open(path);
    fixture.session.readRanks({1}, {fixture.session.captures().front().store->ranks[0].info.path},
                              TimeRange{{1'090'000}, {1'200'000}});
    fixture.settle();
    QCOMPARE(fixture.trace().sliceCount(), 1U);
    fixture.selection.selectSlice({1}, {0, fixture.trace().id({0})});
    fixture.settle();
    QVERIFY2(fixture.labels().contains(QStringLiteral("0.000\u202f100\u202f000 s")), qPrintable(fixture.labels()));
}

void TestTimelinePage::longNamesWrapAndCopyExactly() {
    const QTemporaryDir folder;
    const QString name = QString(2000, QChar(u'x'));
    const QString path = folder.filePath(QStringLiteral("long.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","name":")" + name.toUtf8() + R"(","pid":1,"tid":1,"ts":1,"dur":10,"args":{}}])");
    file.close();
    PageFixture fixture;
    fixture.open(path);
    fixture.selection.selectSlice({1}, {0, fixture.trace().id({0})});
    fixture.settle();
    auto* text = fixture.details.findChild<WrappedText*>();
    QTRY_VERIFY(text->height() > 3 * text->fontMetrics().height());
    QVERIFY(text->width() < fixture.details.width());
    const auto* scroll = fixture.details.findChild<QScrollArea*>();
    QTRY_VERIFY(scroll->horizontalScrollBar()->maximum() == 0);
    text->selectAll();
    text->copy();
    QCOMPARE(QApplication::clipboard()->text(), name);
}

void TestTimelinePage::argumentsOverSeveralLines() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("lines.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":10,"args":{"Shapes":"1,2;\n3,4"}}])");
    file.close();
    PageFixture fixture;
    fixture.open(path);
    fixture.selection.selectSlice({1}, {0, fixture.trace().id({0})});
    fixture.settle();
    const QTreeWidgetItem* item = fixture.list(QStringLiteral("Arguments"))->topLevelItem(0);
    QCOMPARE(item->text(1), QStringLiteral("1,2; 3,4"));
    QCOMPARE(item->toolTip(1), QStringLiteral("1,2;\n3,4"));
}

void TestTimelinePage::provisionalArgumentsAreAnnounced() {
    SliceFacts facts;
    QVERIFY(problemText(facts).isEmpty());
    facts.provisional = true;
    QVERIFY(problemText(facts).contains(QStringLiteral("not read yet")));
    facts.details.arguments.push_back({"key", "text", "1"});
    QVERIFY2(problemText(facts).isEmpty(), "they are there");
}

void TestTimelinePage::rawDataSaysWhatToDo() {
    const QTemporaryDir folder;
    QVERIFY(
        QDir(folder.path())
            .mkpath(QStringLiteral("host_1_20240101000000_ascend_pt/PROF_000001_20240101000000_ABC/device_0/data")));
    PageFixture fixture;
    QSignalSpy report(&fixture.page, &TimelinePage::reportRequested);
    fixture.open(folder.path());
    const auto* capture = fixture.session.capture({1});
    QVERIFY(capture->store != nullptr && !capture->store->diagnostics.empty());
    const auto* message = fixture.page.findChild<MessagePage*>();
    QVERIFY2(message->message().remedy.contains(QStringLiteral("analyse")), qPrintable(message->message().remedy));
    for (auto* button : message->findChildren<QToolButton*>()) {
        if (button->isVisible()) button->click();
    }
    QCOMPARE(report.count(), 1);
    QCOMPARE(report.front().front().value<CaptureId>(), CaptureId{1});
}

void TestTimelinePage::keysAreCommandsToo() {
    const QTemporaryDir folder;
    PageFixture fixture;
    QVERIFY(fixture.page.commands().empty());
    fixture.open(writeTrace(folder));
    const TimeRange whole = *fixture.inSight();
    QStringList texts;
    for (QAction* action : fixture.page.commands()) {
        texts << action->text();
        if (action->text() == QStringLiteral("Zoom in at the pointer")) action->trigger();
    }
    QVERIFY(fixture.inSight()->length() < whole.length());
    QCOMPARE(texts.removeDuplicates(), 0);
}

void TestTimelinePage::detailsOfARange() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    fixture.selection.set({1, std::nullopt, TimeRange{{1'736'408'883'573'900'000}, {1'736'408'883'573'901'500}}});
    fixture.settle();
    QVERIFY2(fixture.labels().contains(QStringLiteral("1.50\u00a0µs")), qPrintable(fixture.labels()));
    QVERIFY(fixture.labels().contains(QStringLiteral("1,500\u00a0ns")));
}

void TestTimelinePage::closingACaptureEmptiesThePage() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    fixture.session.close({1});
    fixture.settle();
    QVERIFY(fixture.page.commands().empty());
    fixture.page.grab();
}

void TestTimelinePage::keysOfTheCanvasWorkInTheTrackNames() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    auto* header = fixture.page.findChild<TrackHeader*>();
    const TimeRange whole = *fixture.inSight();
    QTest::keyClick(header, Qt::Key_W);
    QVERIFY(fixture.inSight()->length() < whole.length());
    QTest::keyClick(header, Qt::Key_Backspace);
    QCOMPARE(*fixture.inSight(), whole);
    fixture.selection.selectSlice({1}, {0, fixture.trace().id(*fixture.slice("step"))});
    fixture.settle();
    QTest::keyClick(header, Qt::Key_Down, Qt::ControlModifier);
    fixture.settle();
    QCOMPARE(fixture.selection.current().slice->id, fixture.trace().id(*fixture.slice("aten::add")));
    // What neither knows goes on to the window.
    QKeyEvent unknown(QEvent::KeyPress, Qt::Key_F7, Qt::NoModifier);
    QCoreApplication::sendEvent(header, &unknown);
    QVERIFY(!unknown.isAccepted());
}

void TestTimelinePage::trackNamesShowTheFocus() {
    const QTemporaryDir folder;
    PageFixture fixture;
    fixture.open(writeTrace(folder));
    auto* header = fixture.page.findChild<TrackHeader*>();
    const QImage before = header->grab().toImage();
    fixture.page.activateWindow();
    header->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY(header->hasFocus());
    QVERIFY(header->grab().toImage() != before);
}

void TestTimelinePage::closeWhileLoading() {
    const QTemporaryDir folder;
    const QString path = writeTrace(folder);
    for (int i = 0; i < 20; ++i) {
        PageFixture fixture;
        fixture.session.open(path);
        if (i % 2 == 0) QTest::qWait(i);
    }
}

void TestTimelinePage::realCapture() {
    const auto capture = test::sharedData("torch_text/level1");
    if (!capture) QSKIP(test::kNoSharedData);
    PageFixture fixture;
    fixture.open(QString::fromStdString(capture->string()));
    QVERIFY(fixture.inSight());
    // It opens on its step, which takes 156 ms on the longer rank and begins and ends at other times on the other.
    QVERIFY(fixture.inSight()->length().value > 155'000'000);
    QVERIFY(fixture.inSight()->length().value < 200'000'000);
    QTest::keyClick(fixture.page.findChild<TimelineCanvas*>(), Qt::Key_0, Qt::ControlModifier);
    // Both ranks: 400 ms, see the README of the captures.
    QVERIFY(fixture.inSight()->length().value > 390'000'000);
    QVERIFY(fixture.inSight()->length().value < 450'000'000);
    const SliceKey item{0, fixture.trace().id(*fixture.slice("aten::item"))};
    fixture.selection.selectSlice({1}, item);
    fixture.selection.reveal({1}, item);
    fixture.settle();
    QVERIFY(fixture.labels().contains(QStringLiteral("aten::item")));
    fixture.page.grab();
    fixture.details.grab();
}

ALTI_TEST(TestTimelinePage)
#include "tst_timeline_page.moc"
