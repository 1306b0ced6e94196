#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_dialogs.h"

#include <QMenu>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace altiscope;

namespace {

constexpr std::int64_t kBase = 1'736'408'883'573'888'000;

/// A canvas of 1000 x 400 pixels over 100,000 ns; one pixel is 100 ns. No margin: windows are shown explicitly.
class Stage {
public:
    explicit Stage(std::string_view text = "p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                           "p1/t2: D[50000,60000) E[70000,70010)\n"
                                           "flow launch:1 p1/t1@25000 -> p1/t2@50000")
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        canvas.resize(1000, 400);
        canvas.show();
        capture = test::captureFromTexts({text});
        test::showIn(scene, {{1, capture}});
        window({{0}, {100'000}});
    }
    ~Stage() { runner.shutdown(); }

    void window(TimeRange range) {
        scene.change([&](ViewWindow& w) { w.show(range, HistoryMark::NewStep); });
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle(); }));
        canvas.grab();
    }
    TimeRange range() const { return scene.window().range(); }
    /// Middle of a lane of the row of thread `row`.
    QPoint at(std::int64_t ns, std::size_t row, int lane = 0) const {
        const PixelScale scale(range(), canvas.width());
        return {static_cast<int>(scale.x({ns})), static_cast<int>(scene.model().rows()[row].top - scene.scrollTop()) + 2 + lane * 20 + 10};
    }
    std::string name() const {
        return selected.slice() ? std::string(selected.slice()->trace->name(selected.slice()->place.slice)) : std::string();
    }
    void wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
        settle();
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

} // namespace

class TestTimelineCanvas : public QObject {
    Q_OBJECT
private slots:
    void keysZoomAndPan();
    void wheelZoomsAtPointer();
    void wheelScrollsAndPans();
    void clickSelects();
    void clickBesideClears();
    void doubleClickZooms();
    void dragMarksRange();
    void altDragZoomsToBox();
    void ctrlDragPans();
    void escapeStopsADrag();
    void rangeOfSlice();
    void zoomToSelection();
    void undoViewIsIdentical();
    void followsFlows();
    void walksSlices();
    void revealOpensRows();
    void revealWaitsForItsCapture();
    void selectionSurvivesNewStore();
    void clickOnAnOlderPictureSelectsWhatIsSeen();
    void linkedSliceOfTheMenuOutlivesTheStore();
    void whatLaunchedItIsFoundWhileTheMenuIsShown();
    void belowTheLastRowIsAMenuToo();
    void markOfTheMenuStandsWhereItWasOpened();
    void counterOfAnOlderPictureKeepsItsNumbers();
    void collapsedCountersHaveAPreview();
    void hiddenEndsPointAtTheirGroup();
    void farEndsStayOnTheEdge();
    void absoluteStampsToOneNanosecond();
    void capturesFromOtherTimesAreAligned();
    void closingACaptureKeepsTheViewOfTheOthers();
    void readingAgainKeepsTheView();
    void closedCapturesLeaveTheMemory();
    void hoverBoxGoesWhenRowsChange();
    void hoverGoesWhenAPanelBesideGrows();
    void hoverBoxGoesAndKeysFollowThePointerInADrag();
    void flowsBeginBesideTheNameOfTheSlice();
    void pictureFollowsTheTheme();
    void paintsNothingWithoutCaptures();
    void keysWinOverShortcutsOfTheWindow();
    void highDpiHasDevicePixels();
};

void TestTimelineCanvas::keysZoomAndPan() {
    Stage stage;
    QTest::keyClick(&stage.canvas, Qt::Key_W);
    QCOMPARE(stage.range().length().value, std::int64_t(75'000));
    QTest::keyClick(&stage.canvas, Qt::Key_D);
    QCOMPARE(stage.range(), (TimeRange{{20'000}, {95'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_Left);
    QCOMPARE(stage.range(), (TimeRange{{12'500}, {87'500}}));
    QTest::keyClick(&stage.canvas, Qt::Key_S);
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(stage.range(), stage.scene.window().home());
}

void TestTimelineCanvas::wheelZoomsAtPointer() {
    Stage stage;
    stage.wheel({250, 100}, 120, Qt::ControlModifier);
    QCOMPARE(stage.range().length().value, std::int64_t(80'000));
    // 25,000 ns stays under pixel 250.
    QCOMPARE(stage.range().begin.value, std::int64_t(5'000));
    stage.wheel({250, 100}, -120, Qt::ControlModifier);
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestTimelineCanvas::wheelScrollsAndPans() {
    Stage stage;
    stage.canvas.resize(1000, 60);
    stage.settle();
    stage.wheel({10, 10}, -120, Qt::NoModifier);
    QVERIFY(stage.scene.scrollTop() > 0);
    stage.wheel({10, 10}, 1200, Qt::NoModifier);
    QCOMPARE(stage.scene.scrollTop(), std::int64_t(0));
    stage.window({{20'000}, {40'000}});
    stage.wheel({10, 10}, -120, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{22'000}, {42'000}}));
}

void TestTimelineCanvas::clickSelects() {
    Stage stage;
    QSignalSpy changed(&stage.selection, &Selection::changed);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    QCOMPARE(stage.name(), std::string("B"));
    QCOMPARE(changed.count(), 1);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QCOMPARE(stage.name(), std::string("C"));
    QCOMPARE(stage.selection.current().capture, 1U);
    // Narrower than a pixel, hit from beside it.
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(70'000, 3) + QPoint(2, 0));
    QCOMPARE(stage.name(), std::string("E"));
}

void TestTimelineCanvas::clickBesideClears() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2));
    QVERIFY(stage.selected.slice());
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(90'000, 3));
    QVERIFY(!stage.selected.slice());
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {500, 390});
    QVERIFY(!stage.selected.slice());
}

void TestTimelineCanvas::doubleClickZooms() {
    Stage stage;
    QTest::mouseDClick(&stage.canvas, Qt::LeftButton, {}, stage.at(55'000, 3));
    QCOMPARE(stage.name(), std::string("D"));
    QCOMPARE(stage.range(), (TimeRange{{49'500}, {60'500}}));
}

void TestTimelineCanvas::dragMarksRange() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&stage.canvas, {150, 120});
    QVERIFY(!stage.selection.current().range);
    QTest::mouseMove(&stage.canvas, {300, 120});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {300, 120});
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{10'000}, {30'000}}));
    QCOMPARE(stage.selection.current().capture, 1U);
    // From right to left is the same.
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {300, 100});
    QTest::mouseMove(&stage.canvas, {200, 100});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {50, 100});
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{5'000}, {30'000}}));
    // A drag over the edge ends at the edge.
    stage.canvas.dragRange(900, 5'000, true);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{90'000}, {100'000}}));
}

void TestTimelineCanvas::altDragZoomsToBox() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {200, 50});
    QTest::mouseMove(&stage.canvas, {400, 90});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {600, 90});
    QCOMPARE(stage.range(), (TimeRange{{20'000}, {60'000}}));
    QVERIFY(!stage.selection.current().range);
}

void TestTimelineCanvas::ctrlDragPans() {
    Stage stage;
    stage.window({{20'000}, {40'000}});
    QTest::mousePress(&stage.canvas, Qt::LeftButton, Qt::ControlModifier, {500, 50});
    QTest::mouseMove(&stage.canvas, {450, 50});
    QTest::mouseMove(&stage.canvas, {400, 50});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, Qt::ControlModifier, {400, 50});
    QCOMPARE(stage.range(), (TimeRange{{22'000}, {42'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_Backspace);
    QCOMPARE(stage.range(), (TimeRange{{20'000}, {40'000}}));
}

void TestTimelineCanvas::escapeStopsADrag() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&stage.canvas, {300, 100});
    QTest::keyClick(&stage.canvas, Qt::Key_Escape);
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {300, 100});
    QVERIFY(!stage.selection.current().range);
}

void TestTimelineCanvas::rangeOfSlice() {
    Stage stage;
    QSignalSpy told(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(told.count(), 1);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(55'000, 3));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{50'000}, {60'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QVERIFY(!stage.selection.current().range);
    QVERIFY(stage.selected.slice());
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QTest::keyClick(&stage.canvas, Qt::Key_Escape);
    QVERIFY(!stage.selection.current().range && stage.selected.slice());
    QTest::keyClick(&stage.canvas, Qt::Key_Escape);
    QVERIFY(!stage.selected.slice());
}

void TestTimelineCanvas::zoomToSelection() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    QTest::keyClick(&stage.canvas, Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{8'500}, {41'500}}));
    stage.selected.markRange({{1'000}, {2'000}}, 0);
    QTest::keyClick(&stage.canvas, Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{1'000}, {2'000}}));
}

void TestTimelineCanvas::undoViewIsIdentical() {
    Stage stage;
    const QImage before = stage.canvas.grab().toImage();
    const TimeRange range = stage.range();
    QTest::mousePress(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {200, 50});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {600, 90});
    stage.settle();
    QVERIFY(stage.canvas.grab().toImage() != before);
    QTest::keyClick(&stage.canvas, Qt::Key_Z, Qt::ControlModifier);
    stage.settle();
    QCOMPARE(stage.range(), range);
    QCOMPARE(stage.canvas.grab().toImage(), before);
}

void TestTimelineCanvas::followsFlows() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QCOMPARE(stage.selected.slice()->flows.size(), std::size_t(1));
    QTest::keyClick(&stage.canvas, Qt::Key_BracketRight);
    QCOMPARE(stage.name(), std::string("D"));
    QSignalSpy told(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_BracketRight);
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(stage.name(), std::string("D"));
    QTest::keyClick(&stage.canvas, Qt::Key_BracketLeft);
    QCOMPARE(stage.name(), std::string("C"));
}

void TestTimelineCanvas::walksSlices() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(55'000, 3));
    QTest::keyClick(&stage.canvas, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("E"));
    QTest::keyClick(&stage.canvas, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("D"));
    stage.window({{0}, {100'000}});
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(5'000, 2));
    QTest::keyClick(&stage.canvas, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("B"));
    QTest::keyClick(&stage.canvas, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("C"));
    QTest::keyClick(&stage.canvas, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(&stage.canvas, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("A"));
}

void TestTimelineCanvas::revealOpensRows() {
    Stage stage;
    const TraceStore& trace = *stage.capture->ranks[0].trace;
    std::optional<SliceIndex> e;
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.name({i}) == "E") e = SliceIndex{i};
    }
    stage.scene.setAllExpanded(false);
    QCOMPARE(stage.scene.model().rows().size(), std::size_t(1));
    const SliceKey key{0, trace.id(*e)};
    stage.selection.selectSlice(1, key);
    stage.selection.reveal(1, key);
    stage.settle();
    QCOMPARE(stage.name(), std::string("E"));
    QVERIFY(stage.scene.model().rows().size() > 1);
    // 10 ns are far less than a pixel of the old window, so it got a window of its own.
    QVERIFY(stage.range().begin.value <= 70'000 && stage.range().end.value >= 70'010);
    QVERIFY(stage.range().length().value < 1'000);
}

void TestTimelineCanvas::revealWaitsForItsCapture() {
    Stage stage;
    const auto later = test::captureFromTexts({"p1/t1: X[0,100000) Y[40000,40010)"});
    const TraceStore& trace = *later->ranks[0].trace;
    stage.selection.selectSlice(2, {0, trace.id({1})});
    stage.selection.reveal(2, {0, trace.id({1})});
    stage.settle();
    QVERIFY(!stage.selected.slice());
    test::showIn(stage.scene, {{1, stage.capture}, {2, later}});
    stage.settle();
    QCOMPARE(stage.name(), std::string("Y"));
    QVERIFY(stage.range().length().value < 1'000);
}

void TestTimelineCanvas::selectionSurvivesNewStore() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    const auto before = stage.selected.slice()->trace;
    const auto again = test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\np1/t2: D[50000,60000)"});
    test::showIn(stage.scene, {{1, again}});
    stage.settle();
    QCOMPARE(stage.name(), std::string("C"));
    QVERIFY(stage.selected.slice()->trace != before);
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestTimelineCanvas::clickOnAnOlderPictureSelectsWhatIsSeen() {
    Stage stage("p1/t1: A[0,100000) B[10000,40000)");
    // In the new store N takes the number that B had.
    const auto grown = test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) N[2000,8000)"});
    const SliceId b = stage.capture->ranks[0].trace->id({1});
    QCOMPARE(grown->ranks[0].trace->name({1}), std::string_view("N"));
    int clicks = 0;
    connect(&stage.scene, &TimelineScene::rowsChanged, this, [&] {
        if (clicks++ == 0) QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    });
    test::showIn(stage.scene, {{1, grown}});
    stage.settle();
    QCOMPARE(clicks, 1);
    QCOMPARE(stage.selection.current().slice->id, b);
    QCOMPARE(stage.name(), std::string("B"));
    QCOMPARE(stage.selected.slice()->trace, grown->ranks[0].trace);
}

void TestTimelineCanvas::linkedSliceOfTheMenuOutlivesTheStore() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QMenu menu;
    CanvasHit hit;
    hit.slice = stage.selected.slice()->place;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    QAction* linked = nullptr;
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr && linked == nullptr) linked = action->menu()->actions().front();
    }
    QVERIFY(linked != nullptr);
    QVERIFY2(linked->text().contains(u'D'), qPrintable(linked->text()));
    // While the menu is open, another slice takes the number of D.
    test::showIn(stage.scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                                           "p1/t2: D[50000,60000) E[70000,70010) N[45000,46000)"})}});
    linked->trigger();
    stage.settle();
    QCOMPARE(stage.name(), std::string("D"));
}

void TestTimelineCanvas::whatLaunchedItIsFoundWhileTheMenuIsShown() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(55'000, 3, 0));
    QCOMPARE(stage.name(), std::string("D"));
    QMenu menu;
    CanvasHit hit;
    hit.slice = stage.selected.slice()->place;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const auto linksOf = [&](const QString& title) {
        for (const QAction* action : menu.actions()) {
            if (action->text() == title) return action->menu();
        }
        return static_cast<QMenu*>(nullptr);
    };
    QMenu* causes = linksOf(QStringLiteral("What la&unched it"));
    QVERIFY(causes != nullptr);
    QTRY_COMPARE(causes->actions().front()->text(), QStringLiteral("Flow: C"));
    // Nothing followed from it.
    QVERIFY(!linksOf(QStringLiteral("What &followed"))->menuAction()->isEnabled());
    causes->actions().front()->trigger();
    stage.settle();
    QCOMPARE(stage.name(), std::string("C"));
}

void TestTimelineCanvas::belowTheLastRowIsAMenuToo() {
    Stage stage;
    QSignalSpy asked(&stage.canvas, &TimelineCanvas::menuRequested);
    const QPoint below(300, stage.canvas.height() - 5);
    QContextMenuEvent event(QContextMenuEvent::Mouse, below, stage.canvas.mapToGlobal(below));
    QApplication::sendEvent(&stage.canvas, &event);
    QCOMPARE(asked.count(), 1);
    const auto hit = asked[0][0].value<std::optional<CanvasHit>>();
    QVERIFY(!hit);
    QMenu menu;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const QList<QAction*> actions = menu.actions();
    QVERIFY(std::any_of(actions.begin(), actions.end(), [](const QAction* action) { return action->text().startsWith(QStringLiteral("Show the &whole run")); }));
    QVERIFY(std::none_of(actions.begin(), actions.end(), [](const QAction* action) { return action->text().startsWith(QStringLiteral("&List all slices")); }));
}

void TestTimelineCanvas::markOfTheMenuStandsWhereItWasOpened() {
    Stage stage;
    QMenu menu;
    CanvasHit hit;
    hit.time = {30'000};
    hit.shift = {500};
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const QList<QAction*> actions = menu.actions();
    const auto mark = std::find_if(actions.begin(), actions.end(), [](const QAction* action) { return action->text().contains(QStringLiteral("\tK")); });
    QVERIFY(mark != actions.end());
    QSignalSpy asked(&stage.canvas, &TimelineCanvas::markRequested);
    (*mark)->trigger();
    QCOMPARE(asked.count(), 1);
    QVERIFY(asked[0][0].value<std::optional<TimeNs>>() == std::optional(TimeNs{30'500}));
}

void TestTimelineCanvas::counterOfAnOlderPictureKeepsItsNumbers() {
    Stage stage("p1/t1: A[0,100000)\np1/c:Read r[5]=1.5 r[10]=2");
    const auto counterOf = [](const TraceStore& trace) {
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (trace.extent({t}).seriesCount > 0) return t;
        }
        return ~0U;
    };
    const auto grown = test::captureFromTexts({"p1/t1: A[0,100000)\np1/c:Read r[5]=1.5 r[10]=2\np1/t0: F[0,10)\np1/t2: G[0,10)"});
    const std::uint32_t before = counterOf(*stage.capture->ranks[0].trace), after = counterOf(*grown->ranks[0].trace);
    QVERIFY(before < after);
    std::optional<CanvasHit> hit;
    connect(&stage.scene, &TimelineScene::rowsChanged, this, [&] {
        CanvasLayout layout(stage.scene, stage.canvas.feed());
        layout.setSize(stage.canvas.size());
        const auto& rows = stage.scene.model().rows();
        const auto row = std::find_if(rows.begin(), rows.end(), [](const TimelineRow& r) { return r.kind == TimelineRowKind::Counter; });
        if (!hit) hit = layout.hitAt({500, static_cast<int>(row->top) + row->height / 2});
    });
    test::showIn(stage.scene, {{1, grown}});
    QVERIFY(hit && hit->counter);
    QCOMPARE(hit->trace, stage.capture->ranks[0].trace);
    QCOMPARE(hit->counter->value, before);
    stage.settle();
}

void TestTimelineCanvas::collapsedCountersHaveAPreview() {
    Stage stage("p1/t1: A[0,100000)\np2/c:Flat r[5]=1 r[10]=1 r[20]=1 r[30]=1 r[40]=1\np2/c:Few r[5]=1 r[6]=2\np2/c:Read r[5]=0 r[50000]=8 r[60000]=0");
    const auto rowOf = [&](TimelineRowKind kind) {
        const auto& rows = stage.scene.model().rows();
        return static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), [kind](const TimelineRow& row) { return row.kind == kind && row.firstTrack > 0; }) - rows.begin());
    };
    stage.scene.setExpanded(rowOf(TimelineRowKind::Process), false);
    stage.settle();
    const std::size_t row = rowOf(TimelineRowKind::Process);
    QVERIFY(row < stage.scene.model().rows().size());
    const TimelineRow& collapsed = stage.scene.model().rows()[row];
    QVERIFY(!collapsed.expanded);
    // The one that changes and has more samples is drawn: high between 50 and 60 percent of the width, at the ground elsewhere.
    const QImage picture = stage.canvas.grab().toImage();
    const int top = static_cast<int>(collapsed.top) + 4;
    QVERIFY(picture.pixel(550, top + 4) != picture.pixel(200, top + 4));
    QCOMPARE(picture.pixel(700, top + 4), picture.pixel(200, top + 4));
    CanvasLayout layout(stage.scene, stage.canvas.feed());
    layout.setSize(stage.canvas.size());
    const auto hit = layout.hitAt({550, top + 4});
    QVERIFY(hit && hit->counter);
    QCOMPARE(hit->trace->track(*hit->counter).name, std::string("Read"));
}

void TestTimelineCanvas::hiddenEndsPointAtTheirGroup() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    CanvasLayout layout(stage.scene, stage.canvas.feed());
    layout.setSize(stage.canvas.size());
    auto curves = flowCurves(layout, 0, {}, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QCOMPARE(curves[0].from.x(), 250.0);
    QCOMPARE(curves[0].to.x(), 500.0);
    QVERIFY(!curves[0].farOutside);
    stage.scene.setExpanded(0, false);
    stage.settle();
    curves = flowCurves(layout, 0, {}, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QVERIFY(curves[0].to.y() < 20);
}

void TestTimelineCanvas::farEndsStayOnTheEdge() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    stage.window({{24'999}, {25'001}});
    CanvasLayout layout(stage.scene, stage.canvas.feed());
    layout.setSize(stage.canvas.size());
    const auto curves = flowCurves(layout, 0, {}, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QVERIFY(curves[0].farOutside);
    QVERIFY(curves[0].to.x() > 1000 && curves[0].to.x() <= 5000);
}

void TestTimelineCanvas::absoluteStampsToOneNanosecond() {
    const std::string base = std::to_string(kBase), one = std::to_string(kBase + 1), two = std::to_string(kBase + 2);
    Stage stage("p1/t1: A[" + base + "," + one + ") B[" + one + "," + two + ")");
    stage.window({{kBase}, {kBase + 2}});
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {499, 52});
    QCOMPARE(stage.name(), std::string("A"));
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {500, 52});
    QCOMPARE(stage.name(), std::string("B"));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{kBase + 1}, {kBase + 2}}));
}

void TestTimelineCanvas::capturesFromOtherTimesAreAligned() {
    Stage stage;
    const std::string a = std::to_string(kBase), b = std::to_string(kBase + 50'000);
    const auto today = test::captureFromTexts({"p1/t1: T[" + a + "," + b + ")"});
    test::showIn(stage.scene, {{1, stage.capture}, {7, today}});
    stage.settle();
    QCOMPARE(stage.scene.model().sources()[1].shift.value, -kBase);
    // Both are in one window, and what is marked on the second one is on its own clock.
    stage.window({{0}, {100'000}});
    std::size_t row = 0;
    while (stage.scene.model().title(stage.scene.model().rows()[row]).isEmpty() || stage.scene.model().rows()[row].source == 0 ||
           stage.scene.model().rows()[row].kind != TimelineRowKind::Thread) {
        ++row;
    }
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, row));
    QCOMPARE(stage.name(), std::string("T"));
    QCOMPARE(stage.selected.sliceRange(), std::optional(TimeRange{{0}, {50'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{kBase}, {kBase + 50'000}}));
}

void TestTimelineCanvas::closingACaptureKeepsTheViewOfTheOthers() {
    Stage stage("p1/t1: A[1000000,2000000)");
    const auto other = test::captureFromTexts({"p1/t1: X[9000000000,9000100000)"});
    test::showIn(stage.scene, {{1, stage.capture}, {2, other}});
    QCOMPARE(stage.scene.model().sources()[1].shift.value, std::int64_t(1'000'000 - 9'000'000'000));
    stage.window({{1'010'000}, {1'020'000}});
    stage.window({{1'012'000}, {1'014'000}});
    test::showIn(stage.scene, {{2, other}});
    QCOMPARE(stage.range(), (TimeRange{{9'000'012'000}, {9'000'014'000}}));
    stage.scene.change([](ViewWindow& w) { w.undo(); });
    QCOMPARE(stage.range(), (TimeRange{{9'000'010'000}, {9'000'020'000}}));
}

void TestTimelineCanvas::readingAgainKeepsTheView() {
    Stage stage;
    stage.window({{60'000}, {70'000}});
    // The first tracks of the file, without what is in sight.
    const auto part = test::captureFromTexts({"p1/t1: A[0,5000)"});
    part->sealed = false;
    test::showIn(stage.scene, {{1, part}});
    QCOMPARE(stage.range(), (TimeRange{{60'000}, {70'000}}));
    test::showIn(stage.scene, {{1, stage.capture}});
    QCOMPARE(stage.range(), (TimeRange{{60'000}, {70'000}}));
    stage.scene.change([](ViewWindow& w) { w.undo(); });
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestTimelineCanvas::hoverBoxGoesWhenRowsChange() {
    Stage stage;
    const QPoint at = stage.at(25'000, 2, 1);
    // Where the box stands, beside the line at the pointer.
    const auto besidePointer = [&] { return stage.canvas.grab(QRect(at + QPoint(14, 18), QSize(100, 40))).toImage(); };
    const QImage without = besidePointer();
    QTest::mouseMove(&stage.canvas, at);
    QTRY_VERIFY(besidePointer() != without);
    test::showIn(stage.scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                                           "p1/t2: D[50000,60000) E[70000,70010)"})}});
    stage.settle();
    QCOMPARE(besidePointer(), without);
}

void TestTimelineCanvas::hoverGoesWhenAPanelBesideGrows() {
    Stage stage;
    QTest::mouseMove(&stage.canvas, stage.at(25'000, 2, 1));
    stage.canvas.resize(900, 400);
    stage.settle();
    const QImage resized = stage.canvas.grab().toImage();
    stage.canvas.setPointerX(std::nullopt);
    QCOMPARE(resized, stage.canvas.grab().toImage());
}

void TestTimelineCanvas::hoverBoxGoesAndKeysFollowThePointerInADrag() {
    Stage stage;
    const QPoint at = stage.at(25'000, 2, 1);
    const auto besidePointer = [&] { return stage.canvas.grab(QRect(at + QPoint(14, 18), QSize(100, 40))).toImage(); };
    const QImage without = besidePointer();
    // A move to where another test left the pointer would be none.
    QTest::mouseMove(&stage.canvas, at - QPoint(10, 0));
    QTest::mouseMove(&stage.canvas, at);
    QTRY_VERIFY(besidePointer() != without);
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, at);
    QTest::mouseMove(&stage.canvas, at - QPoint(60, 0));
    QTest::mouseMove(&stage.canvas, at - QPoint(150, 0));
    QCOMPARE(besidePointer(), without);
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, at - QPoint(150, 0));
    // What is at the pointer stays there: 10,000 ns at pixel 100.
    stage.canvas.perform(TimelineAction::ZoomIn);
    QCOMPARE(stage.range(), (TimeRange{{2'500}, {77'500}}));
}

void TestTimelineCanvas::flowsBeginBesideTheNameOfTheSlice() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    CanvasLayout layout(stage.scene, stage.canvas.feed());
    layout.setSize(stage.canvas.size());
    const auto own = layout.rectOf(0, 0, stage.selected.slice()->place);
    const auto curves = flowCurves(layout, 0, {}, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QCOMPARE(curves[0].from.y(), own->bottom());
    QVERIFY(curves[0].to.y() > own->bottom());
}

void TestTimelineCanvas::closedCapturesLeaveTheMemory() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    const std::weak_ptr<const TraceStore> trace = stage.capture->ranks[0].trace;
    stage.capture.reset();
    stage.selection.forget(1);
    test::showIn(stage.scene, {});
    stage.settle();
    QTRY_VERIFY(stage.runner.idle());
    QVERIFY(trace.expired());
}

void TestTimelineCanvas::pictureFollowsTheTheme() {
    Stage stage;
    const QPoint empty = stage.at(90'000, 3);
    stage.canvas.setPalette(paletteOf(lightTheme()));
    QCOMPARE(stage.canvas.grab().toImage().pixel(empty), lightTheme().background.rgb());
    stage.canvas.setPalette(paletteOf(darkTheme()));
    QCOMPARE(stage.canvas.grab().toImage().pixel(empty), darkTheme().background.rgb());
}

void TestTimelineCanvas::paintsNothingWithoutCaptures() {
    Stage stage;
    test::showIn(stage.scene, {});
    stage.settle();
    QVERIFY(stage.scene.window().empty());
    QTest::keyClick(&stage.canvas, Qt::Key_W);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {10, 10});
    QTest::mouseMove(&stage.canvas, {20, 20});
    stage.wheel({5, 5}, 120, Qt::ControlModifier);
    QVERIFY(stage.canvas.idle());
}

void TestTimelineCanvas::keysWinOverShortcutsOfTheWindow() {
    Stage stage;
    QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    undo.ignore();
    QApplication::sendEvent(&stage.canvas, &undo);
    QVERIFY(undo.isAccepted());
    QKeyEvent open(QEvent::ShortcutOverride, Qt::Key_O, Qt::ControlModifier);
    open.ignore();
    QApplication::sendEvent(&stage.canvas, &open);
    QVERIFY(!open.isAccepted());
}

void TestTimelineCanvas::highDpiHasDevicePixels() {
    JobRunner runner(2);
    TimelineScene scene(runner);
    PictureFeed feed(scene);
    feed.setCanvas(QSize(501, 100), 1.5, QFont());
    feed.setPalette(makeLanePalette(lightTheme()));
    test::showIn(scene, {{1, test::captureFromTexts({"p1/t1: A[0,1000) B[10,20)"})}});
    scene.setViewportHeight(100);
    QVERIFY(QTest::qWaitFor([&] { return feed.exact(); }));
    QCOMPARE(feed.image().size(), QSize(752, 150));
    const TimelineRow& row = scene.model().rows()[2];
    // Lanes meet without holes whatever the scale.
    const auto first = feed.laneOf(row, PictureKind::Lanes, 0, 2), second = feed.laneOf(row, PictureKind::Lanes, 1, 2);
    QVERIFY(second.top - (first.top + first.height) <= 2);
    runner.shutdown();
}

ALTI_TEST(TestTimelineCanvas)
#include "tst_timeline_canvas.moc"
