#include "core/tables/scope/context_filter.h"

#include "core/tables/scope/rank_windows.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

using namespace altiscope;

namespace {

TimeRange range(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

/// Two ranks with steps 5 and 6, one after the other, rank 1 ten ns later; step 7 is known by its number alone.
CaptureStore capture() {
    CaptureStore store;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        RankEntry& entry = store.ranks.emplace_back();
        entry.info.rankId = rank;
        const std::int64_t late = 10 * rank;
        entry.steps = {{5, range(100 + late, 200 + late)}, {6, range(250 + late, 300 + late)}, {7, std::nullopt}};
        entry.trace = test::traceFromText("p1/t1: A[0,400)");
    }
    return store;
}

ContextFilter steps(std::vector<std::int64_t> numbers) {
    return {.ranks = {}, .devices = {}, .steps = std::move(numbers), .range = {}};
}

}  // namespace

class TestContextFilter : public QObject {
    Q_OBJECT
private slots:
    void aStepBelongsToARangeThatItOverlaps();
    void timesOfSteps();
    void whatHasNoTimeIsInNoRange();
    void aRangeIsOfOneCapture();
    void aRangeMarkedOverMovedRanksHoldsWhatIsDrawnThere();
};

void TestContextFilter::aRangeIsOfOneCapture() {
    ContextFilter context = steps({5});
    context.range = range(1, 2);
    context.rangeCapture = {7};
    QVERIFY(context.forCapture({7}) == context);
    QVERIFY(!context.forCapture({8}).range);
    QVERIFY(context.forCapture({8}).steps == context.steps);
}

/// Rank 1 is drawn 100 ns later than it was recorded.
void TestContextFilter::aRangeMarkedOverMovedRanksHoldsWhatIsDrawnThere() {
    const CaptureStore store = capture();
    ContextFilter context;
    context.range = range(300, 320);
    context.rangeCapture = {1};
    context.rangeShifts = std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {100}});
    QCOMPARE(context.onClockOf({0}).range, std::optional(range(300, 320)));
    QCOMPARE(context.onClockOf({1}).range, std::optional(range(200, 220)));
    QVERIFY2(context.onClockOf({1}).holds(store.ranks[1], 5), "recorded until 210, drawn until 310");
    QVERIFY2(!context.onClockOf({0}).holds(store.ranks[0], 6), "recorded and drawn until 300");
    const auto selected = rankWindows(store, context, std::nullopt);
    QCOMPARE(selected.size(), std::size_t{2});
    QCOMPARE(selected[1].times, std::optional(std::vector{range(200, 220)}));
    context.steps = {5};
    QCOMPARE(timesOf(context.onClockOf({1}), store.ranks[1]), std::optional(std::vector{range(200, 210)}));
    // Another capture has other ranks.
    QVERIFY(context.forCapture({2}).rangeShifts == nullptr && !context.forCapture({2}).range);
}

void TestContextFilter::aStepBelongsToARangeThatItOverlaps() {
    const CaptureStore store = capture();
    ContextFilter context;
    context.range = range(200, 260);
    QVERIFY2(!context.holds(store.ranks[0], 5), "it ends where the range begins");
    QVERIFY(context.holds(store.ranks[0], 6));
    QVERIFY2(context.holds(store.ranks[1], 5), "of rank 1 it ends at 210");
    QVERIFY2(!context.holds(store.ranks[1], 6), "of rank 1 it begins at 260");
    QVERIFY2(context.holds(store.ranks[0], std::nullopt), "the whole recording overlaps it");
    context.ranks = {1};
    QVERIFY(!context.holds(store.ranks[0], 6));
    // What lasts no time is where it stands.
    QVERIFY(context.holdsTime(range(200, 200)) && context.holdsTime(range(230, 230)) &&
            !context.holdsTime(range(260, 260)));
}

void TestContextFilter::whatHasNoTimeIsInNoRange() {
    const CaptureStore store = capture();
    ContextFilter context = steps({7});
    QVERIFY(context.holds(store.ranks[0], 7));
    QVERIFY2(!timesOf(context, store.ranks[0]), "a step without a time leaves nothing to keep to");
    context.range = range(0, 1000);
    QVERIFY(!context.holds(store.ranks[0], 7));
}

/// "Step 5" took what any rank did from where the first one began it to where the last one ended it.
void TestContextFilter::timesOfSteps() {
    CaptureStore store = capture();
    const auto &first = store.ranks[0], &second = store.ranks[1];
    QVERIFY(!timesOf({}, first));
    QVERIFY2(timesOf(steps({5}), first) == std::vector{range(100, 200)}, "of each rank its own");
    QVERIFY(timesOf(steps({5}), second) == std::vector{range(110, 210)});
    QVERIFY(timesOf(steps({5, 6}), second) == (std::vector{range(110, 210), range(260, 310)}));
    ContextFilter context = steps({5, 6});
    context.range = range(150, 255);
    QVERIFY(timesOf(context, first) == (std::vector{range(150, 200), range(250, 255)}));
    QVERIFY(timesOf(context, second) == (std::vector{range(150, 210)}));
    context.range = range(900, 950);
    QVERIFY2(timesOf(context, first) == std::vector<TimeRange>(), "nothing is not everything");
    context.range = range(150, 255);
    context.steps.clear();
    QVERIFY(timesOf(context, first) == std::vector{range(150, 255)});
    // A rank that did not get as far has nothing of a step; one without any steps is not known to have none.
    store.ranks[1].steps.erase(store.ranks[1].steps.begin() + 1);
    QVERIFY(timesOf(steps({6}), second) == std::vector<TimeRange>());
    QCOMPARE(rankWindows(store, steps({6}), std::nullopt).size(), std::size_t{1});
    store.ranks[1].steps.clear();
    QVERIFY(!timesOf(steps({6}), second));
}

ALTI_TEST(TestContextFilter)
#include "tst_context_filter.moc"
