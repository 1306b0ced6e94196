#include "views/overview/page/step_marks.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Steps 5 and 6 of two ranks: [1000, 2000) and [3000, 5000) of the first, 100 later of the second; 7 has no time.
StepSheet sheet() {
    auto store = std::make_shared<CaptureStore>();
    for (const std::int64_t late : {0, 100}) {
        RankEntry& rank = store->ranks.emplace_back();
        rank.steps = {{5, TimeRange{{1000 + late}, {2000 + late}}},
                      {6, TimeRange{{3000 + late}, {4900 + late}}},
                      {7, std::nullopt}};
    }
    return {.capture = store, .times = {}, .ranks = {{0, {}}, {1, {}}}, .steps = {5, 6, 7}};
}

Mark mark(std::int64_t begin, std::int64_t end) { return {{{begin}, {end}}, u"here"_s, u"why"_s, 3}; }

}  // namespace

class TestStepMarks : public QObject {
    Q_OBJECT
private slots:
    void timesHaveTheirPlaces_data();
    void timesHaveTheirPlaces();
    void theMarkedRangeHasNoHue();
    void whatLiesOutsideIsLeftOut();
    void withoutTimesThereAreNoPlaces();
};

void TestStepMarks::timesHaveTheirPlaces_data() {
    QTest::addColumn<qint64>("time");
    QTest::addColumn<double>("place");
    // Step 5 is [1000, 2100), step 6 [3000, 5000).
    QTest::newRow("begin of the first") << qint64{1000} << -0.5;
    QTest::newRow("its middle") << qint64{1550} << 0.0;
    QTest::newRow("between two") << qint64{2500} << 0.5;
    QTest::newRow("a quarter of the second") << qint64{3500} << 0.75;
    QTest::newRow("end of the second") << qint64{5000} << 1.5;
}

void TestStepMarks::timesHaveTheirPlaces() {
    QFETCH(qint64, time);
    QFETCH(double, place);
    const auto ranges = rangesOnSteps(sheet(), {mark(time, time)}, std::nullopt, {0});
    QCOMPARE(ranges.size(), std::size_t{1});
    QCOMPARE(ranges.front().begin, place);
    QCOMPARE(ranges.front().end, place);
    QCOMPARE(ranges.front().hue, std::optional<std::size_t>(3));
    QCOMPARE(ranges.front().name, u"here"_s);
    QVERIFY(ranges.front().tip.contains(u"why"_s));
}

void TestStepMarks::theMarkedRangeHasNoHue() {
    const auto ranges = rangesOnSteps(sheet(), {}, TimeRange{{500}, {3500}}, {0});
    QCOMPARE(ranges.size(), std::size_t{1});
    QCOMPARE(ranges.front().begin, -0.5);
    QCOMPARE(ranges.front().end, 0.75);
    QVERIFY(!ranges.front().hue);
}

void TestStepMarks::whatLiesOutsideIsLeftOut() {
    QVERIFY(rangesOnSteps(sheet(), {mark(0, 999), mark(5001, 6000), mark(7, 7)}, std::nullopt, {0}).empty());
}

void TestStepMarks::withoutTimesThereAreNoPlaces() {
    StepSheet untimed = sheet();
    untimed.steps = {7, std::nullopt};
    QVERIFY(rangesOnSteps(untimed, {mark(1000, 2000)}, TimeRange{{1}, {2}}, {0}).empty());
    QVERIFY(rangesOnSteps({}, {mark(1000, 2000)}, std::nullopt, {0}).empty());
}

ALTI_TEST(TestStepMarks)
#include "tst_step_marks.moc"
