#include "tests/support/test_main.h"
#include "views/common/plots/view_window.h"

#include <cmath>

using namespace altiscope;

namespace {

constexpr qint64 kHour = 3'600'000'000'000;
constexpr qint64 kToday = 1'736'408'883'573'888'123;

TimeRange range(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

ViewWindow windowOver(TimeRange run) {
    ViewWindow window;
    window.setExtent(run, run);
    return window;
}

}  // namespace

class TestViewWindow : public QObject {
    Q_OBJECT
private slots:
    void columns_data();
    void columns();
    void columnsAgreeWithIntegers();
    void homeHasMargin_data();
    void homeHasMargin();
    void followsGrowingRunWhileAtHome();
    void keepsWindowThatWasMoved();
    void zoomKeepsTimeUnderPointer_data();
    void zoomKeepsTimeUnderPointer();
    void zoomsFromHoursToOneNanosecondAndBack();
    void zoomAlwaysChangesLength();
    void staysWithinLimits();
    void undoReturnsToIdenticalWindows();
    void historyStaysWithinNewLimits();
    void goesHomeWhenNothingIsLeft();
    void shiftAxisMovesEverything();
    void gestureIsOneStep();
    void historyIsBounded();
    void emptyWindowIgnoresEverything();
};

void TestViewWindow::columns_data() {
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<int>("width");
    QTest::addColumn<qint64>("time");
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("behind");
    QTest::addRow("left edge") << qint64(0) << qint64(100) << 10 << qint64(0) << 0 << 0;
    QTest::addRow("left of the window") << qint64(0) << qint64(100) << 10 << qint64(-1) << -1 << 0;
    QTest::addRow("within a column") << qint64(0) << qint64(100) << 10 << qint64(15) << 1 << 2;
    QTest::addRow("on a border") << qint64(0) << qint64(100) << 10 << qint64(20) << 2 << 2;
    QTest::addRow("last ns") << qint64(0) << qint64(100) << 10 << qint64(99) << 9 << 10;
    QTest::addRow("end of the window") << qint64(0) << qint64(100) << 10 << qint64(100) << 10 << 10;
    QTest::addRow("thirds, on a border") << qint64(0) << qint64(3000) << 1000 << qint64(3) << 1 << 1;
    QTest::addRow("thirds, before it") << qint64(0) << qint64(3000) << 1000 << qint64(2) << 0 << 1;
    QTest::addRow("many pixels a ns") << qint64(0) << qint64(4) << 1000 << qint64(3) << 750 << 750;
    QTest::addRow("stamps of today") << qint64(kToday) << qint64(kToday + 10) << 1000 << qint64(kToday + 7) << 700
                                     << 700;
    QTest::addRow("hours at stamps of today")
        << qint64(kToday) << qint64(kToday + 10 * kHour) << 1000 << qint64(kToday + kHour) << 100 << 100;
    QTest::addRow("a ns before that") << qint64(kToday) << qint64(kToday + 10 * kHour) << 1000
                                      << qint64(kToday + kHour - 1) << 99 << 100;
    QTest::addRow("whole axis") << qint64(-kMaxTimeNs) << qint64(kMaxTimeNs) << 4096 << qint64(0) << 2048 << 2048;
}

void TestViewWindow::columns() {
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(int, width);
    QFETCH(qint64, time);
    const PixelScale scale(range(begin, end), width);
    QTEST(scale.column({time}), "column");
    QTEST(scale.columnAfter({time}), "behind");
}

void TestViewWindow::columnsAgreeWithIntegers() {
    // Windows whose borders are no round doubles; the truth is long division.
    for (const std::int64_t length : {7, 97, 3'001, 999'983}) {
        for (const int width : {1, 3, 641, 1920}) {
            const PixelScale scale(range(kToday, kToday + length), width);
            for (std::int64_t t = 0; t < length; t += std::max<std::int64_t>(length / 500, 1)) {
                QCOMPARE(scale.column({kToday + t}), static_cast<int>(t * width / length));
                QCOMPARE(scale.columnAfter({kToday + t}), static_cast<int>((t * width + length - 1) / length));
            }
        }
    }
}

void TestViewWindow::homeHasMargin_data() {
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<qint64>("homeBegin");
    QTest::addColumn<qint64>("homeEnd");
    QTest::addRow("a hundredth on either side") << qint64(1'000) << qint64(11'000) << qint64(900) << qint64(11'100);
    QTest::addRow("at least 5 ns") << qint64(100) << qint64(120) << qint64(95) << qint64(125);
    QTest::addRow("one instant") << kToday << kToday << kToday - 5 << kToday + 5;
    QTest::addRow("at the ends of time") << qint64(-kMaxTimeNs) << qint64(kMaxTimeNs) << qint64(-kMaxTimeNs)
                                         << qint64(kMaxTimeNs);
}

void TestViewWindow::homeHasMargin() {
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(qint64, homeBegin);
    QFETCH(qint64, homeEnd);
    const ViewWindow window = windowOver(range(begin, end));
    QCOMPARE(window.home(), range(homeBegin, homeEnd));
    QCOMPARE(window.range(), window.home());
}

void TestViewWindow::followsGrowingRunWhileAtHome() {
    ViewWindow window = windowOver(range(0, 1'000));
    window.setExtent(range(0, 100'000), range(0, 100'000));
    QCOMPARE(window.range(), range(-1'000, 101'000));
}

void TestViewWindow::keepsWindowThatWasMoved() {
    ViewWindow window = windowOver(range(0, 1'000));
    window.show(range(100, 200), HistoryMark::NewStep);
    window.setExtent(range(0, 100'000), range(0, 100'000));
    QCOMPARE(window.range(), range(100, 200));
}

void TestViewWindow::zoomKeepsTimeUnderPointer_data() {
    QTest::addColumn<double>("fraction");
    QTest::addColumn<double>("factor");
    for (const double fraction : {0.0, 0.25, 0.5, 1.0}) {
        for (const double factor : {0.5, 0.8, 1.25}) {
            QTest::addRow("at %g by %g", fraction, factor) << fraction << factor;
        }
    }
}

void TestViewWindow::zoomKeepsTimeUnderPointer() {
    QFETCH(double, fraction);
    QFETCH(double, factor);
    ViewWindow window = windowOver(range(kToday, kToday + kHour));
    window.show(range(kToday + 1'000'000, kToday + 2'000'000), HistoryMark::NewStep);
    const double before = 1'000'000 + fraction * 1'000'000;
    window.zoomAt(fraction, factor, HistoryMark::NewStep);
    const double length = static_cast<double>(window.range().length().value);
    const double after = static_cast<double>(window.range().begin.value - kToday) + fraction * length;
    QCOMPARE(window.range().length().value, std::int64_t(std::llround(1'000'000 * factor)));
    QVERIFY(std::abs(after - before) <= 1);
}

void TestViewWindow::zoomsFromHoursToOneNanosecondAndBack() {
    ViewWindow window = windowOver(range(kToday, kToday + 100 * kHour));
    const TimeRange home = window.range();
    const PixelScale scale(home, 1'000);
    const TimeNs target = scale.timeAt(333);
    for (int i = 0; i < 500 && window.range().length().value > 1; ++i)
        window.zoomAt(0.333, 0.75, HistoryMark::Continue);
    QCOMPARE(window.range().length().value, std::int64_t(1));
    // The pointer's time stayed within the pixel of the first window.
    QVERIFY(std::abs((window.range().begin - target).value) <= home.length().value / 1'000);
    for (int i = 0; i < 500; ++i) window.zoomAt(0.333, 1 / 0.75, HistoryMark::Continue);
    QCOMPARE(window.range(), home);
}

void TestViewWindow::zoomAlwaysChangesLength() {
    ViewWindow window = windowOver(range(0, 1'000));
    window.show(range(10, 13), HistoryMark::NewStep);
    window.zoomAt(0.5, 0.95, HistoryMark::NewStep);
    QCOMPARE(window.range().length().value, std::int64_t(2));
    window.zoomAt(0.5, 1.05, HistoryMark::NewStep);
    QCOMPARE(window.range().length().value, std::int64_t(3));
    window.zoomAt(0.5, 1, HistoryMark::NewStep);
    QCOMPARE(window.range().length().value, std::int64_t(3));
}

void TestViewWindow::staysWithinLimits() {
    ViewWindow window;
    // An event far away from the run: the view opens on the run, but the event can be reached.
    window.setExtent(range(kToday, kToday + 1'000), range(0, kToday + 1'000));
    QCOMPARE(window.range().begin.value, kToday - 10);
    window.show(range(0, 1'000), HistoryMark::NewStep);
    QCOMPARE(window.range(), range(0, 1'000));
    window.panBy(-1e18, HistoryMark::NewStep);
    QCOMPARE(window.range().begin, window.limits().begin);
    QCOMPARE(window.range().length().value, std::int64_t(1'000));
    window.panBy(1e18, HistoryMark::NewStep);
    QCOMPARE(window.range().end, window.limits().end);
    window.zoomAt(0.5, 1e30, HistoryMark::NewStep);
    QCOMPARE(window.range(), window.limits());
}

void TestViewWindow::undoReturnsToIdenticalWindows() {
    ViewWindow window = windowOver(range(kToday, kToday + kHour));
    std::vector<TimeRange> seen{window.range()};
    for (const double factor : {0.5, 0.37, 0.01, 2.0}) {
        window.zoomAt(0.123, factor, HistoryMark::NewStep);
        seen.push_back(window.range());
        window.panBy(0.07, HistoryMark::NewStep);
        seen.push_back(window.range());
    }
    for (std::size_t i = seen.size() - 1; i > 0; --i) {
        QVERIFY(window.canUndo());
        window.undo();
        QCOMPARE(window.range(), seen[i - 1]);
    }
    QVERIFY(!window.canUndo());
    for (std::size_t i = 1; i < seen.size(); ++i) {
        window.redo();
        QCOMPARE(window.range(), seen[i]);
    }
    QVERIFY(!window.canRedo());
}

void TestViewWindow::historyStaysWithinNewLimits() {
    ViewWindow window;
    window.setExtent({{0}, {100'000}}, {{0}, {100'000}});
    window.show({{80'000}, {90'000}}, HistoryMark::NewStep);
    window.show({{20'000}, {60'000}}, HistoryMark::NewStep);
    window.show({{10'000}, {20'000}}, HistoryMark::NewStep);
    // What lay behind 40,000 is closed.
    window.setExtent({{0}, {40'000}}, {{0}, {40'000}});
    QCOMPARE(window.range(), (TimeRange{{10'000}, {20'000}}));
    window.undo();
    QVERIFY(window.range().begin >= window.limits().begin && window.range().end <= window.limits().end);
    QCOMPARE(window.range().length().value, std::int64_t(40'000));
    window.undo();
    QVERIFY(window.range().begin >= window.limits().begin && window.range().end <= window.limits().end);
    QVERIFY(!window.canUndo());
    window.redo();
    window.redo();
    QCOMPARE(window.range(), (TimeRange{{10'000}, {20'000}}));
}

void TestViewWindow::goesHomeWhenNothingIsLeft() {
    ViewWindow window;
    window.setExtent({{0}, {100'000}}, {{0}, {100'000}});
    window.show({{80'000}, {90'000}}, HistoryMark::NewStep);
    window.setExtent({{0}, {40'000}}, {{0}, {40'000}});
    QCOMPARE(window.range(), window.home());
}

void TestViewWindow::shiftAxisMovesEverything() {
    ViewWindow window;
    window.setExtent({{0}, {100'000}}, {{0}, {100'000}});
    window.show({{80'000}, {90'000}}, HistoryMark::NewStep);
    window.show({{10'000}, {20'000}}, HistoryMark::NewStep);
    window.shiftAxis({1'000'000});
    window.setExtent({{1'000'000}, {1'100'000}}, {{1'000'000}, {1'100'000}});
    QCOMPARE(window.range(), (TimeRange{{1'010'000}, {1'020'000}}));
    window.undo();
    QCOMPARE(window.range(), (TimeRange{{1'080'000}, {1'090'000}}));
    window.redo();
    QCOMPARE(window.range(), (TimeRange{{1'010'000}, {1'020'000}}));
}

void TestViewWindow::gestureIsOneStep() {
    ViewWindow window = windowOver(range(0, 1'000'000));
    const TimeRange home = window.range();
    window.zoomAt(0.5, 0.8, HistoryMark::NewStep);
    window.zoomAt(0.5, 0.8, HistoryMark::Continue);
    window.zoomAt(0.5, 0.8, HistoryMark::Continue);
    window.undo();
    QCOMPARE(window.range(), home);
    // A new change forgets what was undone.
    window.zoomAt(0.2, 0.5, HistoryMark::NewStep);
    QVERIFY(!window.canRedo());
}

void TestViewWindow::historyIsBounded() {
    ViewWindow window = windowOver(range(0, 1'000'000));
    for (int i = 0; i < 1'000; ++i) window.show(range(i, i + 500), HistoryMark::NewStep);
    int steps = 0;
    for (; window.canUndo(); ++steps) window.undo();
    QCOMPARE(steps, static_cast<int>(ViewWindow::kHistory));
}

void TestViewWindow::emptyWindowIgnoresEverything() {
    ViewWindow window;
    window.zoomAt(0.5, 0.5, HistoryMark::NewStep);
    window.panBy(1, HistoryMark::NewStep);
    window.show(range(0, 10), HistoryMark::NewStep);
    QVERIFY(window.empty());
    QVERIFY(!window.canUndo());
}

ALTI_TEST(TestViewWindow)
#include "tst_view_window.moc"
