#include "core/import/contracts/intervals.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;
using reader::Interval;

namespace {

constexpr std::size_t kTicks = 40;
using Ticks = std::array<bool, kTicks>;

/// Ascending and disjoint; some touch.
std::vector<Interval> randomIntervals(std::mt19937& random) {
    std::vector<Interval> intervals;
    auto at = static_cast<std::int64_t>(random() % 4);
    while (at < static_cast<std::int64_t>(kTicks) - 8) {
        const std::int64_t end = at + 1 + static_cast<std::int64_t>(random() % 6);
        intervals.push_back({at, end});
        at = end + static_cast<std::int64_t>(random() % 4);
    }
    return intervals;
}

Ticks ticksOf(const std::vector<Interval>& intervals) {
    Ticks ticks{};
    for (const Interval& one : intervals) {
        for (std::int64_t t = one.begin; t < one.end; ++t) ticks[static_cast<std::size_t>(t)] = true;
    }
    return ticks;
}

}  // namespace

class TestIntervals : public QObject {
    Q_OBJECT
private slots:
    void whatCoversLeaveOpen() {
        std::mt19937 random(5);
        for (int round = 0; round < 2000; ++round) {
            const auto intervals = randomIntervals(random), covers = randomIntervals(random);
            const auto rest = reader::uncovered(intervals, covers);
            Ticks expected = ticksOf(intervals);
            const Ticks covered = ticksOf(covers);
            for (std::size_t t = 0; t < kTicks; ++t) expected[t] = expected[t] && !covered[t];
            QVERIFY(ticksOf(rest) == expected);
            for (std::size_t i = 0; i < rest.size(); ++i) {
                QVERIFY(rest[i].begin < rest[i].end);
                QVERIFY(i == 0 || rest[i - 1].end <= rest[i].begin);
            }
        }
        QVERIFY(reader::uncovered({}, {{0, 5}}).empty());
        QCOMPARE(reader::uncovered({{1, 5}}, {}).size(), std::size_t{1});
    }
};

ALTI_TEST(TestIntervals)
#include "tst_intervals.moc"
