#include "core/analysis/snapshot/snapshot_clock.h"

#include "tests/core/analysis/memory_rows.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <map>
#include <random>
#include <vector>

using namespace altiscope;
using Verdict = SnapshotAgreement::Verdict;

namespace {

constexpr std::int64_t kClockStart = 1'736'428'567'000'000'000, kClockSpacing = 1000;
constexpr TimeRange kClockSpan{{kClockStart}, {kClockStart + 1'000'000'000}};

/// Sizes that requests have, no two runs alike.
std::vector<std::int64_t> randomSizes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(1 + static_cast<std::int64_t>(random() % 40'000));
    return sizes;
}

/// A program that makes these requests, and releases some of them.
auto snapshotOf(const std::vector<std::int64_t>& sizes) {
    test::SnapshotScript script;
    std::int64_t address = 1 << 20;
    script.segment(address, std::int64_t{1} << 40);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        script.alloc(address, sizes[i]);
        if (i % 3 == 0) script.free(address);
        address += (sizes[i] + 511) / 512 * 512;
    }
    return script.snapshot();
}

std::int64_t timeOfRow(std::size_t row) { return kClockStart + static_cast<std::int64_t>(row) * kClockSpacing; }

/// What a profiler writes of them: the sizes that the allocator took.
std::vector<test::AllocationRow> rowsOf(const std::vector<std::int64_t>& sizes) {
    std::vector<test::AllocationRow> rows;
    for (const std::int64_t size : sizes)
        rows.push_back({.name = "aten::empty", .size = (size + 511) / 512 * 512, .allocated = timeOfRow(rows.size())});
    return rows;
}

JoinedClock joinOf(const std::vector<std::int64_t>& sizes, const std::vector<test::AllocationRow>& rows,
                   std::optional<TimeRange> span = kClockSpan) {
    return joinByAllocations(*snapshotOf(sizes), test::allocationTable(rows).get(), span, {});
}

/// As snapshotOf(), with times: the n-th request at `start` + n * `spacing`, its release 300 ns later.
auto timedSnapshotOf(const std::vector<std::int64_t>& sizes, std::int64_t start, std::int64_t spacing) {
    test::SnapshotScript script;
    std::int64_t address = 1 << 20;
    script.time = start;
    script.segment(address, std::int64_t{1} << 40);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        script.time = start + static_cast<std::int64_t>(i) * spacing;
        script.alloc(address, sizes[i]);
        *script.time += 300;
        if (i % 3 == 0) script.free(address);
        address += (sizes[i] + 511) / 512 * 512;
    }
    return script.snapshot();
}

/// As rowsOf(), at `start` + n * `spacing`.
std::vector<test::AllocationRow> spacedRowsOf(const std::vector<std::int64_t>& sizes, std::int64_t start,
                                              std::int64_t spacing) {
    auto rows = rowsOf(sizes);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].allocated = start + static_cast<std::int64_t>(i) * spacing;
    return rows;
}

/// Which moment is wrong: the event is not the n-th allocation, or the time not that of the row `first` later.
std::size_t wrongMoments(const JoinedClock& joined, const std::vector<std::int64_t>& sizes, std::size_t first) {
    const auto snapshot = snapshotOf(sizes);
    std::map<EventNumber, std::size_t> number;
    for (EventNumber at = 0; at < snapshot->events; ++at)
        if (snapshot->entry(at).action == SnapshotAction::Alloc) number.emplace(at, number.size());
    std::size_t wrong = 0;
    for (const SnapshotMoment& moment : joined.clock.moments)
        wrong += moment.time.value != timeOfRow(number.at(moment.event) + first);
    return wrong;
}

}  // namespace

/// When entries of a history were: by allocations that a profile recorded too, and by hand.
class TestSnapshotClock : public QObject {
    Q_OBJECT
private slots:
    void everyAllocationOfATwinIsFound();
    void aHistoryThatBeganLateIsFoundInTheRun();
    void whatOneSideLacksIsSteppedOver();
    void otherProgramsAreNotJoined();
    void stepsThatAreAllTheSameAreAmbiguous();
    void ownTimesPlaceWhatTheProfileLacks();
    void aClockThatIsAheadIsTakenOff();
    void timesThatDoNotFitAreNotUsed();
    void timesSayAtWhichOfEqualStepsItWas();
    void absurdTimesPlaceNothing();
    void timesOutsideOfTheSlicesAreCounted();
    void rowsOfAnotherDeviceDoNotCount();
    void rowsOfCannAreNotOfTheFramework();
    void sizesMayBeThoseWithPadding();
    void betweenMomentsIsByNumberAndOutsideNothing();
    void momentsSetByHand();
};

void TestSnapshotClock::everyAllocationOfATwinIsFound() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const auto sizes = randomSizes(200, seed);
        const JoinedClock joined = joinOf(sizes, rowsOf(sizes));
        QVERIFY(joined.agreement.verdict == Verdict::Agrees);
        QCOMPARE(joined.agreement.shared, 200U);
        QCOMPARE(joined.agreement.inHistory, 200U);
        QCOMPARE(joined.agreement.inProfile, 200U);
        QCOMPARE(joined.agreement.unshared, 0U);
        QCOMPARE(joined.agreement.outside, 0U);
        QCOMPARE(wrongMoments(joined, sizes, 0), 0U);
    }
}

void TestSnapshotClock::aHistoryThatBeganLateIsFoundInTheRun() {
    const auto all = randomSizes(500, 3);
    const std::vector<std::int64_t> late(all.begin() + 230, all.begin() + 420);
    const JoinedClock joined = joinOf(late, rowsOf(all));
    QVERIFY(joined.agreement.verdict == Verdict::Agrees);
    QCOMPARE(joined.agreement.shared, 190U);
    QCOMPARE(wrongMoments(joined, late, 230), 0U);
    // A profile of a part of the history.
    const JoinedClock part = joinOf(all, rowsOf(late));
    QVERIFY(part.agreement.verdict == Verdict::Agrees);
    QCOMPARE(part.agreement.shared, 190U);
    QCOMPARE(part.clock.moments.front().time.value, timeOfRow(0));
}

void TestSnapshotClock::whatOneSideLacksIsSteppedOver() {
    const auto sizes = randomSizes(400, 5);
    auto rows = rowsOf(sizes);
    rows.erase(rows.begin() + 300, rows.begin() + 310);
    rows[120].size = *rows[120].size + 512;
    std::vector<std::int64_t> history = sizes;
    history.erase(history.begin() + 40);
    const JoinedClock joined = joinOf(history, rows);
    QVERIFY(joined.agreement.verdict == Verdict::Agrees);
    QCOMPARE(joined.agreement.shared, 400U - 10 - 1 - 1);
    // What has another size is missing on both sides.
    QCOMPARE(joined.agreement.unshared, 10U + 2 + 1);
    // Each pair is the same request: its size names it.
    const auto snapshot = snapshotOf(history);
    for (const SnapshotMoment& moment : joined.clock.moments)
        QCOMPARE((snapshot->entry(moment.event).size + 511) / 512 * 512, *rows[moment.row].size);
}

void TestSnapshotClock::otherProgramsAreNotJoined() {
    const JoinedClock joined = joinOf(randomSizes(400, 7), rowsOf(randomSizes(400, 8)));
    QVERIFY(joined.agreement.verdict == Verdict::NoAgreement);
    QVERIFY(joined.clock.empty());
    QVERIFY(joinOf(randomSizes(10, 7), rowsOf(randomSizes(10, 7))).clock.empty());
    QVERIFY(joinOf(randomSizes(100, 7), {}).agreement.verdict == Verdict::NoAllocations);
}

void TestSnapshotClock::stepsThatAreAllTheSameAreAmbiguous() {
    const auto step = randomSizes(60, 9);
    std::vector<std::int64_t> steps, last;
    for (int i = 0; i < 6; ++i) steps.insert(steps.end(), step.begin(), step.end());
    for (int i = 0; i < 2; ++i) last.insert(last.end(), step.begin(), step.end());
    const JoinedClock joined = joinOf(last, rowsOf(steps));
    QVERIFY(joined.agreement.verdict == Verdict::Ambiguous);
    QVERIFY(joined.clock.empty());
    // The whole of both fits in one way.
    const JoinedClock whole = joinOf(steps, rowsOf(steps));
    QVERIFY(whole.agreement.verdict == Verdict::Agrees);
    QCOMPARE(wrongMoments(whole, steps, 0), 0U);
}

void TestSnapshotClock::ownTimesPlaceWhatTheProfileLacks() {
    constexpr std::int64_t kSpacing = 100'000, kLater = 250;
    const auto sizes = randomSizes(300, 21);
    const auto snapshot = timedSnapshotOf(sizes, kClockStart, kSpacing);
    // A profile of the middle, whose times are those of the calls' ends.
    auto rows = spacedRowsOf(sizes, kClockStart + kLater, kSpacing);
    rows.erase(rows.begin() + 200, rows.end());
    rows.erase(rows.begin(), rows.begin() + 100);
    const JoinedClock joined = joinByAllocations(*snapshot, test::allocationTable(rows).get(), kClockSpan, {});
    QVERIFY(joined.agreement.verdict == Verdict::Agrees);
    QCOMPARE(joined.agreement.shared, 100U);
    QCOMPARE(joined.agreement.times.timed, 100U);
    QCOMPARE(joined.agreement.times.fitting, 100U);
    QCOMPARE(joined.agreement.times.ahead.value, kLater);
    QVERIFY(joined.agreement.times.isSameClock());
    QVERIFY(!joined.agreement.isTieBroken);
    for (EventNumber at = 0; at < snapshot->events; ++at) {
        QVERIFY(joined.clock.momentOf(at) != nullptr);
        QCOMPARE(joined.clock.timeOf(at)->value, snapshot->timeAt(at)->value + kLater);
    }
    std::size_t withRow = 0;
    for (const SnapshotMoment& moment : joined.clock.moments) withRow += moment.row != SnapshotMoment::kNoRow ? 1 : 0;
    QCOMPARE(withRow, 100U);
}

void TestSnapshotClock::aClockThatIsAheadIsTakenOff() {
    constexpr std::int64_t kSpacing = 100'000, kAhead = 5'000'000'000;
    const auto sizes = randomSizes(100, 22);
    const auto snapshot = timedSnapshotOf(sizes, kClockStart - kAhead, kSpacing);
    const auto rows = test::allocationTable(spacedRowsOf(sizes, kClockStart, kSpacing));
    const JoinedClock joined = joinByAllocations(*snapshot, rows.get(), kClockSpan, {});
    QVERIFY(joined.agreement.times.fits());
    QVERIFY(!joined.agreement.times.isSameClock());
    QCOMPARE(joined.agreement.times.ahead.value, kAhead);
    QCOMPARE(joined.clock.timeOf(snapshot->last())->value, snapshot->timeAt(snapshot->last())->value + kAhead);
}

void TestSnapshotClock::timesThatDoNotFitAreNotUsed() {
    const auto sizes = randomSizes(100, 23);
    // Half as fast as in the profile.
    const auto snapshot = timedSnapshotOf(sizes, kClockStart, 200'000'000);
    const auto rows = test::allocationTable(spacedRowsOf(sizes, kClockStart, 100'000'000));
    const JoinedClock joined = joinByAllocations(*snapshot, rows.get(), kClockSpan, {});
    QVERIFY(joined.agreement.verdict == Verdict::Agrees);
    QCOMPARE(joined.agreement.times.timed, 100U);
    QVERIFY(joined.agreement.times.fitting < 5U && !joined.agreement.times.fits());
    QCOMPARE(joined.clock.moments.size(), 100U);
}

void TestSnapshotClock::timesSayAtWhichOfEqualStepsItWas() {
    constexpr std::int64_t kSpacing = 100'000, kSteps = 100, kStepSize = 60;
    const auto step = randomSizes(kStepSize, 9);
    std::vector<std::int64_t> steps, two;
    for (int i = 0; i < kSteps; ++i) steps.insert(steps.end(), step.begin(), step.end());
    for (int i = 0; i < 2; ++i) two.insert(two.end(), step.begin(), step.end());
    const auto rows = test::allocationTable(spacedRowsOf(steps, kClockStart, kSpacing));
    for (const std::int64_t at : {0, 41, 98}) {
        const std::int64_t start = kClockStart + at * kStepSize * kSpacing;
        const auto snapshot = timedSnapshotOf(two, start - 800, kSpacing);
        const JoinedClock joined = joinByAllocations(*snapshot, rows.get(), kClockSpan, {});
        QVERIFY(joined.agreement.verdict == Verdict::Agrees);
        QVERIFY(joined.agreement.isTieBroken);
        QCOMPARE(joined.agreement.shared, 2U * kStepSize);
        QCOMPARE(joined.agreement.times.ahead.value, 800);
        QCOMPARE(joined.clock.moments.front().row, SnapshotMoment::kNoRow);
        QCOMPARE(joined.clock.moments[1].row, static_cast<std::uint32_t>(at * kStepSize));
    }
    // A clock that is not the profile's says nothing: all steps fit to it alike.
    const auto other = timedSnapshotOf(two, kClockStart - 3'600'000'000'000, kSpacing);
    QVERIFY(joinByAllocations(*other, rows.get(), kClockSpan, {}).agreement.verdict == Verdict::Ambiguous);
}

void TestSnapshotClock::absurdTimesPlaceNothing() {
    const auto sizes = randomSizes(40, 24);
    test::SnapshotScript script;
    script.segment(1 << 20, std::int64_t{1} << 40);
    std::int64_t address = 1 << 20;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        script.time = timeOfRow(i);
        script.alloc(address, sizes[i]);
        for (const std::int64_t absurd : {kMaxTimeNs, std::int64_t{0}, kClockStart - 10'000'000'000}) {
            script.time = absurd;
            script.outOfMemory(1);
        }
        script.time.reset();
        script.outOfMemory(1);
        address += 1 << 20;
    }
    const auto snapshot = script.snapshot();
    const auto rows = test::allocationTable(rowsOf(sizes));
    const JoinedClock joined = joinByAllocations(*snapshot, rows.get(), kClockSpan, {});
    QVERIFY(joined.agreement.times.fits());
    QCOMPARE(joined.clock.moments.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) QCOMPARE(joined.clock.moments[i].time.value, timeOfRow(i));
    // Differences of the farthest times.
    const HistoryTimes times = historyTimes({{-2 * kMaxTimeNs}, {2 * kMaxTimeNs}, {0}});
    QCOMPARE(times.fitting, 1U);
}

void TestSnapshotClock::timesOutsideOfTheSlicesAreCounted() {
    const auto sizes = randomSizes(100, 11);
    const TimeRange half{{timeOfRow(0)}, {timeOfRow(49)}};
    QCOMPARE(joinOf(sizes, rowsOf(sizes), half).agreement.outside, 50U);
    QCOMPARE(joinOf(sizes, rowsOf(sizes), std::nullopt).agreement.outside, 100U);
}

void TestSnapshotClock::rowsOfAnotherDeviceDoNotCount() {
    const auto sizes = randomSizes(100, 12), others = randomSizes(100, 13);
    const auto rows = test::sealedRows(RowKind::Allocation, [&](RowBatch& batch) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            for (const std::int64_t device : {1, 0}) {
                batch.addRow();
                test::setCell(batch, "size", ((device == 0 ? sizes : others)[i] + 511) / 512 * 512);
                test::setCell(batch, "alloc_ts", timeOfRow(i));
                test::setCell(batch, "device_id", device);
            }
        }
    });
    const JoinedClock joined = joinByAllocations(*snapshotOf(sizes), rows.get(), kClockSpan, {});
    QCOMPARE(joined.agreement.inProfile, 100U);
    QCOMPARE(joined.agreement.shared, 100U);
}

void TestSnapshotClock::rowsOfCannAreNotOfTheFramework() {
    const auto sizes = randomSizes(100, 14);
    const auto rows = test::sealedRows(RowKind::Allocation, [&](RowBatch& batch) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            for (const bool isOfFramework : {false, true}) {
                batch.addRow();
                test::setCell(batch, "size", isOfFramework ? sizes[i] : 8192);
                test::setCell(batch, "alloc_ts", timeOfRow(i));
                if (isOfFramework) test::setCell(batch, "stream", 7);
            }
        }
    });
    const JoinedClock joined = joinByAllocations(*snapshotOf(sizes), rows.get(), kClockSpan, {});
    QCOMPARE(joined.agreement.inProfile, 100U);
    QCOMPARE(joined.agreement.shared, 100U);
}

void TestSnapshotClock::sizesMayBeThoseWithPadding() {
    const auto sizes = randomSizes(100, 15);
    auto rows = rowsOf(sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) rows[i].size = (sizes[i] + 32 + 511) / 512 * 512;
    DeviceSnapshot padded = *snapshotOf(sizes);
    padded.padding = 32;
    const auto table = test::allocationTable(rows);
    QCOMPARE(joinByAllocations(padded, table.get(), kClockSpan, {}).agreement.shared, 100U);
    // And those without: the profiler of another version.
    const auto plain = test::allocationTable(rowsOf(sizes));
    QCOMPARE(joinByAllocations(padded, plain.get(), kClockSpan, {}).agreement.shared, 100U);
}

void TestSnapshotClock::betweenMomentsIsByNumberAndOutsideNothing() {
    const SnapshotClock clock{{{10, {1000}, 3}, {20, {2000}, 4}, {21, {2000}, 5}, {31, {2100}, 6}}};
    QVERIFY(!clock.timeOf(9));
    QVERIFY(!clock.timeOf(32));
    QVERIFY(!clock.eventAt({999}));
    QVERIFY(!clock.eventAt({2101}));
    QCOMPARE(clock.timeOf(10)->value, 1000);
    QCOMPARE(clock.timeOf(15)->value, 1500);
    QCOMPARE(clock.timeOf(26)->value, 2050);
    QCOMPARE(*clock.eventAt({1500}), 15);
    QCOMPARE(*clock.eventAt({2000}), 21);
    QCOMPARE(*clock.eventAt({2100}), 31);
    QCOMPARE(clock.momentOf(20)->row, 4U);
    QVERIFY(clock.momentOf(15) == nullptr);
}

void TestSnapshotClock::momentsSetByHand() {
    const SnapshotClock clock = clockByHand({{20, {2000}}, {10, {900}}, {10, {1000}}});
    QCOMPARE(clock.moments.size(), 2U);
    QCOMPARE(clock.timeOf(15)->value, 1500);
    QVERIFY(clockByHand({{20, {900}}, {10, {1000}}}).empty());
    const SnapshotClock one = clockByHand({{20, {900}}});
    QCOMPARE(one.timeOf(20)->value, 900);
    QVERIFY(!one.timeOf(21));
}

ALTI_TEST(TestSnapshotClock)
#include "tst_snapshot_clock.moc"
