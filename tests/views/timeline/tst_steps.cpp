#include "tests/support/test_main.h"
#include "tests/views/timeline/canvas_stage.h"
#include "views/timeline/overlay/edge_arrows.h"
#include "views/timeline/overlay/overview_strip.h"
#include "views/timeline/overlay/step_band.h"
#include "views/timeline/overlay/veils.h"
#include "views/timeline/rows/opening_range.h"
#include "views/timeline/rows/row_titles.h"

#include <QSignalSpy>

#include <algorithm>
#include <memory>
#include <vector>

using namespace altiscope;
using altiscope::test::Stage;

/// Steps above the time axis, where a capture opens, and the ways to what is out of sight.
class TestSteps : public QObject {
    Q_OBJECT
private slots:
    void aStepIsThatOfOneRank();
    void theBandIsThatOfTheSelectedOrTopmostRank();
    void eachRankIsDimmedByItsOwnStep();
    void neighbours();
    void aClickShowsTheStepAloneAndASecondAll();
    void aDoubleClickZooms();
    void keysChooseTheNextStep();
    void theOverviewTakesThemToo();
    void withoutStepsThereIsNoBand();
    void opensOnTheSteps();
    void recordingsHoursApartAreNoEmptyCanvas();
    void aStepDoesNotSpanTwoClocks();
    void opensOnADensePartOfStepsFarApart();
    void opensWhereMostSlicesLie();
    void opensOnAllOfAFullRun();
    void keysGoToWhatIsOutOfSight();
    void arrowsSayWhereRowsGoOn();
};

namespace {

/// Two ranks with steps 1 and 2, the second rank 5 us later.
std::shared_ptr<CaptureStore> withSteps() {
    auto capture = test::captureFromTexts({"p1/t1: A[0,100000)\n", "p1/t1: B[0,100000)\n"});
    capture->ranks[0].steps = {{1, TimeRange{{10'000}, {40'000}}}, {2, TimeRange{{40'000}, {80'000}}}, {3, {}}};
    capture->ranks[1].steps = {{1, TimeRange{{15'000}, {45'000}}}, {2, TimeRange{{45'000}, {85'000}}}};
    return capture;
}

struct StepStage {
    StepStage() : runner(1), scene(runner), selected(scene, selection), band(scene, selected), strip(scene, selected) {
        band.resize(1000, 20);
        band.show();
        strip.resize(1000, 60);
        strip.show();
        test::showIn(scene, {{1, withSteps()}});
        scene.change([](ViewWindow& window) { window.show({{0}, {100'000}}, HistoryMark::NewStep); });
    }
    ~StepStage() { runner.shutdown(); }
    const std::vector<std::int64_t>& chosen() const { return selection.current().context.steps; }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    StepBand band;
    OverviewStrip strip;
};

/// Of the topmost rank.
constexpr TimeRange kFirst{{10'000}, {40'000}}, kSecond{{40'000}, {80'000}};
const std::vector<std::int64_t> kAll, kOne{1}, kTwo{2};

}  // namespace

/// "Step 6" marked 185 ms where no rank's step took more than 147: it was that of all ranks of a pipeline together.
void TestSteps::aStepIsThatOfOneRank() {
    TimelineSource source{1, withSteps(), {1000}, {}, {}};
    const auto steps = shownSteps(source, {});
    QCOMPARE(steps.size(), std::size_t{2});
    QCOMPARE(steps[0].size(), std::size_t{2});
    QCOMPARE(steps[0][0], (ShownStep{1, {{11'000}, {41'000}}}));
    QCOMPARE(steps[1][0], (ShownStep{1, {{16'000}, {46'000}}}));
    QCOMPARE(hullOf(steps), std::optional(TimeRange{{11'000}, {86'000}}));
    // What the context does not hold has none.
    ContextFilter context;
    context.ranks = {1};
    QVERIFY(shownSteps(source, context)[0].empty());
    // Where its clock is moved, its steps go with it.
    auto shifts = std::make_shared<RankShifts>();
    shifts->own = {std::nullopt, OwnShift{500, ShiftOrigin::Hand, {}}};
    source.rankShifts = shifts;
    QCOMPARE(shownSteps(source, {})[1][0].range, (TimeRange{{16'500}, {46'500}}));
}

/// The ruler said 6 above a slice whose details said step 5.
void TestSteps::theBandIsThatOfTheSelectedOrTopmostRank() {
    StepStage stage;
    QCOMPARE(stage.selected.steps().front().range, kFirst);
    QCOMPARE(stage.selected.stepRankName(), QStringLiteral("Rank 0"));
    const auto& store = *stage.scene.model().sources()[0].store;
    stage.selection.selectSlice({1}, {.rank = {1}, .id = store.ranks[1].trace->id({0})});
    QCOMPARE(stage.selected.steps().front().range, (TimeRange{{15'000}, {45'000}}));
    QCOMPARE(stage.selected.stepRankName(), QStringLiteral("Rank 1"));
    // Where the first rank is scrolled away it is the next one.
    stage.selection.clear();
    stage.scene.viewport().setHeight(30);
    stage.scene.setAllExpanded(true);
    stage.scene.viewport().setScrollTop(stage.scene.viewport().maxScrollTop());
    QCOMPARE(stage.selected.stepRankName(), QStringLiteral("Rank 1"));
    // Of one rank alone there is nothing to tell apart.
    ContextFilter context;
    context.ranks = {0};
    stage.scene.setContext(context);
    QCOMPARE(stage.selected.stepRankName(), QString());
}

void TestSteps::eachRankIsDimmedByItsOwnStep() {
    StepStage stage;
    stage.scene.viewport().setHeight(400);
    QVERIFY(veilsOf(stage.scene).empty());
    ContextFilter context;
    context.steps = {2};
    stage.scene.keepWindowOnce();
    stage.scene.setContext(context);
    QCOMPARE(stage.scene.window().range(), (TimeRange{{0}, {100'000}}));
    const auto outside = [](std::int64_t begin, std::int64_t end) {
        return std::vector{TimeRange{{0}, {begin}}, TimeRange{{end}, {100'000}}};
    };
    const auto veils = veilsOf(stage.scene);
    const auto has = [&veils](const std::vector<TimeRange>& ranges) {
        return std::any_of(veils.begin(), veils.end(), [&](const Veil& veil) { return veil.ranges == ranges; });
    };
    QVERIFY(has(outside(40'000, 80'000)));
    QVERIFY(has(outside(45'000, 85'000)));
    for (std::size_t i = 1; i < veils.size(); ++i) QVERIFY(veils[i].top >= veils[i - 1].bottom);
    // The same for all is one part.
    context.ranks = {1};
    stage.scene.setContext(context);
    stage.scene.change([](ViewWindow& window) { window.show({{0}, {100'000}}, HistoryMark::NewStep); });
    QCOMPARE(veilsOf(stage.scene), (std::vector{Veil{0, 400, outside(45'000, 85'000)}}));
}

void TestSteps::neighbours() {
    const std::vector<ShownStep> steps{{1, {{10}, {20}}}, {2, {{20}, {30}}}, {3, {{40}, {50}}}};
    const auto number = [&](std::optional<std::int64_t> from, TimeRange window, bool forward) {
        const auto step = neighbourStep(steps, from, window, forward);
        return step ? step->number : -1;
    };
    QCOMPARE(number(2, {{0}, {100}}, true), 3);
    QCOMPARE(number(2, {{0}, {100}}, false), 1);
    QCOMPARE(number(3, {{0}, {100}}, true), -1);
    QCOMPARE(number({}, {{15}, {100}}, true), 2);
    QCOMPARE(number({}, {{0}, {45}}, false), 2);
    QCOMPARE(stepAt(steps, {20})->number, 2);
    QVERIFY(!stepAt(steps, {35}));
    QVERIFY(!stepAt(steps, {50}));
}

void TestSteps::aClickShowsTheStepAloneAndASecondAll() {
    StepStage stage;
    QVERIFY(stage.band.isVisible());
    ContextFilter context;
    context.range = TimeRange{{0}, {20'000}};
    context.ranks = {0};
    stage.selection.setContext(context);
    QTest::mouseClick(&stage.band, Qt::LeftButton, {}, {200, 10});
    QCOMPARE(stage.chosen(), kOne);
    // What else all pages show stays, but a range that cuts the step.
    QCOMPARE(stage.selection.current().context.ranks, std::vector<std::int64_t>{0});
    QVERIFY(!stage.selection.current().context.range && !stage.selected.markedRange());
    QTest::mouseClick(&stage.band, Qt::LeftButton, {}, {420, 10});
    QCOMPARE(stage.chosen(), kTwo);
    QTest::mouseClick(&stage.band, Qt::LeftButton, {}, {420, 10});
    QCOMPARE(stage.chosen(), kAll);
    QTest::mouseClick(&stage.band, Qt::LeftButton, {}, {950, 10});
    QCOMPARE(stage.chosen(), kAll);
}

void TestSteps::aDoubleClickZooms() {
    StepStage stage;
    QTest::mouseDClick(&stage.band, Qt::LeftButton, {}, {200, 10});
    QCOMPARE(stage.scene.window().range(), kFirst);
    QCOMPARE(stage.chosen(), kOne);
}

void TestSteps::keysChooseTheNextStep() {
    StepStage stage;
    stage.selected.chooseNeighbourStep(true);
    QCOMPARE(stage.chosen(), kOne);
    stage.selected.chooseNeighbourStep(true);
    QCOMPARE(stage.chosen(), kTwo);
    QSignalSpy reported(&stage.selected, &TimelineSelection::statusMessage);
    stage.selected.chooseNeighbourStep(true);
    QCOMPARE(reported.count(), 1);
    QCOMPARE(stage.chosen(), kTwo);
    // One that is out of sight comes into it.
    stage.scene.change([](ViewWindow& window) { window.show({{90'000}, {99'000}}, HistoryMark::NewStep); });
    stage.selected.chooseNeighbourStep(false);
    QCOMPARE(stage.scene.window().range(), kFirst);
}

void TestSteps::theOverviewTakesThemToo() {
    StepStage stage;
    // The strip shows the whole run with a hundredth on either side.
    QTest::mouseClick(&stage.strip, Qt::LeftButton, {}, {200, 3});
    QCOMPARE(stage.chosen(), kOne);
    QCOMPARE(stage.scene.window().range(), (TimeRange{{0}, {100'000}}));
    QTest::mouseDClick(&stage.strip, Qt::LeftButton, {}, {700, 3});
    QCOMPARE(stage.scene.window().range(), kSecond);
}

void TestSteps::withoutStepsThereIsNoBand() {
    StepStage stage;
    test::showIn(stage.scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000)\n"})}});
    QVERIFY(!stage.band.isVisible());
}

namespace {

std::optional<TimeRange> openingOf(const std::shared_ptr<CaptureStore>& capture) {
    TimelineSources sources;
    sources.set({TimelineSource{1, capture, {}, {}, {}}});
    return openingRange(sources, hullOf(shownSteps(sources[0], {})), capture->ranks[0].trace->homeRange());
}

}  // namespace

void TestSteps::opensOnTheSteps() {
    auto capture = test::captureFromTexts({"p1/t1: early[0,1000) late[900000,1000000)\n"});
    capture->ranks[0].steps = {{1, TimeRange{{400'000}, {440'000}}}, {2, TimeRange{{440'000}, {480'000}}}};
    // With a fortieth of them on either side.
    QCOMPARE(openingOf(capture), std::optional(TimeRange{{398'000}, {482'000}}));
    capture = test::captureFromTexts({"p1/t1: early[0,1000) step[100000,800000) late[900000,1000000)\n"});
    capture->ranks[0].steps = {{1, TimeRange{{100'000}, {800'000}}}};
    QVERIFY(!openingOf(capture));
}

/// Of two recordings, hours apart, the whole was shown, in which both are a pixel wide; and a step reached from one to
/// the other.
void TestSteps::recordingsHoursApartAreNoEmptyCanvas() {
    auto capture =
        test::captureFromTexts({"p1/t1: A[0,1000) B[1000,2000)\n", "p1/t1: A[9000000,9001000) B[9001000,9003000)\n"});
    for (RankEntry& rank : capture->ranks) rank.info.rankId = 0;
    capture->ranks[0].steps = {{6, TimeRange{{0}, {2'000}}}};
    capture->ranks[1].steps = {{6, TimeRange{{9'000'000}, {9'003'000}}}};
    TimelineSources sources;
    sources.set({TimelineSource{1, capture, {}, {}, {}}});
    const auto steps = shownSteps(sources[0], {});
    QCOMPARE(steps[0], (std::vector{ShownStep{6, {{0}, {2'000}}}}));
    QCOMPARE(steps[1], (std::vector{ShownStep{6, {{9'000'000}, {9'003'000}}}}));
    const auto range = openingRange(sources, hullOf(steps), {{0}, {9'003'000}});
    QVERIFY(range && range->length() < DurationNs{100'000});
}

/// Step 5 lasted three hours: another recording of the rank, in tables alone, had steps of the same numbers.
void TestSteps::aStepDoesNotSpanTwoClocks() {
    auto capture = withSteps();
    RankEntry& other = capture->ranks.emplace_back();
    other.info.state = RankState::Ok;
    other.info.traceBytes = 100;
    other.steps = {{1, TimeRange{{11'624'000'000}, {11'625'000'000}}}};
    TimelineSource source{1, capture, {}, {}, {}};
    QCOMPARE(shownSteps(source, {})[0].front().range, kFirst);
    QVERIFY(shownSteps(source, {})[2].empty());
    TimelineSources sources;
    sources.set({source});
    TimelineRow row;
    row.kind = TimelineRowKind::Rank;
    row.rank = {2};
    QCOMPARE(rowNote(sources, row), QStringLiteral("no timeline"));
    capture->ranks[2].info.state = RankState::Listed;
    QCOMPARE(rowNote(sources, row), QStringLiteral("not read yet"));
    // Without any timeline there is one clock.
    for (RankEntry& rank : capture->ranks) rank.trace = nullptr;
    QCOMPARE(shownSteps(source, {})[2].size(), std::size_t{1});
}

void TestSteps::opensOnADensePartOfStepsFarApart() {
    std::string text = "p1/t1:";
    for (int i = 0; i < 100; ++i)
        text += " k[" + std::to_string(1'000'000 + i * 1000) + "," + std::to_string(1'000'000 + i * 1000 + 900) + ")";
    auto capture = test::captureFromTexts({text + " last[9000000,9000100)\n"});
    capture->ranks[0].steps = {{1, TimeRange{{1'000'000}, {1'100'000}}}, {2, TimeRange{{3'000'000}, {3'100'000}}}};
    const auto range = openingOf(capture);
    QVERIFY(range && range->begin.value <= 1'000'000 && range->end.value >= 1'099'900);
    QVERIFY2(range->length().value < 200'000, qPrintable(QString::number(range->length().value)));
}

void TestSteps::opensWhereMostSlicesLie() {
    // 16 ms, in which 200 slices lie within 40 us, 8 ms after the begin. What is further away is no part of the run.
    std::string text = "p1/t1: first[0,100)";
    constexpr std::int64_t kDense = 8'000'000;
    for (int i = 0; i < 200; ++i)
        text += " k[" + std::to_string(kDense + i * 200) + "," + std::to_string(kDense + i * 200 + 150) + ")";
    const auto capture = test::captureFromTexts({text + " last[16000000,16000100)\n"});
    const auto range = openingOf(capture);
    QVERIFY(range);
    QVERIFY(range->begin.value <= kDense && range->end.value >= kDense + 199 * 200 + 150);
    // Nothing on either side stays empty.
    QVERIFY2(range->length().value < 45'000, qPrintable(QString::number(range->length().value)));
    // In the scene as well, and Ctrl+0 shows the whole run.
    JobRunner runner(1);
    TimelineScene scene(runner);
    test::showIn(scene, {{1, capture}});
    // Its home has margins, so that the parts lie otherwise.
    const TimeRange opened = scene.window().range();
    QVERIFY(opened.begin.value <= kDense && opened.end.value >= kDense + 199 * 200 + 150);
    QVERIFY(opened.length().value < 45'000);
    QVERIFY(scene.isAsOpened() && !scene.window().atHome() && scene.window().canUndo());
    // Who has looked elsewhere stays there when the capture is read again.
    scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
    test::showIn(scene, {{1, capture}});
    QVERIFY(scene.window().atHome());
    runner.shutdown();
}

void TestSteps::opensOnAllOfAFullRun() {
    QVERIFY(!openingOf(test::captureFromTexts({"p1/t1: whole[0,100000)\np1/t2: A[10,20)\n"})));
    std::string text = "p1/t1:";
    for (int i = 0; i < 100; ++i) text += " k[" + std::to_string(i * 1000) + "," + std::to_string(i * 1000 + 10) + ")";
    QVERIFY(!openingOf(test::captureFromTexts({text + "\n"})));
}

void TestSteps::keysGoToWhatIsOutOfSight() {
    Stage stage("p1/t1: A[0,100) B[50000,50100) C[99000,100000)\n");
    stage.window({{20'000}, {24'000}});
    QTest::keyClick(&stage.canvas, Qt::Key_Period);
    // As long as before, B a quarter of it from the edge.
    QCOMPARE(stage.range(), (TimeRange{{49'000}, {53'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_Comma);
    QCOMPARE(stage.range().length().value, std::int64_t{4000});
    QVERIFY(stage.range().begin.value < 100 && stage.range().end.value > 0);
    QSignalSpy reported(&stage.selected, &TimelineSelection::statusMessage);
    QTest::keyClick(&stage.canvas, Qt::Key_Comma);
    QCOMPARE(reported.count(), 1);
}

void TestSteps::arrowsSayWhereRowsGoOn() {
    Stage stage("p1/t1: A[0,100) C[99000,100000)\np1/t2: B[10000,50000)\n");
    stage.window({{20'000}, {24'000}});
    const auto arrows = edgeArrows(stage.scene, stage.canvas.loader(), stage.canvas.width());
    // The thread that shows nothing has both, the other none.
    QCOMPARE(arrows.size(), std::size_t{2});
    QVERIFY(arrows[0].row == arrows[1].row && !arrows[0].forward && arrows[1].forward);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, arrows[1].area.center().toPoint());
    stage.settle();
    // As far as the run goes, with its hundredth: C would begin a quarter from the left.
    QCOMPARE(stage.range(), (TimeRange{{97'000}, {101'000}}));
    // Now the other one shows nothing, and has nothing later.
    const auto others = edgeArrows(stage.scene, stage.canvas.loader(), stage.canvas.width());
    QCOMPARE(others.size(), std::size_t{1});
    QVERIFY(others[0].row != arrows[0].row && !others[0].forward);
}

ALTI_TEST(TestSteps)
#include "tst_steps.moc"
