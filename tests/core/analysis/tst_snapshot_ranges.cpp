#include "core/analysis/snapshot/history_steps.h"
#include "core/analysis/snapshot/range_clock.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using altiscope::test::SnapshotScript;

namespace {

constexpr std::int64_t kRangesStart = 1'736'428'567'000'000'000, kRangeStep = 10'000'000, kRangeMs = 1'000'000;

/// Entries at every millisecond.
void fillWithEntries(SnapshotScript& script, int entries) {
    script.segment(4096, std::int64_t{1} << 30);
    for (int i = 0; i < entries; ++i) {
        script.time = kRangesStart + i * kRangeMs;
        script.alloc(4096 + i * 512, 100);
    }
}

/// Slices of a profile: text, begin, end.
struct NamedSlice {
    std::string name;
    std::int64_t begin = 0, end = 0;
};

std::shared_ptr<const TraceStore> profileOfRanges(const std::vector<NamedSlice>& slices) {
    std::string text = "Python/Thread 7:";
    for (const NamedSlice& slice : slices)
        text += ' ' + slice.name + '[' + std::to_string(slice.begin) + ',' + std::to_string(slice.end) + ')';
    return test::rankTrace(text + '\n');
}

}  // namespace

/// What a program names with record_function while a memory snapshot is recorded.
class TestSnapshotRanges : public QObject {
    Q_OBJECT
private slots:
    void anEntryLiesInThoseThatContainIt() {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            std::mt19937 random(seed);
            SnapshotScript script;
            fillWithEntries(script, 60);
            struct Range {
                std::string name;
                std::optional<std::int64_t> begin, end;
            };
            std::vector<Range> ranges;
            for (int i = 0; i < 40; ++i) {
                const std::int64_t begin = kRangesStart + static_cast<std::int64_t>(random() % 60) * kRangeMs;
                const std::int64_t end = begin + static_cast<std::int64_t>(random() % 20) * kRangeMs;
                ranges.push_back({"r" + std::to_string(i), i % 9 == 0 ? std::nullopt : std::optional(begin),
                                  i % 7 == 3 ? std::nullopt : std::optional(end)});
                script.range(ranges.back().name, ranges.back().begin, ranges.back().end);
            }
            const auto snapshot = script.snapshot();
            for (EventNumber event = 0; event < snapshot->events; ++event) {
                const auto time = snapshot->timeAt(event);
                std::size_t expected = 0;
                for (const Range& range : ranges)
                    expected += time && (!range.begin || *range.begin <= time->value) &&
                                        (!range.end || time->value < *range.end)
                                    ? 1
                                    : 0;
                const auto names = snapshot->rangesAt(event, 100);
                QCOMPARE(names.size(), expected);
                QCOMPARE(snapshot->rangesAt(event, 2).size(), std::min<std::size_t>(2, expected));
            }
            QVERIFY(snapshot->rangesAt(kBeforeHistory, 100).empty());
        }
    }

    void theOuterOneComesFirst() {
        SnapshotScript script;
        fillWithEntries(script, 10);
        script.range("inner", kRangesStart, kRangesStart + 5 * kRangeMs);
        script.range("outer", kRangesStart, kRangesStart + 8 * kRangeMs);
        const auto snapshot = script.snapshot();
        QCOMPARE(snapshot->rangesAt(2, 9), (std::vector<std::string_view>{"outer", "inner"}));
        QCOMPARE(snapshot->rangesAt(7, 9), (std::vector<std::string_view>{"outer"}));
    }

    void stepsAreCountedByTheirNames() {
        SnapshotScript script;
        fillWithEntries(script, 100);
        for (int step = 0; step < 6; ++step) {
            const std::int64_t begin = kRangesStart + step * kRangeStep + kRangeMs / 2;
            script.range("ProfilerStep#" + std::to_string(4 + step), begin, begin + kRangeStep);
            script.range("Optimizer.step#Adam.step", begin + 5 * kRangeMs, begin + 6 * kRangeMs);
        }
        const auto snapshot = script.snapshot();
        const HistorySteps steps = historySteps(*snapshot, {}, {}, {});
        QVERIFY(steps.source == StepSource::Annotations);
        // The first entry, at 0 ms, makes the segment; that of 0 ms is before the first step.
        QCOMPARE(steps.borders, (std::vector<EventNumber>{2, 12, 22, 32, 42, 52, 62}));
    }

    void oneClockIsRecognised_data() {
        QTest::addColumn<qint64>("ahead");
        QTest::addRow("one clock") << qint64{20'000};
        QTest::addRow("the profile is ahead") << qint64{7'000'000'000};
        QTest::addRow("the history is ahead") << qint64{-7'000'000'000};
    }
    void oneClockIsRecognised() {
        QFETCH(qint64, ahead);
        SnapshotScript script;
        fillWithEntries(script, 100);
        std::vector<NamedSlice> slices;
        for (int step = 0; step < 6; ++step) {
            const std::int64_t begin = kRangesStart + step * kRangeStep;
            script.range("ProfilerStep#" + std::to_string(step), begin, begin + kRangeStep);
            script.range("forward", begin + 2 * kRangeMs, begin + 3 * kRangeMs);
            slices.push_back({"ProfilerStep#" + std::to_string(step), begin + ahead, begin + ahead + kRangeStep});
            slices.push_back({"forward", begin + 2 * kRangeMs + ahead, begin + 3 * kRangeMs + ahead});
        }
        script.range("not in the profile", kRangesStart, std::nullopt);
        const auto snapshot = script.snapshot();
        const JoinedClock joined = joinByRanges(*snapshot, *profileOfRanges(slices), {});
        QVERIFY(joined.agreement.verdict == SnapshotAgreement::Verdict::Agrees);
        QCOMPARE(joined.agreement.ranges, 12U);
        QCOMPARE(joined.agreement.times.ahead.value, ahead);
        for (EventNumber event = 1; event < snapshot->events; ++event)
            QCOMPARE(joined.clock.timeOf(event)->value, snapshot->timeAt(event)->value + ahead);
    }

    /// A profile of a part of the run has fewer of them.
    void aProfileOfSomeSteps() {
        SnapshotScript script;
        fillWithEntries(script, 100);
        std::vector<NamedSlice> slices;
        for (int step = 0; step < 9; ++step) {
            const std::int64_t begin = kRangesStart + step * kRangeStep;
            script.range("train", begin, begin + kRangeStep);
            if (step >= 4 && step < 8) slices.push_back({"train", begin + 3000, begin + kRangeStep});
        }
        const JoinedClock joined = joinByRanges(*script.snapshot(), *profileOfRanges(slices), {});
        QCOMPARE(joined.agreement.ranges, 4U);
        QCOMPARE(joined.agreement.times.ahead.value, 3000);
    }

    void anotherRunIsNotJoined() {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            std::mt19937 random(seed);
            SnapshotScript script;
            fillWithEntries(script, 100);
            std::vector<NamedSlice> slices;
            std::int64_t other = kRangesStart + 3'000'000'000;
            for (int step = 0; step < 6; ++step) {
                const std::int64_t begin = kRangesStart + step * kRangeStep;
                script.range("train", begin, begin + kRangeStep);
                other += static_cast<std::int64_t>(20 + random() % 100) * kRangeMs;
                slices.push_back({"train", other, other + kRangeMs});
            }
            const JoinedClock joined = joinByRanges(*script.snapshot(), *profileOfRanges(slices), {});
            QVERIFY(joined.clock.empty());
            QCOMPARE(joined.agreement.ranges, 0U);
        }
    }
};

ALTI_TEST(TestSnapshotRanges)
#include "tst_snapshot_ranges.moc"
