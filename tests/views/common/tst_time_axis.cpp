#include "tests/support/test_main.h"
#include "views/common/plots/time_axis.h"

using namespace altiscope;

namespace {

std::optional<TimeRange> run(std::int64_t begin, std::int64_t end) { return TimeRange{{begin}, {end}}; }

std::vector<std::int64_t> values(const std::vector<DurationNs>& shifts) {
    std::vector<std::int64_t> numbers;
    for (const DurationNs shift : shifts) numbers.push_back(shift.value);
    return numbers;
}

}  // namespace

class TestTimeAxis : public QObject {
    Q_OBJECT
private slots:
    void stepIsOneTwoFive_data();
    void stepIsOneTwoFive();
    void minorParts_data();
    void minorParts();
    void ticksCountFromOrigin();
    void labelsDoNotTouchTheEdge_data();
    void labelsDoNotTouchTheEdge();
    void overlappingCapturesKeepTheirDistance();
    void unrelatedCapturesGetACommonStart();
    void chainsOfOverlapsStayTogether();
    void capturesWithoutEventsAreNotMoved();
    void originIsTheBeginOfTheCommonAxis();
    void shiftsAreKeptWithinTime();
};

void TestTimeAxis::labelsDoNotTouchTheEdge_data() {
    QTest::addColumn<double>("tick");
    QTest::addColumn<double>("left");
    QTest::addRow("in the middle") << 500.0 << 480.0;
    QTest::addRow("at the right side") << 995.0 << 952.0;
    QTest::addRow("at the left side") << 3.0 << 8.0;
}

/// Of a tick near the end the last figure stood at the side of the canvas.
void TestTimeAxis::labelsDoNotTouchTheEdge() {
    QFETCH(double, tick);
    QTEST(tickLabelLeft(tick, 40, 1000), "left");
}

void TestTimeAxis::stepIsOneTwoFive_data() {
    QTest::addColumn<qint64>("length");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("spacing");
    QTest::addColumn<qint64>("step");
    QTest::addRow("exactly") << qint64(1'000) << 1000.0 << 100.0 << qint64(100);
    QTest::addRow("next of 1 2 5") << qint64(1'000) << 1000.0 << 101.0 << qint64(200);
    QTest::addRow("then 5") << qint64(1'000) << 1000.0 << 201.0 << qint64(500);
    QTest::addRow("never below 1 ns") << qint64(1) << 4000.0 << 100.0 << qint64(1);
    QTest::addRow("hours") << qint64(36'000'000'000'000) << 1000.0 << 100.0 << qint64(5'000'000'000'000);
    QTest::addRow("the longest window") << (qint64(1) << 62) << 100.0 << 100.0 << qint64(1'000'000'000'000'000'000);
}

void TestTimeAxis::stepIsOneTwoFive() {
    QFETCH(qint64, length);
    QFETCH(double, width);
    QFETCH(double, spacing);
    QTEST(static_cast<qint64>(tickStep({length}, width, spacing).value), "step");
}

void TestTimeAxis::minorParts_data() {
    QTest::addColumn<qint64>("step");
    QTest::addColumn<int>("parts");
    QTest::addRow("1") << qint64(1) << 1;
    QTest::addRow("2") << qint64(2) << 1;
    QTest::addRow("5") << qint64(5) << 5;
    QTest::addRow("10") << qint64(10) << 5;
    QTest::addRow("200") << qint64(200) << 4;
    QTest::addRow("500") << qint64(500) << 5;
}

void TestTimeAxis::minorParts() {
    QFETCH(qint64, step);
    QTEST(altiscope::minorParts({step}), "parts");
}

void TestTimeAxis::ticksCountFromOrigin() {
    const std::vector<TimeNs> ticks = ticksWithin({{1'000'000'030}, {1'000'000'065}}, {1'000'000'007}, {10});
    const std::vector<TimeNs> expected{{1'000'000'037}, {1'000'000'047}, {1'000'000'057}};
    QCOMPARE(ticks, expected);
    const std::vector<TimeNs> before = ticksWithin({{-25}, {1}}, {0}, {10});
    const std::vector<TimeNs> expectedBefore{{-20}, {-10}, {0}};
    QCOMPARE(before, expectedBefore);
}

void TestTimeAxis::overlappingCapturesKeepTheirDistance() {
    QCOMPARE(values(alignCaptures({run(100, 200), run(150, 300)})), (std::vector<std::int64_t>{0, 0}));
}

void TestTimeAxis::unrelatedCapturesGetACommonStart() {
    QCOMPARE(values(alignCaptures({run(1'000, 2'000), run(50, 70), run(9'000, 9'001)})),
             (std::vector<std::int64_t>{0, 950, -8'000}));
    // Touching is no overlap.
    QCOMPARE(values(alignCaptures({run(0, 100), run(100, 200)})), (std::vector<std::int64_t>{0, -100}));
}

void TestTimeAxis::chainsOfOverlapsStayTogether() {
    // The third overlaps with the second, which overlaps with the first; the fourth and fifth are another run.
    QCOMPARE(values(alignCaptures({run(0, 100), run(90, 200), run(190, 300), run(1'000, 1'100), run(1'050, 1'200)})),
             (std::vector<std::int64_t>{0, 0, 0, -1'000, -1'000}));
}

void TestTimeAxis::capturesWithoutEventsAreNotMoved() {
    QCOMPARE(values(alignCaptures({std::nullopt, run(10, 20), std::nullopt, run(30, 40)})),
             (std::vector<std::int64_t>{0, 0, 0, -20}));
    QCOMPARE(values(alignCaptures({})), std::vector<std::int64_t>());
}

void TestTimeAxis::originIsTheBeginOfTheCommonAxis() {
    // Overlapping: both count from the begin of the one that is shown, as its pages do. Apart: each from its own.
    QCOMPARE(originOf(1, 0, {run(100, 300), run(200, 400)}).value, std::int64_t(100));
    QCOMPARE(originOf(0, 1, {run(100, 300), run(200, 400)}).value, std::int64_t(200));
    QCOMPARE(originOf(1, 0, {run(100, 300), run(1'000, 1'100)}).value, std::int64_t(1'000));
    QCOMPARE(originOf(0, 0, {std::nullopt}).value, std::int64_t(0));
    QVERIFY(areOnOneAxis(0, 2, {run(0, 100), run(90, 200), run(190, 300)}));
    QVERIFY(!areOnOneAxis(0, 1, {run(0, 100), run(100, 200)}));
    QVERIFY(!areOnOneAxis(0, 1, {run(0, 100), std::nullopt}));
}

void TestTimeAxis::shiftsAreKeptWithinTime() {
    QCOMPARE(shifted(TimeNs{5}, {7}).value, std::int64_t(12));
    QCOMPARE(shifted(TimeNs{kMaxTimeNs}, {kMaxTimeNs}).value, kMaxTimeNs);
    QCOMPARE(shifted(TimeNs{-kMaxTimeNs}, {-1}).value, -kMaxTimeNs);
}

ALTI_TEST(TestTimeAxis)
#include "tst_time_axis.moc"
