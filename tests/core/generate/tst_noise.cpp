#include "core/generate/support/noise.h"
#include "tests/support/test_main.h"

#include <cmath>

using namespace altiscope::generate;

class TestNoise : public QObject {
    Q_OBJECT

private slots:
    void isSplitmix64() {
        // First numbers of the published generator for the state 1234567.
        Noise noise(1'234'567);
        for (const std::uint64_t expected :
             {6'457'827'717'110'365'317ULL, 3'203'168'211'198'807'973ULL, 9'817'491'932'198'370'423ULL}) {
            QCOMPARE(noise.next(), expected);
        }
    }

    void keysDiffer() {
        QVERIFY(mixedKey({1, 2}) != mixedKey({2, 1}));
        QVERIFY(mixedKey({1}) != mixedKey({1, 0}));
        QCOMPARE(mixedKey({1, 2, 3}), mixedKey({1, 2, 3}));
    }

    void belowStaysBelow() {
        Noise noise(1);
        bool seen[5] = {};
        for (int i = 0; i < 1000; ++i) {
            const std::uint32_t value = noise.below(5);
            QVERIFY(value < 5);
            seen[value] = true;
        }
        for (const bool one : seen) QVERIFY(one);
        QCOMPARE(noise.below(1), 0U);
    }

    void kernelTimesAreLogNormal() {
        Noise noise(2);
        constexpr int kCount = 20'000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < kCount; ++i) {
            const double logarithm = std::log(static_cast<double>(noise.kernelTime(1'000'000)) / 1e6);
            sum += logarithm;
            squares += logarithm * logarithm;
        }
        const double mean = sum / kCount;
        QVERIFY(std::abs(mean) < 0.001);
        QVERIFY(std::abs(std::sqrt(squares / kCount - mean * mean) - 0.03) < 0.001);
    }

    void hostTimesSpreadTenPercentAndAreCut() {
        Noise noise(3);
        constexpr int kCount = 20'000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < kCount; ++i) {
            const std::int64_t time = noise.hostTime(1'000'000);
            QVERIFY(time >= 599'000 && time <= 1'400'100);
            sum += static_cast<double>(time);
            squares += static_cast<double>(time) * static_cast<double>(time);
        }
        const double mean = sum / kCount;
        QVERIFY(std::abs(mean / 1e6 - 1) < 0.005);
        QVERIFY(std::abs(std::sqrt(squares / kCount - mean * mean) / 1e6 - 0.1) < 0.005);
    }
};

ALTI_TEST(TestNoise)
#include "tst_noise.moc"
