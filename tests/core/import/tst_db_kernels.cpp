#include "core/import/database/db_kernels.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cstdlib>
#include <optional>
#include <vector>

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
