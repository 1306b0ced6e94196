#include "core/session/selection.h"

#include "tests/support/test_main.h"

#include <QSignalSpy>

using namespace altiscope;

namespace {

constexpr SliceKey key(std::int64_t id) { return {.rank = {0}, .id = {id}}; }
constexpr TimeRange kRange{{10}, {20}};

}  // namespace

class TestSelection : public QObject {
    Q_OBJECT
private slots:
    void eachChangeIsAStep();
    void equalStateIsNoStep();
    void newStepEndsTheFuture();
    void sliceKeepsTheRangeOfItsCapture();
    void historyHasAnEnd();
    void forgettingLeavesNoTrace();
    void revealIsNoState();
    void shiftsAreNoState();
    void aStepBackLeadsToThePageOfTheLink();
    void aClosedCaptureTakesItsRangeAlong();
    void rangeOfAllPagesGoesWithWhereRanksAreDrawn();
    void baseIsAStepAndGoesWithItsCapture();
    void baseHasTheContextsNumbersUnlessItHasItsOwn();
    void computedTracksHaveAnEnd();
    void eachCaptureHasAContextOfItsOwn();
};

void TestSelection::aClosedCaptureTakesItsRangeAlong() {
    Selection selection;
    ContextFilter context;
    context.ranks = {3};
    context.range = kRange;
    context.rangeCapture = {1};
    selection.setContext(context);
    selection.selectSlice({2}, key(7));
    QSignalSpy changed(&selection, &Selection::changed);
    selection.forget({1});
    QCOMPARE(changed.count(), 1);
    QVERIFY(!selection.current().context.range);
    QCOMPARE(selection.current().context.ranks, std::vector<std::int64_t>{3});
    selection.undo();
    QVERIFY(!selection.current().context.range);
}

/// A second capture inherited the step filter of the first one, and its overview was empty.
void TestSelection::eachCaptureHasAContextOfItsOwn() {
    Selection selection;
    ContextFilter first, second;
    first.steps = {6};
    second.ranks = {1, 2};
    // What was chosen before any capture is that of the first one.
    selection.setContext(first);
    selection.showCapture({1});
    QCOMPARE(selection.current().context, first);
    QSignalSpy changed(&selection, &Selection::changed);
    selection.showCapture({2});
    QCOMPARE(changed.count(), 1);
    QVERIFY(selection.current().context.empty());
    selection.setContext(second);
    selection.showCapture({1});
    QCOMPARE(selection.current().context, first);
    selection.showCapture({2});
    QCOMPARE(selection.current().context, second);
    // A step back does not bring the context of another one.
    selection.setRange(kRange);
    selection.showCapture({1});
    selection.undo();
    QCOMPARE(selection.current().context, first);
    selection.showCapture({2});
    QCOMPARE(selection.current().context, second);
    // But that of the same.
    selection.setContext({});
    selection.undo();
    QCOMPARE(selection.current().context, second);
    selection.showCapture({1});
    selection.showCapture({2});
    QCOMPARE(selection.current().context, second);
    // A closed one takes its own along.
    selection.forget({2});
    selection.showCapture({1});
    QCOMPARE(selection.current().context, first);
    selection.showCapture({2});
    QVERIFY(selection.current().context.empty());
}

void TestSelection::rangeOfAllPagesGoesWithWhereRanksAreDrawn() {
    Selection selection;
    const auto shifts = std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {5}});
    selection.setShifts({1}, shifts);
    ContextFilter context;
    context.range = kRange;
    context.rangeCapture = {1};
    selection.setContext(context);
    QCOMPARE(selection.current().context.shiftOf({1}), DurationNs{5});
    QSignalSpy changed(&selection, &Selection::changed);
    selection.setShifts({1}, nullptr);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(selection.current().context.shiftOf({1}), DurationNs{0});
    // Of a capture that gave no range nothing changes.
    selection.setShifts({2}, shifts);
    QCOMPARE(changed.count(), 1);
    selection.setRange(kRange);
    selection.setShifts({1}, shifts);
    selection.undo();
    QCOMPARE(selection.current().context.shiftOf({1}), DurationNs{5});
}

void TestSelection::aStepBackLeadsToThePageOfTheLink() {
    Selection selection;
    selection.setPage("overview");
    QVERIFY2(!selection.canUndo(), "a page alone is no step");
    selection.setRange(kRange);
    selection.setPage("timeline");
    selection.undo();
    QCOMPARE(selection.current().page, std::string("overview"));
    selection.redo();
    QCOMPARE(selection.current().page, std::string("timeline"));
    selection.clear();
    QCOMPARE(selection.current().page, std::string("timeline"));
}

void TestSelection::eachChangeIsAStep() {
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed);
    QVERIFY(!selection.canUndo());
    selection.selectSlice({1}, key(7));
    selection.setRange(kRange);
    selection.selectSlice({1}, key(8));
    QCOMPARE(changed.count(), 3);
    QCOMPARE(selection.current(), (SelectionState{1, key(8), kRange}));
    selection.undo();
    QCOMPARE(selection.current(), (SelectionState{1, key(7), kRange}));
    selection.undo();
    QCOMPARE(selection.current(), (SelectionState{1, key(7), std::nullopt}));
    selection.redo();
    QCOMPARE(selection.current(), (SelectionState{1, key(7), kRange}));
    selection.undo();
    selection.undo();
    QCOMPARE(selection.current(), SelectionState{});
    QVERIFY(!selection.canUndo());
    selection.undo();  // Nothing left: nothing happens.
    QCOMPARE(selection.current(), SelectionState{});
    QCOMPARE(changed.count(), 8);
}

void TestSelection::equalStateIsNoStep() {
    Selection selection;
    selection.selectSlice({1}, key(7));
    QSignalSpy changed(&selection, &Selection::changed);
    selection.selectSlice({1}, key(7));
    QCOMPARE(changed.count(), 0);
    selection.undo();
    QVERIFY(!selection.canUndo());
}

void TestSelection::newStepEndsTheFuture() {
    Selection selection;
    selection.selectSlice({1}, key(7));
    selection.undo();
    QVERIFY(selection.canRedo());
    selection.selectSlice({1}, key(8));
    QVERIFY(!selection.canRedo());
    selection.clear();
    QCOMPARE(selection.current(), SelectionState{});
    selection.undo();
    QCOMPARE(selection.current().slice, std::optional(key(8)));
}

void TestSelection::sliceKeepsTheRangeOfItsCapture() {
    Selection selection;
    selection.selectSlice({1}, key(7));
    selection.setRange(kRange);
    selection.selectSlice({2}, key(7));
    QCOMPARE(selection.current(), (SelectionState{2, key(7), std::nullopt}));
}

void TestSelection::historyHasAnEnd() {
    Selection selection;
    const auto steps = static_cast<std::int64_t>(Selection::kHistory) + 10;
    for (std::int64_t i = 1; i <= steps; ++i) selection.selectSlice({1}, key(i));
    std::size_t undone = 0;
    for (; selection.canUndo(); ++undone) selection.undo();
    QCOMPARE(undone, Selection::kHistory);
    QCOMPARE(selection.current().slice, std::optional(key(10)));
}

void TestSelection::forgettingLeavesNoTrace() {
    Selection selection;
    selection.selectSlice({1}, key(7));
    selection.selectSlice({2}, key(8));
    selection.selectSlice({1}, key(7));
    selection.selectSlice({2}, key(9));
    selection.undo();  // Now: nothing, 1, 2, [1], 2
    QSignalSpy changed(&selection, &Selection::changed);
    selection.forget({2});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(selection.current(), (SelectionState{1, key(7), std::nullopt}));
    QVERIFY(!selection.canRedo());
    selection.undo();  // The two equal steps around the forgotten one became one.
    QCOMPARE(selection.current(), SelectionState{});
    QVERIFY(!selection.canUndo());

    selection.selectSlice({1}, key(7));
    selection.forget({1});
    QCOMPARE(selection.current(), SelectionState{});
    QVERIFY(!selection.canUndo());
    QVERIFY(!selection.canRedo());
}

void TestSelection::revealIsNoState() {
    Selection selection;
    QSignalSpy reveal(&selection, &Selection::revealRequested);
    QSignalSpy changed(&selection, &Selection::changed);
    selection.reveal({3}, key(7));
    QCOMPARE(reveal.count(), 1);
    QCOMPARE(reveal.at(0).at(0).value<CaptureId>(), CaptureId{3});
    QCOMPARE(changed.count(), 0);
}

void TestSelection::shiftsAreNoState() {
    Selection selection;
    QSignalSpy shifts(&selection, &Selection::shiftsChanged);
    QSignalSpy changed(&selection, &Selection::changed);
    const auto list = [](std::int64_t second) {
        return std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {second}});
    };
    const auto first = list(5);
    selection.setShifts({1}, first);
    selection.setShifts({1}, list(5));
    QCOMPARE(shifts.count(), 1);
    QCOMPARE(selection.shiftsOf({1}), first);
    selection.setShifts({1}, list(6));
    QCOMPARE((*selection.shiftsOf({1}))[1], DurationNs{6});
    QVERIFY(selection.shiftsOf({2}) == nullptr);
    selection.setShifts({2}, nullptr);
    QCOMPARE(shifts.count(), 2);
    selection.setShifts({1}, list(6), TimeNs{9});
    QCOMPARE(shifts.count(), 3);
    QCOMPARE(selection.originOf({1}), std::optional(TimeNs{9}));
    QVERIFY(!selection.originOf({2}));
    selection.forget({1});
    QVERIFY(selection.shiftsOf({1}) == nullptr && !selection.originOf({1}));
    QCOMPARE(changed.count(), 0);
}

void TestSelection::baseIsAStepAndGoesWithItsCapture() {
    Selection selection;
    selection.selectSlice({1}, key(7));
    selection.setBase(BaseChoice{.capture = {2}, .ranks = {}, .steps = {}});
    QVERIFY(selection.baseOf({1}) && selection.baseOf({1})->capture == CaptureId{2});
    // All of what is shown is no base of itself; a part of it is.
    QVERIFY(!selection.baseOf({2}));
    selection.setBase(BaseChoice{.capture = {2}, .ranks = {3}, .steps = {}});
    QVERIFY(selection.baseOf({2}));
    selection.clear();
    QVERIFY(selection.current().base && !selection.current().slice);
    selection.undo();
    selection.undo();
    QVERIFY(selection.current().base->ranks.empty());
    QSignalSpy changed(&selection, &Selection::changed);
    selection.forget({2});
    QCOMPARE(changed.count(), 1);
    QVERIFY(!selection.current().base);
    selection.redo();
    QVERIFY(!selection.current().base);
}

void TestSelection::baseHasTheContextsNumbersUnlessItHasItsOwn() {
    ContextFilter context;
    context.ranks = {0, 1};
    context.devices = {4};
    context.steps = {5};
    context.range = kRange;
    context.rangeCapture = {1};
    const ContextFilter same = baseContext(context, {.capture = {1}, .ranks = {}, .steps = {}});
    QCOMPARE(same, context);
    const ContextFilter other = baseContext(context, {.capture = {2}, .ranks = {}, .steps = {}});
    QVERIFY(!other.range && other.steps == context.steps && other.ranks == context.ranks);
    const ContextFilter rank = baseContext(context, {.capture = {1}, .ranks = {7}, .steps = {}});
    QVERIFY(rank.ranks == std::vector<std::int64_t>{7} && rank.devices.empty() && rank.range == context.range);
    const ContextFilter step = baseContext(context, {.capture = {1}, .ranks = {}, .steps = {9}});
    QVERIFY(step.steps == std::vector<std::int64_t>{9} && !step.range && step.ranks == context.ranks);
}

void TestSelection::computedTracksHaveAnEnd() {
    Selection selection;
    QSignalSpy changed(&selection, &Selection::tracksChanged);
    const auto store = std::make_shared<const CaptureStore>();
    std::uint32_t first = 0, last = 0;
    for (std::size_t i = 0; i <= Selection::kMaxTracks; ++i) {
        last = selection.addTrack({.id = 0, .capture = {1}, .title = "Query", .store = store});
        if (i == 0) first = last;
    }
    QCOMPARE(selection.tracks().size(), Selection::kMaxTracks);
    selection.removeTrack(first);
    QCOMPARE(selection.tracks().size(), Selection::kMaxTracks);
    selection.removeTrack(last);
    QCOMPARE(selection.tracks().size(), Selection::kMaxTracks - 1);
    selection.forget({1});
    QVERIFY(selection.tracks().empty());
    QCOMPARE(changed.count(), static_cast<int>(Selection::kMaxTracks) + 3);
}

ALTI_TEST(TestSelection)
#include "tst_selection.moc"
