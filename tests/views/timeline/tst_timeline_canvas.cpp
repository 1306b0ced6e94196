#include "tests/support/test_main.h"
#include "tests/views/timeline/canvas_stage.h"
#include "views/timeline/rows/row_titles.h"

using namespace altiscope;
using altiscope::test::Stage;

namespace {

constexpr std::int64_t kBase = 1'736'408'883'573'888'000;

}  // namespace

/// What the canvas shows, of which stores.
class TestTimelineCanvas : public QObject {
    Q_OBJECT
private slots:
    void revealOpensRows();
    void revealWaitsForItsCapture();
    void selectionSurvivesNewStore();
    void clickOnAnOlderPictureSelectsWhatIsSeen();
    void counterOfAnOlderPictureKeepsItsNumbers();
    void collapsedCountersHaveAPreview();
    void hiddenEndsPointAtTheirGroup();
    void farEndsStayOnTheEdge();
    void absoluteStampsToOneNanosecond();
    void capturesFromOtherTimesAreAligned();
    void closingACaptureKeepsTheViewOfTheOthers();
    void readingAgainKeepsTheView();
    void closedCapturesLeaveTheMemory();
    void flowsBeginBesideTheNameOfTheSlice();
    void pictureFollowsTheTheme();
    void paintsNothingWithoutCaptures();
    void highDpiHasDevicePixels();
};

void TestTimelineCanvas::revealOpensRows() {
    Stage stage;
    const TraceStore& trace = *stage.capture->ranks[0].trace;
    std::optional<SliceIndex> e;
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.name({i}) == "E") e = SliceIndex{i};
    }
    stage.scene.setAllExpanded(false);
    QCOMPARE(stage.scene.model().rows().size(), std::size_t(1));
    const SliceKey key{0, trace.id(*e)};
    stage.selection.selectSlice({1}, key);
    stage.selection.reveal({1}, key);
    stage.settle();
    QCOMPARE(stage.name(), std::string("E"));
    QVERIFY(stage.scene.model().rows().size() > 1);
    // 10 ns are far less than a pixel of the old window, so it got a window of its own.
    QVERIFY(stage.range().begin.value <= 70'000 && stage.range().end.value >= 70'010);
    QVERIFY(stage.range().length().value < 1'000);
}

void TestTimelineCanvas::revealWaitsForItsCapture() {
    Stage stage;
    const auto later = test::captureFromTexts({"p1/t1: X[0,100000) Y[40000,40010)"});
    const TraceStore& trace = *later->ranks[0].trace;
    stage.selection.selectSlice({2}, {0, trace.id({1})});
    stage.selection.reveal({2}, {0, trace.id({1})});
    stage.settle();
    QVERIFY(!stage.selected.slice());
    test::showIn(stage.scene, {{1, stage.capture}, {2, later}});
    stage.settle();
    QCOMPARE(stage.name(), std::string("Y"));
    QVERIFY(stage.range().length().value < 1'000);
}

void TestTimelineCanvas::selectionSurvivesNewStore() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    const auto before = stage.selected.slice()->trace;
    const auto again =
        test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\np1/t2: D[50000,60000)"});
    test::showIn(stage.scene, {{1, again}});
    stage.settle();
    QCOMPARE(stage.name(), std::string("C"));
    QVERIFY(stage.selected.slice()->trace != before);
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestTimelineCanvas::clickOnAnOlderPictureSelectsWhatIsSeen() {
    Stage stage("p1/t1: A[0,100000) B[10000,40000)");
    // In the new store N takes the number that B had.
    const auto grown = test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) N[2000,8000)"});
    const SliceId b = stage.capture->ranks[0].trace->id({1});
    QCOMPARE(grown->ranks[0].trace->name({1}), std::string_view("N"));
    int clicks = 0;
    connect(&stage.scene, &TimelineScene::rowsChanged, this, [&] {
        if (clicks++ == 0) QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    });
    test::showIn(stage.scene, {{1, grown}});
    stage.settle();
    QCOMPARE(clicks, 1);
    QCOMPARE(stage.selection.current().slice->id, b);
    QCOMPARE(stage.name(), std::string("B"));
    QCOMPARE(stage.selected.slice()->trace, grown->ranks[0].trace);
}

void TestTimelineCanvas::counterOfAnOlderPictureKeepsItsNumbers() {
    Stage stage("p1/t1: A[0,100000)\np1/c:Read r[5]=1.5 r[10]=2");
    const auto counterOf = [](const TraceStore& trace) {
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (trace.extent({t}).seriesCount > 0) return t;
        }
        return ~0U;
    };
    const auto grown =
        test::captureFromTexts({"p1/t1: A[0,100000)\np1/c:Read r[5]=1.5 r[10]=2\np1/t0: F[0,10)\np1/t2: G[0,10)"});
    const std::uint32_t before = counterOf(*stage.capture->ranks[0].trace), after = counterOf(*grown->ranks[0].trace);
    QVERIFY(before < after);
    std::optional<CanvasHit> hit;
    connect(&stage.scene, &TimelineScene::rowsChanged, this, [&] {
        CanvasLayout layout(stage.scene, stage.canvas.loader());
        layout.setSize(stage.canvas.size());
        const auto& rows = stage.scene.model().rows();
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [](const TimelineRow& r) { return r.kind == TimelineRowKind::Counter; });
        if (!hit) hit = layout.hitAt({500, static_cast<int>(row->top) + row->height / 2});
    });
    test::showIn(stage.scene, {{1, grown}});
    QVERIFY(hit && hit->counter);
    QCOMPARE(hit->trace, stage.capture->ranks[0].trace);
    QCOMPARE(hit->counter->value, before);
    stage.settle();
}

void TestTimelineCanvas::collapsedCountersHaveAPreview() {
    Stage stage("p1/t1: A[0,100000)\np2/c:Flat r[5]=1 r[10]=1 r[20]=1 r[30]=1 r[40]=1\np2/c:Few r[5]=1 "
                "r[6]=2\np2/c:Read r[5]=0 r[50000]=8 r[60000]=0");
    const auto rowOf = [&](TimelineRowKind kind) {
        const auto& rows = stage.scene.model().rows();
        return static_cast<std::size_t>(
            std::find_if(rows.begin(), rows.end(),
                         [kind](const TimelineRow& row) { return row.kind == kind && row.firstTrack > 0; }) -
            rows.begin());
    };
    stage.scene.setExpanded(rowOf(TimelineRowKind::Process), false);
    stage.settle();
    const std::size_t row = rowOf(TimelineRowKind::Process);
    QVERIFY(row < stage.scene.model().rows().size());
    const TimelineRow& collapsed = stage.scene.model().rows()[row];
    QVERIFY(!collapsed.expanded);
    // The one that changes and has more samples is drawn: high between 50 and 60 percent of the width, at the ground
    // elsewhere.
    const QImage picture = stage.canvas.grab().toImage();
    const int top = static_cast<int>(collapsed.top) + 4;
    QVERIFY(picture.pixel(550, top + 4) != picture.pixel(200, top + 4));
    QCOMPARE(picture.pixel(700, top + 4), picture.pixel(200, top + 4));
    CanvasLayout layout(stage.scene, stage.canvas.loader());
    layout.setSize(stage.canvas.size());
    const auto hit = layout.hitAt({550, top + 4});
    QVERIFY(hit && hit->counter);
    QCOMPARE(hit->trace->track(*hit->counter).name, std::string("Read"));
}

void TestTimelineCanvas::hiddenEndsPointAtTheirGroup() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    CanvasLayout layout(stage.scene, stage.canvas.loader());
    layout.setSize(stage.canvas.size());
    auto curves = flowCurves(layout, stage.scene.model().sources(), 0, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QCOMPARE(curves[0].from.x(), 250.0);
    QCOMPARE(curves[0].to.x(), 500.0);
    QVERIFY(QRectF(stage.canvas.rect()).contains(curves[0].to));
    stage.scene.setExpanded(0, false);
    stage.settle();
    curves = flowCurves(layout, stage.scene.model().sources(), 0, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QVERIFY(curves[0].to.y() < 20);
}

void TestTimelineCanvas::farEndsStayOnTheEdge() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    stage.window({{24'999}, {25'001}});
    CanvasLayout layout(stage.scene, stage.canvas.loader());
    layout.setSize(stage.canvas.size());
    const auto curves = flowCurves(layout, stage.scene.model().sources(), 0, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QVERIFY(curves[0].to.x() > 1000 && curves[0].to.x() <= 5000);
}

void TestTimelineCanvas::absoluteStampsToOneNanosecond() {
    const std::string base = std::to_string(kBase), one = std::to_string(kBase + 1), two = std::to_string(kBase + 2);
    Stage stage("p1/t1: A[" + base + "," + one + ") B[" + one + "," + two + ")");
    stage.window({{kBase}, {kBase + 2}});
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {499, 52});
    QCOMPARE(stage.name(), std::string("A"));
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {500, 52});
    QCOMPARE(stage.name(), std::string("B"));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{kBase + 1}, {kBase + 2}}));
}

void TestTimelineCanvas::capturesFromOtherTimesAreAligned() {
    Stage stage;
    const std::string a = std::to_string(kBase), b = std::to_string(kBase + 50'000);
    const auto today = test::captureFromTexts({"p1/t1: T[" + a + "," + b + ")"});
    test::showIn(stage.scene, {{1, stage.capture}, {7, today}});
    stage.settle();
    QCOMPARE(stage.scene.model().sources()[1].shift.value, -kBase);
    // Both are in one window, and what is marked on the second one is on its own clock.
    stage.window({{0}, {100'000}});
    std::size_t row = 0;
    while (rowTitle(stage.scene.model().sources(), stage.scene.model().rows()[row]).isEmpty() ||
           stage.scene.model().rows()[row].source == 0 ||
           stage.scene.model().rows()[row].kind != TimelineRowKind::Thread) {
        ++row;
    }
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, row));
    QCOMPARE(stage.name(), std::string("T"));
    QCOMPARE(stage.selected.sliceRange(), std::optional(TimeRange{{0}, {50'000}}));
    QTest::keyClick(&stage.canvas, Qt::Key_M);
    QCOMPARE(stage.selection.current().range, std::optional(TimeRange{{kBase}, {kBase + 50'000}}));
}

void TestTimelineCanvas::closingACaptureKeepsTheViewOfTheOthers() {
    Stage stage("p1/t1: A[1000000,2000000)");
    const auto other = test::captureFromTexts({"p1/t1: X[9000000000,9000100000)"});
    test::showIn(stage.scene, {{1, stage.capture}, {2, other}});
    QCOMPARE(stage.scene.model().sources()[1].shift.value, std::int64_t(1'000'000 - 9'000'000'000));
    stage.window({{1'010'000}, {1'020'000}});
    stage.window({{1'012'000}, {1'014'000}});
    test::showIn(stage.scene, {{2, other}});
    QCOMPARE(stage.range(), (TimeRange{{9'000'012'000}, {9'000'014'000}}));
    stage.scene.change([](ViewWindow& w) { w.undo(); });
    QCOMPARE(stage.range(), (TimeRange{{9'000'010'000}, {9'000'020'000}}));
}

void TestTimelineCanvas::readingAgainKeepsTheView() {
    Stage stage;
    stage.window({{60'000}, {70'000}});
    // The first tracks of the file, without what is in sight.
    const auto part = test::captureFromTexts({"p1/t1: A[0,5000)"});
    part->sealed = false;
    test::showIn(stage.scene, {{1, part}});
    QCOMPARE(stage.range(), (TimeRange{{60'000}, {70'000}}));
    test::showIn(stage.scene, {{1, stage.capture}});
    QCOMPARE(stage.range(), (TimeRange{{60'000}, {70'000}}));
    stage.scene.change([](ViewWindow& w) { w.undo(); });
    QCOMPARE(stage.range(), (TimeRange{{0}, {100'000}}));
}

void TestTimelineCanvas::flowsBeginBesideTheNameOfTheSlice() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    CanvasLayout layout(stage.scene, stage.canvas.loader());
    layout.setSize(stage.canvas.size());
    const auto own = layout.rectOf(0, {0}, stage.selected.slice()->place);
    const auto curves = flowCurves(layout, stage.scene.model().sources(), 0, *stage.selected.slice());
    QCOMPARE(curves.size(), std::size_t(1));
    QCOMPARE(curves[0].from.y(), own->bottom());
    QVERIFY(curves[0].to.y() > own->bottom());
}

void TestTimelineCanvas::closedCapturesLeaveTheMemory() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 1));
    const std::weak_ptr<const TraceStore> trace = stage.capture->ranks[0].trace;
    stage.capture.reset();
    stage.selection.forget({1});
    test::showIn(stage.scene, {});
    stage.settle();
    QTRY_VERIFY(stage.runner.idle());
    QVERIFY(trace.expired());
}

void TestTimelineCanvas::pictureFollowsTheTheme() {
    Stage stage;
    const QPoint empty = stage.at(90'000, 3);
    stage.canvas.setPalette(paletteOf(lightTheme()));
    QCOMPARE(stage.canvas.grab().toImage().pixel(empty), lightTheme().background.rgb());
    stage.canvas.setPalette(paletteOf(darkTheme()));
    QCOMPARE(stage.canvas.grab().toImage().pixel(empty), darkTheme().background.rgb());
}

void TestTimelineCanvas::paintsNothingWithoutCaptures() {
    Stage stage;
    test::showIn(stage.scene, {});
    stage.settle();
    QVERIFY(stage.scene.window().empty());
    QTest::keyClick(&stage.canvas, Qt::Key_W);
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, {10, 10});
    QTest::mouseMove(&stage.canvas, {20, 20});
    stage.wheel({5, 5}, 120, Qt::ControlModifier);
    QVERIFY(stage.canvas.idle());
}

void TestTimelineCanvas::highDpiHasDevicePixels() {
    JobRunner runner(2);
    TimelineScene scene(runner);
    PictureLoader loader(scene);
    loader.setCanvas(QSize(501, 100), 1.5, QFont());
    loader.setPalette(makeLanePalette(lightTheme()));
    test::showIn(scene, {{1, test::captureFromTexts({"p1/t1: A[0,1000) B[10,20)"})}});
    scene.viewport().setHeight(100);
    QVERIFY(QTest::qWaitFor([&] { return loader.exact(); }));
    QCOMPARE(loader.image().size(), QSize(752, 150));
    const TimelineRow& row = scene.model().rows()[2];
    // Lanes meet without holes whatever the scale.
    const auto first = loader.laneOf(row, PictureKind::Lanes, 0, 2),
               second = loader.laneOf(row, PictureKind::Lanes, 1, 2);
    QVERIFY(second.top - (first.top + first.height) <= 2);
    runner.shutdown();
}

ALTI_TEST(TestTimelineCanvas)
#include "tst_timeline_canvas.moc"
