#include "core/store/columns/home_range.h"
#include "core/store/columns/trace_store.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::traceFromText;

class TestHomeRange : public QObject {
    Q_OBJECT
private slots:
    /// Of 60 events three on each side tell nothing. The others lie within 1 ms, so that 10 ms on either side belong to
    /// them: to the nanosecond.
    void eventsAtTheLimitsBelongToIt() {
        std::string text = "p1/t1:";
        for (int i = 0; i < 56; ++i) text += " !a[" + std::to_string(20'000'000 + i) + "]";
        const std::int64_t low = 20'000'001, high = 20'000'054, reach = 10'000'000;
        for (const std::int64_t time : {low - reach - 1, low - reach, high + reach, high + reach + 1})
            text += " !a[" + std::to_string(time) + "]";
        const auto store = traceFromText(text);
        QCOMPARE(store->homeRange().begin.value, low - reach);
        QCOMPARE(store->homeRange().end.value, high + reach);
        std::vector<std::int64_t> far;
        eachFarEvent(*store, [&](const FarEvent& event) { far.push_back(event.time.value); });
        QCOMPARE(far, (std::vector<std::int64_t>{low - reach - 1, high + reach + 1}));
    }

    /// A file put together of tasks of 2023 and marks of 2025 was said to last 15336 h.
    void recordingsOfSeveralYearsAreNotOneOf15336Hours_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<int>("samples");
        QTest::addColumn<QString>("expected");
        QTest::addRow("more before") << 24 << 13 << 0 << "before";
        QTest::addRow("more after") << 13 << 24 << 0 << "after";
        QTest::addRow("nearly equally many") << 100 << 99 << 0 << "before";
        QTest::addRow("few") << 3 << 2 << 0 << "before";
        QTest::addRow("values of counters are no events") << 24 << 13 << 500 << "before";
        QTest::addRow("equally many, but for a counter") << 20 << 20 << 5 << "after";
        QTest::addRow("nobody can say") << 20 << 20 << 0 << "all";
    }
    void recordingsOfSeveralYearsAreNotOneOf15336Hours() {
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(int, samples);
        QFETCH(QString, expected);
        constexpr std::int64_t k2023 = 1'698'220'811'391'886'870, k2025 = 1'753'431'218'824'567'380;
        std::string text = "p1/t1:";
        for (int i = 0; i < before; ++i)
            text += " a[" + std::to_string(k2023 + i * 100) + "," + std::to_string(k2023 + i * 100 + 50) + ")";
        for (int i = 0; i < after; ++i)
            text += " a[" + std::to_string(k2025 + i * 100) + "," + std::to_string(k2025 + i * 100 + 50) + ")";
        if (samples > 0) text += "\np1/c:Read";
        for (int i = 0; i < samples; ++i) text += " r[" + std::to_string(k2025 + i) + "]=1";
        const auto store = traceFromText(text + "\n");
        const TimeRange first{{k2023}, {k2023 + before * 100 - 50}}, second{{k2025}, {k2025 + after * 100 - 50}};
        QVERIFY(store->homeRange() == (expected == QStringLiteral("before")  ? first
                                       : expected == QStringLiteral("after") ? second
                                                                             : TimeRange{first.begin, second.end}));
        std::size_t far = 0;
        eachFarEvent(*store, [&](const FarEvent&) { ++far; });
        QCOMPARE(far, static_cast<std::size_t>(expected == QStringLiteral("before")  ? after + samples
                                               : expected == QStringLiteral("after") ? before
                                                                                     : 0));
    }

    /// A day of silence within a recording of weeks is none between two.
    void aLongRecordingMayBeSilentForADay() {
        constexpr std::int64_t kHour = 3'600'000'000'000, kStart = 1'698'220'811'391'886'870;
        std::string text = "p1/t1:";
        for (int i = 0; i < 100; ++i) {
            const std::int64_t begin = kStart + (i + (i < 50 ? 0 : 30)) * kHour;
            text += " a[" + std::to_string(begin) + "," + std::to_string(begin + 10) + ")";
        }
        const auto store = traceFromText(text + "\n");
        QVERIFY(store->homeRange() == store->range());
    }

    void aSliceThatLastsForADayIsNoSilence() {
        constexpr std::int64_t kStart = 1'698'220'811'391'886'870, kLong = 108'000'000'000'000;
        std::string text = "p1/t1:";
        const auto addSlices = [&text](std::int64_t from, int count) {
            for (int i = 0; i < count; ++i)
                text += " a[" + std::to_string(from + i * 100) + "," + std::to_string(from + i * 100 + 50) + ")";
        };
        addSlices(kStart, 12);
        addSlices(kStart + kLong, 8);
        const auto parted = traceFromText(text + "\n");
        QVERIFY(parted->homeRange() != parted->range());
        text += "\np1/t2: hang[" + std::to_string(kStart + 1000) + "," + std::to_string(kStart + kLong) + ")";
        const auto hanging = traceFromText(text + "\n");
        QVERIFY(hanging->homeRange() == hanging->range());
    }
};

ALTI_TEST(TestHomeRange)
#include "tst_home_range.moc"
