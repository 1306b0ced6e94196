#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/scene/timeline_clocks.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace altiscope;

/// Ranks drawn aligned: times of a rank whose clock is behind by 1,000,000 ns.
class TestAlignedClocks : public QObject {
    Q_OBJECT
private slots:
    void ranksLieUponEachOther();
    void withoutClocksNothingMoves();
    void clocksThatAreNoLongerWantedAreNotReported();
    void stepsAreShadedWhereTheirRanksAreDrawn();
    void aRankThatIsMovedWhileARangeIsShownTakesNobodysWindowAlong();
};

namespace {

struct TwoRanks {
    TwoRanks() : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        canvas.resize(1000, 400);
        canvas.show();
        capture =
            test::captureFromTexts({"p1/t1: A[1000000,1001000)", "p1/t1: A[0,1000)", "p1/t1: A[1000000,1001000)"});
        auto made = std::make_shared<ClockAlignment>();
        made->ranks.resize(3);
        made->ranks[0].state = RankClock::State::Reference;
        made->ranks[1].state = RankClock::State::Aligned;
        made->ranks[1].offset = 1'000'000;
        made->ranks[2].state = RankClock::State::NoCommonGroup;
        made->ranks[2].offset = 77;
        clocks = made;
    }
    ~TwoRanks() { runner.shutdown(); }
    void show(std::shared_ptr<const ClockAlignment> with) {
        test::showIn(scene, {{.capture = {1},
                              .store = capture,
                              .origin = {},
                              .rankShifts = with ? std::make_shared<const RankShifts>(RankShifts{std::move(with), {}})
                                                 : nullptr}});
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle(); }));
    }
    TimeRange rangeOf(std::uint32_t rank) {
        selected.select({1}, {rank}, capture->ranks[rank].trace, {0});
        return selected.sliceRange().value_or(TimeRange{});
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
    std::shared_ptr<const ClockAlignment> clocks;
};

}  // namespace

void TestAlignedClocks::ranksLieUponEachOther() {
    TwoRanks ranks;
    ranks.show(ranks.clocks);
    for (const std::uint32_t rank : {0U, 1U, 2U}) QCOMPARE(ranks.rangeOf(rank), (TimeRange{{1'000'000}, {1'001'000}}));
    // The run is as short as one of them.
    QVERIFY(ranks.scene.window().home().length().value < 2'000);
    // A range is one of the capture, which lies on the reference's clock.
    static_cast<void>(ranks.rangeOf(1));
    ranks.selected.toggleRangeOfSlice();
    QCOMPARE(ranks.selection.current().range, std::optional(TimeRange{{1'000'000}, {1'001'000}}));
    const SliceSelection all = selectionOf(ranks.scene.model(), 0, nullptr, ranks.selected.markedRange(), false);
    QCOMPARE(spansOf(all).size(), std::size_t{3});
    QCOMPARE(all.ranks[1].shift.value, std::int64_t{1'000'000});
}

void TestAlignedClocks::withoutClocksNothingMoves() {
    TwoRanks ranks;
    ranks.show(nullptr);
    QCOMPARE(ranks.rangeOf(1), (TimeRange{{0}, {1'000}}));
    ranks.show(ranks.clocks);
    QCOMPARE(ranks.rangeOf(1), (TimeRange{{1'000'000}, {1'001'000}}));
    ranks.show(nullptr);
    QCOMPARE(ranks.rangeOf(1), (TimeRange{{0}, {1'000}}));
}

void TestAlignedClocks::clocksThatAreNoLongerWantedAreNotReported() {
    QTemporaryDir folder;
    QDir(folder.path()).mkdir(QStringLiteral("capture"));
    QFile file(folder.filePath(QStringLiteral("capture/trace.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"([{"ph":"X","name":"A","pid":1,"tid":1,"ts":"1000.000","dur":10}])");
    file.close();
    JobRunner runner(2);
    Session session(runner);
    const CaptureId id = session.open(folder.filePath(QStringLiteral("capture")));
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }));
    TimelineScene scene(runner);
    Selection selection;
    TimelineSelection selected(scene, selection);
    TimelineClocks clocks(session, scene, selected);
    const QSignalSpy reported(&clocks, &TimelineClocks::statusMessage);
    clocks.perform(ClockAction::Toggle);
    clocks.follow();
    QVERIFY(!clocks.idle());
    clocks.perform(ClockAction::Toggle);
    QVERIFY(QTest::qWaitFor([&] { return clocks.idle() && runner.idle(); }));
    QCOMPARE(reported.size(), 1);
    runner.shutdown();
}

void TestAlignedClocks::stepsAreShadedWhereTheirRanksAreDrawn() {
    TwoRanks ranks;
    ranks.capture->ranks[1].steps = {{.number = 5, .range = TimeRange{{100}, {900}}}};
    ranks.show(nullptr);
    ContextFilter context;
    context.steps = {5};
    ranks.scene.setContext(context);
    QCOMPARE(ranks.scene.times(), std::optional(std::vector{TimeRange{{100}, {900}}}));
    ranks.show(ranks.clocks);
    QCOMPARE(ranks.scene.times(), std::optional(std::vector{TimeRange{{1'000'100}, {1'000'900}}}));
}

void TestAlignedClocks::aRankThatIsMovedWhileARangeIsShownTakesNobodysWindowAlong() {
    TwoRanks ranks;
    ranks.capture->ranks[1].steps = {{.number = 5, .range = TimeRange{{100}, {900}}}};
    ranks.show(nullptr);
    ContextFilter context;
    context.steps = {5};
    context.range = TimeRange{{0}, {2'000'000}};
    context.rangeCapture = {1};
    ranks.scene.setContext(context);
    // The step is brought into sight once, and the user goes elsewhere.
    QVERIFY(ranks.scene.window().range().begin.value <= 100 && ranks.scene.window().range().end.value >= 900);
    QVERIFY(ranks.scene.window().range().end.value < 10'000);
    ranks.scene.change([](ViewWindow& window) { window.show({{500'000}, {600'000}}, HistoryMark::NewStep); });
    const TimeRange before = ranks.scene.window().range();
    // The rank as it is drawn, and the same to the range: in whichever order they come.
    for (const std::int64_t by : {std::int64_t{1'000}, std::int64_t{2'000}}) {
        const auto report = [&] {
            context.rangeShifts =
                std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {by}, {0}});
            ranks.scene.setContext(context);
        };
        const auto draw = [&] {
            RankShifts shifts;
            shifts.own = {std::nullopt, OwnShift{by}, std::nullopt};
            test::showIn(ranks.scene, {{.capture = {1},
                                        .store = ranks.capture,
                                        .origin = {},
                                        .rankShifts = std::make_shared<const RankShifts>(shifts)}});
        };
        if (by == 1'000) report();
        draw();
        if (by != 1'000) report();
        QCOMPARE(ranks.scene.times(), std::optional(std::vector{TimeRange{{100 + by}, {900 + by}}}));
        QCOMPARE(ranks.scene.window().range(), before);
    }
    ranks.scene.change([](ViewWindow& window) { window.undo(); });
    QVERIFY2(ranks.scene.window().range().end.value < 10'000, "no steps of the way back are added");
    // What else is chosen is brought into sight as ever.
    context.range.reset();
    ranks.scene.change([](ViewWindow& window) { window.show({{500'000}, {600'000}}, HistoryMark::NewStep); });
    context.range = TimeRange{{2'000}, {2'500}};
    ranks.scene.setContext(context);
    QVERIFY(ranks.scene.window().range().end.value < 10'000);
}

ALTI_TEST(TestAlignedClocks)
#include "tst_aligned_clocks.moc"
