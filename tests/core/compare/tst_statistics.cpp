#include "core/compare/statistics.h"

#include "tests/support/test_main.h"

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

using namespace altiscope;

namespace {

bool isNear(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

/// What compare does with the values of equal steps.
MeanDifference tested(const std::vector<double>& first, const std::vector<double>& second) {
    if (riseTogether(first, second)) return differenceOfPairs(first, second);
    return differenceOfMeans(sampleOf(first), sampleOf(second));
}

/// Steps whose noise is shared between both sides by `shared` of its variance, the second ones longer by `change`.
struct Steps {
    std::vector<double> first, second;
};
Steps stepsWith(std::mt19937& random, std::size_t count, double shared, double change) {
    std::normal_distribution<double> noise(0, 1);
    Steps steps;
    for (std::size_t i = 0; i < count; ++i) {
        const double common = std::sqrt(shared) * noise(random);
        steps.first.push_back(100 + common + std::sqrt(1 - shared) * noise(random));
        steps.second.push_back(100 + change + common + std::sqrt(1 - shared) * noise(random));
    }
    return steps;
}

}  // namespace

class TestStatistics : public QObject {
    Q_OBJECT
private slots:
    /// Printed tables of Student's distribution, two-sided.
    void quantiles_data() {
        QTest::addColumn<double>("degrees");
        QTest::addColumn<double>("expected");
        QTest::addRow("1") << 1.0 << 12.7062;
        QTest::addRow("2") << 2.0 << 4.3027;
        QTest::addRow("4") << 4.0 << 2.7764;
        QTest::addRow("10") << 10.0 << 2.2281;
        QTest::addRow("120") << 120.0 << 1.9799;
    }
    void quantiles() {
        QFETCH(double, degrees);
        QFETCH(double, expected);
        const double t = studentQuantile(0.05, degrees);
        QVERIFY2(isNear(t, expected, 1e-4), qPrintable(QString::number(t)));
        QVERIFY(isNear(studentTail(t, degrees), 0.05, 1e-9));
    }

    /// By hand: means 2 and 5, variances 1 and 4, so an error of sqrt(1/3 + 4/3) on 25/9 / ((1/9 + 16/9) / 2) degrees.
    void twoSamples() {
        const std::array<double, 3> first{1, 2, 3}, second{3, 5, 7};
        const MeanDifference difference = differenceOfMeans(sampleOf(first), sampleOf(second));
        const double error = std::sqrt(5.0 / 3), degrees = (25.0 / 9) / ((1.0 / 9 + 16.0 / 9) / 2);
        QCOMPARE(difference.change, 3.0);
        QVERIFY(isNear(*difference.high - *difference.low, 2 * studentQuantile(0.05, degrees) * error, 1e-9));
        QVERIFY(isNear(*difference.probability, studentTail(3 / error, degrees), 1e-12));
    }

    void zerosNeedNotBeListed() {
        const std::array<double, 2> some{2, 4};
        const std::array<double, 5> all{0, 2, 0, 4, 0};
        const Sample sparse = sampleOf(some, all.size()), dense = sampleOf(all);
        QCOMPARE(sparse.count, dense.count);
        QCOMPARE(sparse.mean, 1.2);
        QVERIFY(isNear(sparse.variance, dense.variance, 1e-12));
    }

    void oneValueSaysNothingAboutNoise() {
        const std::array<double, 1> first{1};
        const std::array<double, 3> second{3, 5, 7};
        const MeanDifference difference = differenceOfMeans(sampleOf(first), sampleOf(second));
        QCOMPARE(difference.change, 4.0);
        QVERIFY(!difference.low && !difference.high && !difference.probability);
    }

    void withoutNoise() {
        const std::array<double, 2> three{3, 3}, four{4, 4};
        const MeanDifference none = differenceOfMeans(sampleOf(three), sampleOf(three)),
                             one = differenceOfMeans(sampleOf(three), sampleOf(four));
        QCOMPARE(*none.probability, 1.0);
        QCOMPARE(*one.probability, 0.0);
        QCOMPARE(*one.low, 1.0);
        QCOMPARE(*one.high, 1.0);
    }

    /// The example of Benjamini and Hochberg's paper: of 15 probabilities the first four.
    void falseRate() {
        const std::vector<double> values{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                         0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
        std::vector<std::optional<double>> probabilities(values.rbegin(), values.rend());
        probabilities.emplace_back(std::nullopt);
        const std::vector<bool> significant = significantOnes(probabilities, 0.05);
        QCOMPARE(std::count(significant.begin(), significant.end(), true), 4);
        QVERIFY(significant[14] && significant[11] && !significant[10] && !significant[15]);
    }

    /// The interval holds the true change in 95 of 100 cases, also of few values with different noise.
    void intervalsHold() {
        std::mt19937 random(7);
        std::normal_distribution<double> calm(100, 1), noisy(103, 4);
        int holds = 0;
        constexpr int kCases = 4000;
        for (int i = 0; i < kCases; ++i) {
            std::array<double, 6> first{}, second{};
            for (double& value : first) value = calm(random);
            for (double& value : second) value = noisy(random);
            const MeanDifference difference = differenceOfMeans(sampleOf(first), sampleOf(second));
            if (*difference.low <= 3 && *difference.high >= 3) ++holds;
        }
        QVERIFY2(isNear(holds / double{kCases}, 0.95, 0.015), qPrintable(QString::number(holds)));
    }

    /// By hand: differences 10, 11, 12, so mean 11 and an error of 1 / sqrt(3) on 2 degrees.
    void aShortFirstStepIsNoNoise() {
        const std::vector<double> first{50, 100, 101}, second{60, 111, 113};
        const MeanDifference pairs = differenceOfPairs(first, second);
        QCOMPARE(pairs.change, 11.0);
        QVERIFY(isNear(*pairs.high - *pairs.low, 2 * 4.302653 / std::sqrt(3.0), 1e-5));
        QVERIFY(isNear(*pairs.probability, studentTail(11 * std::sqrt(3.0), 2), 1e-12));
        QVERIFY(riseTogether(first, second));
        QVERIFY(*tested(first, second).low > 0);
        QVERIFY(*differenceOfMeans(sampleOf(first), sampleOf(second)).low < 0);
    }

    void whatRisesByChanceIsNoPair() {
        QVERIFY(!riseTogether(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 2.5}));
        QVERIFY(!riseTogether(std::vector<double>{1, 2, 3, 4}, std::vector<double>{4, 3, 2, 1}));
        QVERIFY(!riseTogether(std::vector<double>{1, 2}, std::vector<double>{1, 2}));
        QVERIFY(!riseTogether(std::vector<double>{5, 5, 5, 5}, std::vector<double>{1, 2, 3, 4}));
        QVERIFY(riseTogether(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{11, 12, 13, 14, 15}));
    }

    /// However much of the noise both sides share, intervals hold the change in 95 of 100 cases or more, and equal
    /// sides are as often called different as the rate says, at the rate of the step too.
    void choosingTheTestKeepsItsRates_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("shared");
        for (const int steps : {3, 6})
            for (const double shared : {0.0, 0.9, 0.999})
                QTest::addRow("%d steps, %g shared", steps, shared) << steps << shared;
    }
    void choosingTheTestKeepsItsRates() {
        QFETCH(int, steps);
        QFETCH(double, shared);
        std::mt19937 random(23);
        constexpr int kCases = 6000;
        constexpr double kStepRate = 0.004;
        int held = 0, called = 0;
        for (int i = 0; i < kCases; ++i) {
            const Steps some = stepsWith(random, static_cast<std::size_t>(steps), shared, 3);
            const MeanDifference difference = tested(some.first, some.second);
            if (*difference.low <= 3 && *difference.high >= 3) ++held;
            const Steps equal = stepsWith(random, static_cast<std::size_t>(steps), shared, 0);
            if (*tested(equal.first, equal.second).probability <= kStepRate) ++called;
        }
        // Three standard errors of what is counted: 0.85 and 0.25 %.
        const QString text = QStringLiteral("held %1, called %2").arg(held).arg(called);
        QVERIFY2(held >= (0.95 - 0.0085) * kCases, qPrintable(text));
        QVERIFY2(called <= (kStepRate + 0.0025) * kCases, qPrintable(text));
    }

    /// By hand: mean 11, s^2 5/3, so a step that lies 16 above is 16 / sqrt(5/3 * 5/4) errors away on 3 degrees.
    void halfOfTheStepsLieApart() {
        const std::array<double, 4> usual{9.5, 10.5, 11.5, 12.5};
        const std::array<double, 4> half{10, 27, 11, 28};
        const ValuesApart found = valuesApart(sampleOf(usual), half);
        QCOMPARE(found.count, std::size_t{2});
        QCOMPARE(found.change, 16.5);
        // The second of four is 16 away; both directions count, and 4 / 2 for the choice.
        QVERIFY(isNear(found.probability, 2 * 2 * studentTail(16 / std::sqrt(25.0 / 12), 3) / 2, 1e-12));
        const std::array<double, 4> below{10, -5, 11, -6};
        const ValuesApart shorter = valuesApart(sampleOf(usual), below);
        QCOMPARE(shorter.count, std::size_t{2});
        QCOMPARE(shorter.change, -16.5);
        QCOMPARE(shorter.probability, found.probability);
    }

    void oneStepApartIsNoChange() {
        const std::array<double, 8> usual{9, 10, 11, 10, 9, 11, 10, 10}, one{10, 9, 11, 10, 900, 10, 9, 11};
        QVERIFY(valuesApart(sampleOf(usual), one).probability > 0.05);
    }

    void whereAllLieApartTheMeansTellIt() {
        const std::array<double, 4> usual{9, 10, 11, 10}, all{50, 51, 50, 49};
        QCOMPARE(valuesApart(sampleOf(usual), all).count, std::size_t{0});
    }

    void stepsApartNeedNoise() {
        const std::array<double, 4> equal{5, 5, 5, 5}, half{5, 9, 5, 9};
        const std::array<double, 3> few{5, 6, 7};
        QCOMPARE(valuesApart(sampleOf(equal), half).probability, 1.0);
        QCOMPARE(valuesApart(sampleOf(few), half).probability, 1.0);
    }

    /// Of two equal samples no more have steps apart than the probability says.
    void equalStepsAreNotApart() {
        std::mt19937 random(11);
        std::normal_distribution<double> noise(100, 2);
        for (const std::size_t steps : {4U, 5U, 8U, 12U}) {
            int alarms = 0;
            constexpr int kCases = 4000;
            for (int i = 0; i < kCases; ++i) {
                std::vector<double> first(steps), second(steps);
                for (double& value : first) value = noise(random);
                for (double& value : second) value = noise(random);
                if (valuesApart(sampleOf(first), second).probability <= 0.01) ++alarms;
            }
            QVERIFY2(alarms <= kCases / 100, qPrintable(QString::number(alarms)));
        }
    }

    void restIsNoise() {
        const std::array<double, 3> first{1, 2, 3}, second{3, 5, 7};
        const MeanDifference difference = differenceOfMeans(sampleOf(first), sampleOf(second));
        QVERIFY(difference.isAbout(3, 0.99));
        QVERIFY(difference.isAbout(2.5, 0.01));
        QVERIFY(!difference.isAbout(-40, 0.01));
    }

    void percentiles() {
        QCOMPARE(percentileOf({4, 1, 3, 2}, 0.5), 2.5);
        QCOMPARE(percentileOf({4, 1, 3, 2}, 1), 4.0);
        QCOMPARE(percentileOf({7}, 0.95), 7.0);
    }
};

ALTI_TEST(TestStatistics)
#include "tst_statistics.moc"
