// moc cannot read <chrono> before another header of the standard library.
#include <string>

#include "core/base/values/clock_time.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestClockTime : public QObject {
    Q_OBJECT
private slots:
    void utc() {
        QCOMPARE(utcText(std::int64_t{0}), std::string("1970-01-01T00:00:00Z"));
        QCOMPARE(utcText(std::int64_t{1'736'408'883'999'999'999}), std::string("2025-01-09T07:48:03Z"));
    }

    void timesOfFiles() {
        const auto time = timePointOf({1'736'408'883, 999'999'999});
        QCOMPARE(utcText(time), std::string("2025-01-09T07:48:03Z"));
        QVERIFY(timePointOf({1'736'408'884, 0}) > time);
    }
};

ALTI_TEST(TestClockTime)
#include "tst_clock_time.moc"
