#include "core/capture/session/common_step.h"

#include "tests/support/test_main.h"

#include <cmath>
#include <vector>

using namespace altiscope::capture;

class TestCommonStep : public QObject {
    Q_OBJECT
private slots:
    void noHostReachesItBeforeAllHaveLooked_data();
    void noHostReachesItBeforeAllHaveLooked();
    void aRarerLookMovesItOn();
    void withoutAStepThereIsNone();
    void aHostThatSaysNothingCountsForNothing();
};

void TestCommonStep::noHostReachesItBeforeAllHaveLooked_data() {
    QTest::addColumn<double>("step");     // seconds
    QTest::addColumn<qint64>("poll");     // 0: no log says it
    QTest::addColumn<qint64>("longest");  // steps later, at most
    QTest::newRow("0.2 s") << 0.2 << 1LL << 40LL;
    QTest::newRow("0.6 s") << 0.6 << 1LL << 20LL;
    QTest::newRow("3 s") << 3.0 << 3LL << 8LL;
    QTest::newRow("3 s, no log") << 3.0 << 0LL << 12LL;
    QTest::newRow("60 s, looks every 50") << 60.0 << 50LL << 8LL;
    QTest::newRow("60 s, no log") << 60.0 << 0LL << 8LL;
}

void TestCommonStep::noHostReachesItBeforeAllHaveLooked() {
    QFETCH(const double, step);
    QFETCH(const qint64, poll);
    const double spread = 3.5;
    const StepSight sight{100, 1, step, true, poll == 0 ? std::nullopt : std::optional<std::int64_t>(poll)};
    const auto common = commonStep(std::vector<StepSight>{sight, {98, 1, step, true, sight.poll}}, kTorchPolls, spread);
    QVERIFY(common);
    QCOMPARE(common->seen, std::int64_t{100});
    // Steps that are under way, or a fifth faster, do not reach it either.
    const auto real = static_cast<std::int64_t>(poll != 0 ? static_cast<double>(poll)
                                                          : std::min(50.0, std::max(1.0, std::floor(step))));
    QVERIFY(static_cast<double>(common->step - 1 - 101) * step * 0.8 >= spread + static_cast<double>(real) - step);
    QFETCH(const qint64, longest);
    QVERIFY2(common->step - 100 <= longest, std::to_string(common->step).c_str());
}

void TestCommonStep::aRarerLookMovesItOn() {
    const auto at = [](std::int64_t poll, std::int64_t gap) {
        return commonStep(std::vector<StepSight>{{50, gap, 1.0, true, poll}}, kTorchPolls, 2.0)->step;
    };
    QVERIFY(at(10, 1) >= at(1, 1) + 9);
    QVERIFY(at(1, 10) >= at(1, 1) + 9);
    // Before its 11th step torch_npu looks every two seconds, whatever steps take.
    const auto early = commonStep(std::vector<StepSight>{{3, 1, 0.2, true, std::nullopt}}, kTorchPolls, 1.0);
    QCOMPARE(early->polls, std::int64_t{2});
    // MindSpore does so always.
    QCOMPARE(commonStep(std::vector<StepSight>{{300, 1, 9.0, true, std::nullopt}}, PollPeriod{2, 2, 2}, 1.0)->polls,
             std::int64_t{2});
}

void TestCommonStep::withoutAStepThereIsNone() {
    QVERIFY(!commonStep(std::vector<StepSight>{{}, {}}, kTorchPolls, 1.0));
    QVERIFY(!commonStep({}, kTorchPolls, 1.0));
}

void TestCommonStep::aHostThatSaysNothingCountsForNothing() {
    const StepSight sight{100, 1, 0.5, true, 1};
    const auto one = commonStep(std::vector<StepSight>{sight}, kTorchPolls, 2.0);
    const auto two = commonStep(std::vector<StepSight>{sight, {}}, kTorchPolls, 2.0);
    QCOMPARE(two->step, one->step);
}

ALTI_TEST(TestCommonStep)
#include "tst_common_step.moc"
