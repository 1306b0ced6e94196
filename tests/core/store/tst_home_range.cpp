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
    /// Events that nothing surrounds for a day are of another epoch; what is silent for less waited.
    void onlyADayOfSilenceDividesEpochs() {
        constexpr std::int64_t kMiddle = 900'000'000'000'000, kDay = 86'400'000'000'000;
        const auto farOf = [](std::int64_t before, std::int64_t after) {
            std::string text = "p1/t1:";
            for (int i = 0; i < 56; ++i) text += " !a[" + std::to_string(kMiddle + i) + "]";
            for (const std::int64_t time : {kMiddle - before, kMiddle + 55 + after})
                text += " !a[" + std::to_string(time) + "]";
            const auto store = traceFromText(text);
            std::vector<std::int64_t> far;
            eachFarEvent(*store, [&](const FarEvent& event) { far.push_back(event.time.value - kMiddle); });
            return far;
        };
        QCOMPARE(farOf(kDay - 1, kDay - 1), std::vector<std::int64_t>());
        QCOMPARE(farOf(kDay, kDay), (std::vector<std::int64_t>{-kDay, 55 + kDay}));
    }

    /// A step that waits for seconds after a short burst, or before it, was called impossible and cut from the view.
    void aWaitOfSecondsIsNoOtherClock() {
        for (const bool isAtTheBegin : {true, false}) {
            std::string text = "p1/t1: ProfilerStep#3[0,5300000000)\np1/t2:";
            const std::int64_t from = isAtTheBegin ? 0 : 5'000'000'000;
            for (int i = 0; i < 300; ++i) {
                const std::int64_t begin = from + std::int64_t{i} * 1'000'000;
                text += " mm[" + std::to_string(begin) + "," + std::to_string(begin + 800'000) + ")";
            }
            const auto store = traceFromText(text + "\n");
            QVERIFY(store->homeRange() == store->range());
            eachFarEvent(*store, [](const FarEvent&) { QFAIL("an event of this clock"); });
        }
    }

    /// A task without a time stood at 0, and the step of those that were recorded 16 minutes after the start of the
    /// system lasted as long.
    void whatStandsAtZeroWasNeverSet() {
        const auto text = [](std::int64_t length, std::int64_t begin, std::int64_t distance) {
            std::string all = "p1/t1: zero[0," + std::to_string(length) + ")";
            for (int i = 0; i < 20; ++i) {
                const std::int64_t from = begin + i * distance;
                all += " a[" + std::to_string(from) + "," + std::to_string(from + 50) + ")";
            }
            return all + "\n";
        };
        constexpr std::int64_t kSecond = 1'000'000'000;
        const auto unset = traceFromText(text(5, 1000 * kSecond, 100));
        QCOMPARE(unset->homeRange().begin.value, 1000 * kSecond);
        // A trace that counts from its first event: what follows is soon there, lasts, or the first one does.
        for (const std::string& relative : {text(5, 50 * kSecond, 100), text(5, 1000 * kSecond, 50 * kSecond),
                                            text(950 * kSecond, 1000 * kSecond, 100)}) {
            const auto store = traceFromText(relative);
            QVERIFY(store->homeRange() == store->range());
        }
    }

    /// A lone event years away is none of the events that are looked at, where they are many.
    void aLoneEventYearsAwayIsFar() {
        constexpr std::int64_t kYear = 31'536'000'000'000'000, kStart = 1'698'220'811'391'886'870;
        std::string text;
        for (int i = 0; i < 25'000; ++i) {
            const std::int64_t begin = kStart + std::int64_t{i} * 100;
            if (i % 100 == 0) text += i == 0 ? "p1/t1:" : "\np1/t1:";
            text += " a[" + std::to_string(begin) + "," + std::to_string(begin + 50) + ")";
        }
        text += " a[" + std::to_string(kStart + kYear) + "," + std::to_string(kStart + kYear + 50) + ")";
        const auto store = traceFromText(text + "\n");
        QCOMPARE(store->homeRange().begin.value, kStart);
        QCOMPARE(store->homeRange().end.value, kStart + 24'999 * 100 + 50);
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
