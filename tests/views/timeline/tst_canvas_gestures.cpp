#include "tests/support/test_main.h"
#include "tests/views/timeline/canvas_stage.h"

#include <QSignalSpy>

using namespace altiscope;
using altiscope::test::Stage;

namespace {

/// As windows get it: QTest sends the second click alone.
void doubleClick(QWidget& widget, QPoint at) {
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    QTest::mouseDClick(&widget, Qt::LeftButton, {}, at);
}

}  // namespace

/// Keys, wheel and mouse over the canvas, and what they leave.
class TestCanvasGestures : public QObject {
    Q_OBJECT
private slots:
    void keysZoomAndPan();
    void wheelZoomsAtPointer();
    void wheelScrollsAndPans();
    void clickSelects();
    void clickBesideClears();
    void aClickOnACollapsedRankLeadsSomewhere();
    void aRankIsNotExpandedBeforeItsPictureIsThere();
    void aDoubleClickOnACollapsedRankExpandsIt();
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
    void keysBeginWithTheFirstSliceInSight();
    void hoverBoxGoesWhenRowsChange();
    void hoverGoesWhenAPanelBesideGrows();
    void hoverBoxGoesAndKeysFollowThePointerInADrag();
    void keysWinOverShortcutsOfTheWindow();
};

void TestCanvasGestures::keysZoomAndPan() {
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

void TestCanvasGestures::wheelZoomsAtPointer() {
    Stage stage;
    stage.wheel({250, 100}, 120, Qt::ControlModifier);
    QCOMPARE(stage.range().length().value, std::int64_t(80'000));
    // 25,000 ns stays under pixel 250.
    QCOMPARE(stage.range().begin.value, std::int64_t(5'000));
    stage.wheel({250, 100}, -120, Qt::ControlModifier);
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestCanvasGestures::wheelScrollsAndPans() {
    Stage stage;
    stage.canvas.resize(1000, 60);
    stage.settle();
    stage.wheel({10, 10}, -120, Qt::NoModifier);
    QVERIFY(stage.scene.viewport().scrollTop() > 0);
    stage.wheel({10, 10}, 1200, Qt::NoModifier);
    QCOMPARE(stage.scene.viewport().scrollTop(), std::int64_t(0));
    stage.window({{20'000}, {40'000}});
    stage.wheel({10, 10}, -120, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{22'000}, {42'000}}));
}

void TestCanvasGestures::clickSelects() {
    Stage stage;
    QSignalSpy changed(&stage.selection, &Selection::changed);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    QCOMPARE(stage.name(), std::string("B"));
    QCOMPARE(changed.count(), 1);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QCOMPARE(stage.name(), std::string("C"));
    QCOMPARE(stage.selection.current().capture, CaptureId{1});
    // Narrower than a pixel, hit from beside it.
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(70'000, 3) + QPoint(2, 0));
    QCOMPARE(stage.name(), std::string("E"));
}

void TestCanvasGestures::clickBesideClears() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2));
    QVERIFY(stage.selected.slice());
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(90'000, 3));
    QVERIFY(!stage.selected.slice());
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {500, 390});
    QVERIFY(!stage.selected.slice());
}

/// A click beside the thin strips of a preview did nothing.
void TestCanvasGestures::aClickOnACollapsedRankLeadsSomewhere() {
    Stage stage;
    const auto rankRow = [&] { return stage.scene.model().rows().front(); };
    QCOMPARE(rankRow().kind, TimelineRowKind::Rank);
    stage.scene.setExpanded(0, false);
    stage.settle();
    const auto at = [&](std::int64_t ns, int y) {
        return QPoint(static_cast<int>(PixelScale(stage.range(), stage.canvas.width()).x({ns})), y);
    };
    // Any height of the row takes the slice that is there.
    for (int y = 0; y < rankRow().height; ++y) {
        stage.selected.clear();
        QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, at(30'000, y));
        stage.settle();
        QCOMPARE(stage.name(), std::string("A"));
    }
    QVERIFY(!rankRow().expanded);
    // Nothing is there: the row expands.
    stage.window({{100'010}, {200'000}});
    QTest::mouseMove(&stage.canvas, at(150'000, 5));
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, at(150'000, 5));
    stage.settle();
    QVERIFY(rankRow().expanded && stage.name().empty());
    // Beside the slices of what is expanded a click only clears.
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, at(150'000, 5));
    stage.settle();
    QVERIFY(rankRow().expanded);
}

/// Soon after a capture was opened a click on a slice of a collapsed rank expanded the rank.
void TestCanvasGestures::aRankIsNotExpandedBeforeItsPictureIsThere() {
    Stage stage;
    stage.scene.setExpanded(0, false);
    const QPoint slice(300, 5);
    QTest::mouseMove(&stage.canvas, slice);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, slice);
    QVERIFY(!stage.scene.model().rows().front().expanded);
    stage.settle();
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, slice);
    QCOMPARE(stage.name(), std::string("A"));
}

/// The second click of a double click on a collapsed rank took, or left, what the first one had brought there.
void TestCanvasGestures::aDoubleClickOnACollapsedRankExpandsIt() {
    Stage stage;
    stage.scene.setExpanded(0, false);
    stage.window({{100'010}, {200'000}});
    const TimeRange before = stage.range();
    doubleClick(stage.canvas, QPoint(995, 5));
    stage.settle();
    QVERIFY(stage.scene.model().rows().front().expanded && stage.name().empty());
    QCOMPARE(stage.range(), before);
}

void TestCanvasGestures::doubleClickZooms() {
    Stage stage;
    const QSignalSpy clicked(&stage.canvas, &TimelineCanvas::sliceClicked);
    doubleClick(stage.canvas, stage.at(55'000, 3));
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(stage.name(), std::string("D"));
    QCOMPARE(stage.range(), (TimeRange{{49'500}, {60'500}}));
}

void TestCanvasGestures::dragMarksRange() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&stage.canvas, {150, 120});
    QVERIFY(!stage.selection.current().range);
    QTest::mouseMove(&stage.canvas, {300, 120});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {300, 120});
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{10'000}, {30'000}}));
    QCOMPARE(stage.selection.current().capture, CaptureId{1});
    // From right to left is the same.
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {300, 100});
    QTest::mouseMove(&stage.canvas, {200, 100});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {50, 100});
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{5'000}, {30'000}}));
    // A drag over the edge ends at the edge.
    stage.canvas.dragRange(900, 5'000, true);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{90'000}, {100'000}}));
}

void TestCanvasGestures::altDragZoomsToBox() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {200, 50});
    QTest::mouseMove(&stage.canvas, {400, 90});
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, Qt::AltModifier, {600, 90});
    QCOMPARE(stage.range(), (TimeRange{{20'000}, {60'000}}));
    QVERIFY(!stage.selection.current().range);
}

void TestCanvasGestures::ctrlDragPans() {
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

void TestCanvasGestures::escapeStopsADrag() {
    Stage stage;
    QTest::mousePress(&stage.canvas, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&stage.canvas, {300, 100});
    QTest::keyClick(&stage.canvas, Qt::Key_Escape);
    QTest::mouseRelease(&stage.canvas, Qt::LeftButton, {}, {300, 100});
    QVERIFY(!stage.selection.current().range);
}

void TestCanvasGestures::rangeOfSlice() {
    Stage stage;
    QSignalSpy reported(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(reported.count(), 1);
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

void TestCanvasGestures::zoomToSelection() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    QTest::keyClick(&stage.canvas, Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{8'500}, {41'500}}));
    stage.selected.markRange({{1'000}, {2'000}}, 0);
    QTest::keyClick(&stage.canvas, Qt::Key_Z, Qt::ShiftModifier);
    QCOMPARE(stage.range(), (TimeRange{{1'000}, {2'000}}));
}

void TestCanvasGestures::undoViewIsIdentical() {
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

void TestCanvasGestures::followsFlows() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QCOMPARE(stage.selected.slice()->flows.size(), std::size_t(1));
    QTest::keyClick(&stage.canvas, Qt::Key_BracketRight);
    QCOMPARE(stage.name(), std::string("D"));
    QSignalSpy reported(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_BracketRight);
    QTRY_COMPARE(reported.count(), 1);
    QCOMPARE(stage.name(), std::string("D"));
    QTest::keyClick(&stage.canvas, Qt::Key_BracketLeft);
    QCOMPARE(stage.name(), std::string("C"));
}

void TestCanvasGestures::walksSlices() {
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

/// Nobody without a mouse could select a slice that no table had.
void TestCanvasGestures::keysBeginWithTheFirstSliceInSight() {
    Stage stage;
    QTest::keyClick(&stage.canvas, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("A"));
    stage.selected.clear();
    // The slice on the topmost row is not in sight: D is, below it.
    test::showIn(stage.scene,
                 {{1, test::captureFromTexts({"p1/t1: A[0,1000)\np1/t2: D[50000,60000) E[70000,70010)"})}});
    stage.window({{40'000}, {100'000}});
    QTest::keyClick(&stage.canvas, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("D"));
    QTest::keyClick(&stage.canvas, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(stage.name(), std::string("E"));
    stage.selected.clear();
    stage.window({{2'000}, {40'000}});
    QSignalSpy reported(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(reported.count(), 1);
    QVERIFY(!stage.selected.slice());
}

void TestCanvasGestures::hoverBoxGoesWhenRowsChange() {
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

void TestCanvasGestures::hoverGoesWhenAPanelBesideGrows() {
    Stage stage;
    QTest::mouseMove(&stage.canvas, stage.at(25'000, 2, 1));
    stage.canvas.resize(900, 400);
    stage.settle();
    const QImage resized = stage.canvas.grab().toImage();
    stage.canvas.setPointerX(std::nullopt);
    QCOMPARE(resized, stage.canvas.grab().toImage());
}

void TestCanvasGestures::hoverBoxGoesAndKeysFollowThePointerInADrag() {
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

void TestCanvasGestures::keysWinOverShortcutsOfTheWindow() {
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

ALTI_TEST(TestCanvasGestures)
#include "tst_canvas_gestures.moc"
