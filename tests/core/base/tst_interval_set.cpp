#include "core/base/columns/interval_set.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <bitset>
#include <random>

using namespace altiscope;

namespace {

constexpr std::size_t kTicks = 400;
using Ticks = std::bitset<kTicks>;

TimeRange range(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

/// Every tick that any of the ranges holds: the slow and obvious way.
Ticks ticksOf(const std::vector<TimeRange>& ranges) {
    Ticks ticks;
    for (const TimeRange& r : ranges) {
        for (std::int64_t t = r.begin.value; t < r.end.value; ++t) ticks.set(static_cast<std::size_t>(t));
    }
    return ticks;
}

/// The shape that every set has: sorted, none empty, none touching.
bool isSet(const IntervalSet& set) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (set[i].end <= set[i].begin || (i > 0 && set[i].begin <= set[i - 1].end)) return false;
    }
    return true;
}

std::vector<TimeRange> randomRanges(std::mt19937& random) {
    std::uniform_int_distribution<std::int64_t> begin(0, kTicks - 40), length(0, 39), count(0, 25);
    std::vector<TimeRange> ranges;
    for (std::int64_t n = count(random); n > 0; --n) {
        const std::int64_t from = begin(random);
        ranges.push_back(range(from, from + length(random)));
    }
    return ranges;
}

}  // namespace

class TestIntervalSet : public QObject {
    Q_OBJECT
private slots:
    void equalsBruteForce();
    void bigInputsAreJoinedInPieces();
    void touchingIsOneInterval();
    void gapsAreBetweenIntervals();
    void cancelled();
};

void TestIntervalSet::equalsBruteForce() {
    const CancelToken token;
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 random(seed);
        const auto first = randomRanges(random), second = randomRanges(random), third = randomRanges(random);
        const Ticks a = ticksOf(first), b = ticksOf(second), c = ticksOf(third);
        const IntervalSet setA = unionOf(first, token), setB = unionOf(second, token), setC = unionOf(third, token);
        QVERIFY(isSet(setA));
        QCOMPARE(ticksOf(setA), a);
        QCOMPARE(lengthOf(setA).value, static_cast<std::int64_t>(a.count()));
        for (const auto& [set, ticks] :
             {std::pair(intersectionOf(setA, setB), a & b), std::pair(unionOf(setA, setB), a | b),
              std::pair(differenceOf(setA, setB), a & ~b)}) {
            QVERIFY(isSet(set));
            QCOMPARE(ticksOf(set), ticks);
        }
        // Parts that follow each other, and such that do not.
        const IntervalSet low = clipped(setA, range(0, 120)), high = clipped(setB, range(100, kTicks));
        for (const auto& [parts, ticks] :
             {std::pair(unionOfParts({setA, setB, setC}, token), a | b | c),
              std::pair(unionOfParts({low, {}, high}, token), ticksOf(low) | ticksOf(high))}) {
            QVERIFY(isSet(parts));
            QCOMPARE(ticksOf(parts), ticks);
        }
        const TimeRange window = range(100, 250);
        QCOMPARE(ticksOf(clipped(setA, window)), a & ticksOf({window}));
        QCOMPARE(lengthWithin(setA, window).value, static_cast<std::int64_t>((a & ticksOf({window})).count()));
    }
}

void TestIntervalSet::bigInputsAreJoinedInPieces() {
    // One interval reaches over the border of two pieces and some intervals behind it.
    std::vector<TimeRange> ranges;
    constexpr std::int64_t kCount = 700'000;
    std::int64_t covered = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
        const bool isLong = i % 100'000 == 62'100;
        ranges.push_back(range(i * 10, i * 10 + (isLong ? 4'000'003 : 4)));
    }
    std::int64_t end = 0;
    for (const TimeRange& r : ranges) {
        covered += std::max<std::int64_t>(0, r.end.value - std::max(end, r.begin.value));
        end = std::max(end, r.end.value);
    }
    std::vector<TimeRange> shuffled = ranges;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(1));
    const IntervalSet sorted = unionOf(std::move(ranges), {});
    QVERIFY(isSet(sorted));
    QCOMPARE(lengthOf(sorted).value, covered);
    QVERIFY(unionOf(std::move(shuffled), {}) == sorted);
}

void TestIntervalSet::touchingIsOneInterval() {
    QVERIFY(unionOf({range(0, 10), range(10, 20), range(30, 30)}, {}) == IntervalSet{range(0, 20)});
    QVERIFY(unionOf(IntervalSet{range(0, 10)}, IntervalSet{range(10, 20)}) == IntervalSet{range(0, 20)});
    QVERIFY(differenceOf(IntervalSet{range(0, 10)}, IntervalSet{range(10, 20)}) == IntervalSet{range(0, 10)});
    QVERIFY(intersectionOf(IntervalSet{range(0, 10)}, IntervalSet{range(10, 20)}).empty());
    QVERIFY(differenceOf({}, IntervalSet{range(0, 5)}).empty());
    QCOMPARE(differenceOf(IntervalSet{range(1, 5)}, {}).size(), std::size_t{1});
}

void TestIntervalSet::gapsAreBetweenIntervals() {
    QVERIFY(gapsOf(IntervalSet{}).empty());
    QVERIFY(gapsOf(IntervalSet{range(5, 6)}).empty());
    QVERIFY(
        (gapsOf(IntervalSet{range(0, 10), range(15, 20), range(30, 31)}) == IntervalSet{range(10, 15), range(20, 30)}));
}

void TestIntervalSet::cancelled() {
    const CancelToken token;
    token.requestCancel();
    QVERIFY(unionOf(std::vector<TimeRange>{range(5, 6), range(0, 1)}, token).empty());
    QVERIFY(unionOfParts({{range(5, 6)}, {range(0, 1)}}, token).empty());
}

ALTI_TEST(TestIntervalSet)
#include "tst_interval_set.moc"
