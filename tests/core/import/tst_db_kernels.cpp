#include "core/base/values/decimal.h"
#include "core/import/database_lookup/db_kernels.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstdlib>
#include <optional>
#include <vector>

#include <random>
#include <string>

using namespace altiscope;
using namespace altiscope::reader;

namespace {

DbKernel kernel(std::int64_t begin, std::int64_t duration, std::int64_t device = 6, std::int64_t connection = -1) {
    DbKernel made;
    made.begin = begin;
    made.duration = duration;
    made.device = device;
    made.connection = connection;
    return made;
}

}  // namespace

/// Steps and waiting times of kernels of databases, which have no columns for them.
class TestDbKernels : public QObject {
    Q_OBJECT
private slots:
    void waitingTimes() {
        const std::vector<DbKernel> kernels{kernel(100, 50), kernel(150, 10),   kernel(155, 5),   kernel(200, 10),
                                            kernel(211, 1),  kernel(300, 5, 7), kernel(400, 5, 7)};
        // The first one of a device waits for nothing; what begins before the last one's end, neither.
        const std::vector<std::int64_t> expected{0, 0, 0, 40, 1, 0, 95};
        QCOMPARE(waitsOfKernels(kernels, false), expected);
        const std::vector<std::int64_t> asDoubles = waitsOfKernels(kernels, true);
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            QVERIFY(asDoubles[i] >= 0);
            QVERIFY(std::abs(asDoubles[i] - expected[i]) <= 250);
        }
        QVERIFY(waitsOfKernels({}, false).empty());
    }

    /// As a program has them that reads their text.
    void printedTimes() {
        std::mt19937_64 random(5);
        const auto check = [](std::int64_t ns) {
            const double expected = parseReal(std::to_string(ns), -3).value_or(-1);
            QVERIFY2(printedMicroseconds(ns) == expected, qPrintable(QString::number(ns)));
        };
        for (const unsigned bits : {10U, 40U, 53U, 54U, 59U, 60U, 61U, 63U}) {
            for (int i = 0; i < 20'000; ++i) {
                const auto ns = static_cast<std::int64_t>((random() >> (64 - bits)) | (std::uint64_t{1} << (bits - 1)));
                check(ns);
                check(-ns);
            }
        }
        for (std::int64_t i = 0; i < 5000; ++i) check(1'767'225'600'000'000'000 + i);
        check(0);
    }

    void stepsByLaunches() {
        // Step 5 lasts on the device from its first kernel, at 1,500, until it ends on the host, at 2,000; step 6 from
        // 2,100 until its last kernel has ended, at 2,400.
        const std::vector<Step> steps{
            {5, TimeRange{{1000}, {2000}}}, {6, TimeRange{{2000}, {2200}}}, {7, std::nullopt}};
        const std::vector<DbLaunch> launches{{70, 1010}, {71, 1999}, {72, 2000}, {73, 2199}, {74, 2200}};
        const std::vector<DbKernel> kernels{
            kernel(1499, 1), kernel(1500, 10, 6, 70), kernel(1600, 10, 6, 71),  kernel(1999, 1),        kernel(2000, 1),
            kernel(2099, 1), kernel(2100, 10, 6, 72), kernel(2300, 100, 6, 73), kernel(2399, 1, 6, 74), kernel(2400, 1),
        };
        QCOMPARE(stepsOfKernels(kernels, launches, steps),
                 (std::vector<std::int64_t>{kNoCell, 5, 5, 5, kNoCell, kNoCell, 6, 6, 6, kNoCell}));
    }
};

ALTI_TEST(TestDbKernels)
#include "tst_db_kernels.moc"
