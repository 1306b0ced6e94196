#include "tests/support/test_main.h"
#include "views/common/plots/gesture_canvas.h"
#include "views/common/plots/view_history.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

using namespace altiscope;

namespace {

/// 1,000 pixels over 100,000 ns of a longer run, so that a pixel is 100 ns; it notes what gestures mean.
class NotingCanvas : public GestureCanvas {
public:
    explicit NotingCanvas(bool marks = true, bool scrolls = false) : m_marks(marks), m_scrolls(scrolls) {
        resize(1000, 100);
        window.setExtent({{-1'000'000}, {1'000'000}}, {{-1'000'000}, {1'000'000}});
        window.show({{0}, {100'000}}, HistoryMark::NewStep);
        show();
    }

    void wheel(QPoint turned, Qt::KeyboardModifiers modifiers = {}) {
        const QPointF at(250, 50);
        QWheelEvent event(at, mapToGlobal(at), {}, turned, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(this, &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(this, button, modifiers, from);
        move(to);
        QTest::mouseRelease(this, button, modifiers, to);
    }
    void move(QPoint to) {
        QMouseEvent event(QEvent::MouseMove, to, mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(this, &event);
    }
    TimeRange range() const { return window.range(); }

    ViewWindow window;
    QList<QPoint> clicks;
    QList<QRect> marked;
    int scrolled = 0;

protected:
    const ViewWindow* timeWindow() const override { return &window; }
    void changeTime(const WindowChange& change) override { change(window); }
    bool canMark() const override { return m_marks; }
    bool scroll(QWheelEvent&) override {
        scrolled += m_scrolls ? 1 : 0;
        return m_scrolls;
    }
    void clickAt(const QPoint& at) override { clicks << at; }
    void mark(const QRect& box) override { marked << box; }

private:
    bool m_marks, m_scrolls;
};

}  // namespace

/// Wheel, keys and drags, which are alike on all canvases.
class TestGestureCanvas : public QObject {
    Q_OBJECT
private slots:
    void theWheelZoomsAtThePointer();
    void whereRowsScrollTheWheelZoomsWithControlOnly();
    void aTiltedWheelAndShiftPan();
    void keysZoomAndPanByTheSameAmountsEverywhere();
    void aShortWayIsAClick();
    void aDragMarks();
    void aDragPansWhereNothingIsMarked();
    void controlAndTheMiddleButtonPan();
    void aBoxIsZoomedTo_data();
    void aBoxIsZoomedTo();
    void aSliverIsNotZoomedTo();
    void escapeGivesUpADrag_data();
    void escapeGivesUpADrag();
    void oneGestureIsOneStepBack();
    void aStepThatALimitPreventedIsNone();
};

void TestGestureCanvas::theWheelZoomsAtThePointer() {
    for (const auto modifiers : {Qt::NoModifier, Qt::ControlModifier}) {
        NotingCanvas canvas;
        canvas.wheel({0, 120}, modifiers);
        QCOMPARE(canvas.range(), (TimeRange{{5'000}, {85'000}}));
    }
}

void TestGestureCanvas::whereRowsScrollTheWheelZoomsWithControlOnly() {
    NotingCanvas canvas(true, true);
    canvas.wheel({0, 120});
    QCOMPARE(canvas.scrolled, 1);
    QCOMPARE(canvas.range().length().value, 100'000);
    canvas.wheel({0, 120}, Qt::ControlModifier);
    QCOMPARE(canvas.scrolled, 1);
    QCOMPARE(canvas.range().length().value, 80'000);
}

/// A chart zoomed by Shift and the wheel, which moved all other canvases.
void TestGestureCanvas::aTiltedWheelAndShiftPan() {
    NotingCanvas canvas(true, true);
    canvas.wheel({0, -120}, Qt::ShiftModifier);
    QCOMPARE(canvas.range(), (TimeRange{{10'000}, {110'000}}));
    canvas.wheel({120, 10});
    QCOMPARE(canvas.range(), (TimeRange{{0}, {100'000}}));
    QCOMPARE(canvas.scrolled, 0);
}

/// A key zoomed to 0.75 of the timeline, to 0.7 of curves and to 0.8 of flame graphs, and moved by 0.1 or 0.2.
void TestGestureCanvas::keysZoomAndPanByTheSameAmountsEverywhere() {
    NotingCanvas canvas;
    canvas.move({250, 50});
    QTest::keyClick(&canvas, Qt::Key_W);
    QCOMPARE(canvas.range(), (TimeRange{{6'250}, {81'250}}));
    QTest::keyClick(&canvas, Qt::Key_D);
    QCOMPARE(canvas.range(), (TimeRange{{13'750}, {88'750}}));
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QCOMPARE(canvas.range(), (TimeRange{{0}, {100'000}}));
    QTest::keyClick(&canvas, Qt::Key_Backspace, Qt::ShiftModifier);
    QCOMPARE(canvas.range(), (TimeRange{{6'250}, {81'250}}));
    QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
    QVERIFY(canvas.window.atHome());
}

void TestGestureCanvas::aShortWayIsAClick() {
    const int near = QApplication::startDragDistance() - 1;
    for (const auto modifiers : {Qt::NoModifier, Qt::ShiftModifier}) {
        NotingCanvas canvas;
        canvas.drag({100, 50}, {100 + near, 50}, modifiers);
        QCOMPARE(canvas.clicks.size(), 1);
        QVERIFY(canvas.marked.isEmpty());
        QCOMPARE(canvas.range().begin.value, 0);
    }
    NotingCanvas canvas;
    QTest::mouseClick(&canvas, Qt::RightButton, {}, {100, 50});
    QTest::mouseClick(&canvas, Qt::MiddleButton, {}, {100, 50});
    QVERIFY(canvas.clicks.isEmpty());
    QTest::mouseClick(&canvas, Qt::LeftButton, Qt::ControlModifier, {100, 50});
    QCOMPARE(canvas.clicks.size(), 1);
}

void TestGestureCanvas::aDragMarks() {
    NotingCanvas canvas;
    canvas.drag({300, 20}, {100, 60});
    QCOMPARE(canvas.marked, QList<QRect>{QRect(100, 0, 200, 100)});
    // To the border and not beyond.
    canvas.drag({900, 20}, {2'000, 60});
    QCOMPARE(canvas.marked.last(), QRect(900, 0, 100, 100));
    QVERIFY(canvas.clicks.isEmpty());
}

void TestGestureCanvas::aDragPansWhereNothingIsMarked() {
    NotingCanvas canvas(false);
    canvas.drag({300, 20}, {100, 60});
    QCOMPARE(canvas.range(), (TimeRange{{20'000}, {120'000}}));
    QVERIFY(canvas.marked.isEmpty());
}

void TestGestureCanvas::controlAndTheMiddleButtonPan() {
    for (const bool isMiddle : {false, true}) {
        NotingCanvas canvas;
        canvas.drag({100, 20}, {103, 20}, isMiddle ? Qt::NoModifier : Qt::ControlModifier,
                    isMiddle ? Qt::MiddleButton : Qt::LeftButton);
        QCOMPARE(canvas.range(), (TimeRange{{-300}, {99'700}}));
        QVERIFY(canvas.clicks.isEmpty());
        QCOMPARE(canvas.cursor().shape(), Qt::ArrowCursor);
    }
}

void TestGestureCanvas::aBoxIsZoomedTo_data() {
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("Shift") << Qt::KeyboardModifiers(Qt::ShiftModifier);
    QTest::newRow("Alt") << Qt::KeyboardModifiers(Qt::AltModifier);
}

void TestGestureCanvas::aBoxIsZoomedTo() {
    QFETCH(Qt::KeyboardModifiers, modifiers);
    NotingCanvas canvas;
    canvas.drag({600, 90}, {200, 10}, modifiers);
    QCOMPARE(canvas.range(), (TimeRange{{20'000}, {60'000}}));
    QVERIFY(canvas.marked.isEmpty() && canvas.clicks.isEmpty());
}

void TestGestureCanvas::aSliverIsNotZoomedTo() {
    NotingCanvas canvas;
    canvas.drag({200, 10}, {202, 90}, Qt::ShiftModifier);
    QCOMPARE(canvas.range(), (TimeRange{{0}, {100'000}}));
}

void TestGestureCanvas::escapeGivesUpADrag_data() {
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("mark") << Qt::KeyboardModifiers();
    QTest::newRow("box") << Qt::KeyboardModifiers(Qt::ShiftModifier);
    QTest::newRow("pan") << Qt::KeyboardModifiers(Qt::ControlModifier);
}

/// Escape left a view where a drag had moved it to, and did nothing on charts, maps, ranks and flame graphs.
void TestGestureCanvas::escapeGivesUpADrag() {
    QFETCH(Qt::KeyboardModifiers, modifiers);
    NotingCanvas canvas;
    QTest::mousePress(&canvas, Qt::LeftButton, modifiers, {100, 50});
    canvas.move({300, 50});
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(canvas.cursor().shape(), Qt::ArrowCursor);
    canvas.move({400, 50});
    QTest::mouseRelease(&canvas, Qt::LeftButton, modifiers, {400, 50});
    QCOMPARE(canvas.range(), (TimeRange{{0}, {100'000}}));
    QVERIFY(canvas.marked.isEmpty() && canvas.clicks.isEmpty());
}

/// Turns of the wheel over curves went back together with the key before them; a drag had no step at all.
void TestGestureCanvas::oneGestureIsOneStepBack() {
    NotingCanvas canvas;
    QTest::keyClick(&canvas, Qt::Key_D);
    for (int turn = 0; turn < 3; ++turn) canvas.wheel({0, 120});
    const TimeRange zoomed = canvas.range();
    canvas.drag({100, 20}, {200, 20}, Qt::ControlModifier);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QCOMPARE(canvas.range(), zoomed);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QCOMPARE(canvas.range(), (TimeRange{{10'000}, {110'000}}));
}

void TestGestureCanvas::aStepThatALimitPreventedIsNone() {
    ViewHistory<int> history;
    history.remember(1, HistoryMark::NewStep);
    history.remember(2, HistoryMark::NewStep);
    QCOMPARE(history.previous(2), 1);
    QCOMPARE(history.next(1), 2);
    QCOMPARE(history.next(2), 2);
    QCOMPARE(history.previous(2), 1);
    // Continued, and another way taken: there is no way forward.
    history.remember(1, HistoryMark::NewStep);
    history.remember(5, HistoryMark::Continue);
    QCOMPARE(history.next(7), 7);
    QCOMPARE(history.previous(7), 1);
}

ALTI_TEST(TestGestureCanvas)
#include "tst_gesture_canvas.moc"
