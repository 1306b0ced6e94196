#include "core/analysis/steps/level_changes.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

using namespace altiscope;

namespace {

constexpr double kZ = 3.5, kShare = 0.01;

/// About 100 with a deviation of one.
std::vector<double> noisy(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(100, 1);
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) times.push_back(noise(random));
    return times;
}

}  // namespace

class TestLevelChanges : public QObject {
    Q_OBJECT
private slots:
    void aStretchIsFoundWithItsEnds_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("end");
        QTest::newRow("passing") << 20 << 8 << 12;
        QTest::newRow("as short as a level can be") << 20 << 15 << 18;
        QTest::newRow("to the end") << 20 << 10 << 20;
        QTest::newRow("from the begin") << 20 << 0 << 5;
        QTest::newRow("most steps") << 20 << 4 << 20;
        QTest::newRow("few steps") << 6 << 3 << 6;
        QTest::newRow("many steps") << 3000 << 1200 << 1800;
        QTest::newRow("so many that neighbours are taken together") << 20000 << 5000 << 9000;
    }

    void aStretchIsFoundWithItsEnds() {
        QFETCH(int, count);
        QFETCH(int, first);
        QFETCH(int, end);
        std::vector<double> times = noisy(static_cast<std::size_t>(count), 7);
        for (int i = first; i < end; ++i) times[static_cast<std::size_t>(i)] += 12;
        const LevelChanges changes = levelChanges(times, kZ, kShare);
        QCOMPARE(changes.stretches.size(), std::size_t{1});
        const SlowStretch& found = changes.stretches.front();
        QCOMPARE(static_cast<int>(found.first), first);
        QCOMPARE(static_cast<int>(found.end), end);
        QVERIFY(std::abs(found.level - changes.usual - 12) < 3);
        for (int i = 0; i < count; ++i)
            QCOMPARE(static_cast<bool>(changes.isUsual[static_cast<std::size_t>(i)]), i < first || i >= end);
    }

    void twoStretchesAreTwo() {
        std::vector<double> times = noisy(40, 3);
        for (const std::size_t i : {5, 6, 7, 8, 25, 26, 27, 28, 29}) times[i] += 15;
        const LevelChanges changes = levelChanges(times, kZ, kShare);
        QCOMPARE(changes.stretches.size(), std::size_t{2});
        QCOMPARE(changes.stretches[1].first, std::size_t{25});
    }

    /// Two usual steps between them are too few for a level, but no noise; one may be.
    void twoCloseStretchesAreTwo() {
        std::vector<double> times = noisy(40, 3);
        for (const std::size_t i : {10, 11, 12, 13, 16, 17, 18, 19}) times[i] += 25;
        const LevelChanges changes = levelChanges(times, kZ, kShare);
        QCOMPARE(changes.stretches.size(), std::size_t{2});
        QCOMPARE(changes.stretches[0].first, std::size_t{10});
        QCOMPARE(changes.stretches[0].end, std::size_t{14});
        QCOMPARE(changes.stretches[1].first, std::size_t{16});
        QCOMPARE(changes.stretches[1].end, std::size_t{20});
        QVERIFY(changes.isUsual[14] && changes.isUsual[15] && !changes.isUsual[13] && !changes.isUsual[16]);
        times = noisy(40, 3);
        for (const std::size_t i : {10, 11, 12, 13, 15, 16, 17, 18}) times[i] += 25;
        QCOMPARE(levelChanges(times, kZ, kShare).stretches.size(), std::size_t{1});
    }

    /// Beside a long stretch that is much slower a short one is still one.
    void aHigherStretchHidesNoLowerOne() {
        std::vector<double> times = noisy(20, 3);
        for (std::size_t i = 4; i < 8; ++i) times[i] += 12;
        for (std::size_t i = 13; i < 20; ++i) times[i] += 80;
        const LevelChanges changes = levelChanges(times, kZ, kShare);
        QCOMPARE(changes.stretches.size(), std::size_t{2});
        QCOMPARE(changes.stretches[0].end, std::size_t{8});
    }

    void equalTimesAndExactLevels() {
        QVERIFY(levelChanges(std::vector<double>(30, 5.0), kZ, kShare).stretches.empty());
        std::vector<double> times(30, 5.0);
        for (std::size_t i = 20; i < 30; ++i) times[i] = 5.04;  // less than a hundredth more
        QVERIFY(levelChanges(times, kZ, kShare).stretches.empty());
        for (std::size_t i = 20; i < 30; ++i) times[i] = 5.06;
        QCOMPARE(levelChanges(times, kZ, kShare).stretches.size(), std::size_t{1});
    }

    void tooFewTimesHaveNoLevels() {
        QVERIFY(levelChanges({}, kZ, kShare).stretches.empty());
        for (std::size_t count = 1; count < 2 * kShortestLevel; ++count) {
            std::vector<double> times(count, 1.0);
            times.back() = 9;
            const LevelChanges changes = levelChanges(times, kZ, kShare);
            QVERIFY(changes.stretches.empty());
            QCOMPARE(changes.isUsual.size(), count);
        }
    }

    void singleLongTimesAreNoLevel() {
        std::vector<double> times = noisy(40, 9);
        for (const std::size_t i : {0, 7, 8, 20, 39}) times[i] += 60;
        QVERIFY(levelChanges(times, kZ, kShare).stretches.empty());
    }

    /// Every second step does more: that is how the run is, and no change of its level.
    void alternatingTimesAreNoLevel() {
        std::vector<double> times = noisy(40, 11);
        for (std::size_t i = 0; i < times.size(); i += 2) times[i] += 30;
        QVERIFY(levelChanges(times, kZ, kShare).stretches.empty());
    }

    /// Without any change of a level none is found but in one of a hundred series, whatever the noise is like.
    void noiseHasNoLevels_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("normal") << 0;
        QTest::newRow("heavy tails") << 1;
        QTest::newRow("spikes") << 2;
    }

    void noiseHasNoLevels() {
        QFETCH(int, kind);
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform;
        for (const std::size_t count : {8, 20, 50}) {
            int found = 0;
            constexpr int kSeries = 1000;
            for (int s = 0; s < kSeries; ++s) {
                std::vector<double> times;
                for (std::size_t i = 0; i < count; ++i) {
                    const double noise = normal(random);
                    const double spike = uniform(random) < 0.1 ? 10 : 0;
                    times.push_back(100 + (kind == 0 ? noise : kind == 1 ? std::exp(0.7 * noise) : noise + spike));
                }
                found += levelChanges(times, kZ, 0).stretches.empty() ? 0 : 1;
            }
            QVERIFY2(found <= kSeries / 100, qPrintable(QString::number(found)));
        }
    }
};

ALTI_TEST(TestLevelChanges)
#include "tst_level_changes.moc"
