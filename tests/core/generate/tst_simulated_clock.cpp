#include "core/generate/support/simulated_clock.h"
#include "tests/core/generate/capture_reading.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

/// `--clock-offset-us`, `--clock-drift-ppm` and `--uneven-warmup`, by what the files say.
class TestSimulatedClock : public QObject {
    Q_OBJECT

    struct Call {
        std::string name;
        std::int64_t end = 0;
    };

    /// Collectives of a rank's first group, by start.
    static std::vector<Call> callsOf(const GeneratedCapture& capture, int rank) {
        const Json trace = fileJson(capture.output(rank) / "trace_view.json");
        const TraceNames names(trace);
        std::map<std::int64_t, Call> calls;
        for (const Json& event : trace) {
            if (event["ph"] != "X" || names.process(event) != "HCCL" || names.thread(event) != "Group 0 Communication")
                continue;
            calls[startOf(event)] = {event["name"], startOf(event) + durationOf(event)};
        }
        std::vector<Call> list;
        for (const auto& [start, call] : calls) list.push_back(call);
        return list;
    }

private slots:
    void bothWays_data() {
        QTest::addColumn<qlonglong>("offset");
        QTest::addColumn<qlonglong>("drift");
        QTest::addColumn<qlonglong>("passed");
        QTest::addColumn<qlonglong>("ahead");
        QTest::addRow("as the job") << 0LL << 0LL << 5'000'000'000LL << 0LL;
        QTest::addRow("ahead") << 700LL << 0LL << 5'000'000'000LL << 700LL;
        QTest::addRow("behind") << -700LL << 0LL << 5'000'000'000LL << -700LL;
        QTest::addRow("gains 20 ppm") << 0LL << 20'000LL << 5'000'000'000LL << 100'000LL;
        QTest::addRow("loses, a day later") << 10LL << -1'000'000LL << 86'400'000'000'000LL << -86'399'999'990LL;
    }

    void bothWays() {
        QFETCH(qlonglong, offset);
        QFETCH(qlonglong, drift);
        QFETCH(qlonglong, passed);
        const TimeNs origin{1'736'408'883'000'000'000};
        const generate::SimulatedClock clock{origin, DurationNs{offset}, drift};
        const TimeNs job = origin + DurationNs{passed};
        QTEST(static_cast<qlonglong>((clock.local(job) - job).value), "ahead");
        QVERIFY(std::abs((clock.job(clock.local(job)) - job).value) <= 2);
    }

    void offsetsAreThoseOfTheTruth() {
        const GeneratedCapture off({"--ranks", "2", "--steps", "2", "--layers", "1", "--clock-offset-us", "5000000"});
        QVERIFY(off.summary.ok());
        const Json ranks = fileJson(off.path() / "truth.json")["ranks"];
        QCOMPARE(ranks[0]["clock_offset_ns"].get<std::int64_t>(), std::int64_t{0});
        const std::int64_t offset = ranks[1]["clock_offset_ns"];
        QVERIFY(offset != 0 && std::abs(offset) <= 5'000'000'000);
        const auto first = callsOf(off, 0);
        const auto second = callsOf(off, 1);
        QVERIFY(!first.empty());
        QCOMPARE(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) QCOMPARE(second[i].end + offset, first[i].end);
    }

    void driftSpreadsTheEndsAroundTheOffset() {
        const GeneratedCapture capture(
            {"--ranks", "2", "--steps", "6", "--layers", "1", "--clock-drift-ppm", "900", "--seed", "3"});
        QVERIFY(capture.summary.ok());
        const std::int64_t offset = fileJson(capture.path() / "truth.json")["ranks"][1]["clock_offset_ns"];
        const auto first = callsOf(capture, 0);
        const auto second = callsOf(capture, 1);
        QCOMPARE(first.size(), second.size());
        const std::int64_t atBegin = first.front().end - second.front().end;
        const std::int64_t atEnd = first.back().end - second.back().end;
        QVERIFY(atBegin != atEnd);
        QVERIFY(std::min(atBegin, atEnd) <= offset && offset <= std::max(atBegin, atEnd));
    }

    void unevenWarmupNumbersCollectivesDifferently() {
        const GeneratedCapture even({"--ranks", "2", "--steps", "1", "--layers", "1"});
        const GeneratedCapture uneven({"--ranks", "2", "--steps", "1", "--layers", "1", "--uneven-warmup"});
        QVERIFY(even.summary.ok() && uneven.summary.ok());
        QCOMPARE(callsOf(even, 0).front().name, callsOf(even, 1).front().name);
        const auto first = callsOf(uneven, 0);
        const auto second = callsOf(uneven, 1);
        QCOMPARE(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            QCOMPARE(first[i].end, second[i].end);
            QVERIFY(first[i].name != second[i].name);
        }
        const auto warmup = [&](int rank) {
            const Json info = fileJson(uneven.rank(rank) / ("profiler_info_" + std::to_string(rank) + ".json"));
            return info["config"]["common_config"]["schedule"]["warmup"].get<int>();
        };
        QVERIFY(warmup(0) != warmup(1));
    }
};

ALTI_TEST(TestSimulatedClock)
#include "tst_simulated_clock.moc"
