#include "tests/core/analysis/memory_rows.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_menu.h"
#include "views/timeline/rows/row_titles.h"

#include <set>

using namespace altiscope;

namespace {

std::shared_ptr<const RowTables> someMemory() {
    std::vector<test::SampleRow> rows;
    for (std::int64_t i = 0; i < 10; ++i) {
        test::SampleRow row{.component = i % 2 == 0 ? "PTA" : "GE", .time = 10 * i};
        row.allocated = i << 20;
        rows.push_back(row);
    }
    return test::sampleRows(rows);
}

/// Two ranks with a thread, of which the first has samples of memory.
struct Scene {
    Scene() : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        scene.viewport().setHeight(400);
        canvas.resize(400, 400);
        canvas.show();
        capture = test::captureFromTexts({"p1/t1: A[0,100)", "p1/t1: A[0,100)"});
        capture->ranks[0].rows = someMemory();
        test::showIn(scene, {{1, capture}});
    }
    ~Scene() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return scene.idle() && canvas.idle(); }));
    }
    QStringList titles() const {
        QStringList titles;
        for (const TimelineRow& row : scene.model().rows())
            titles << (row.pinned ? QStringLiteral("^") : QString()) + rowTitle(scene.model().sources(), row);
        return titles;
    }
    std::size_t indexOf(const QString& title) const { return static_cast<std::size_t>(titles().indexOf(title)); }
    TimelineRow row(const QString& title) const { return scene.model().rows()[indexOf(title)]; }
    /// Whether anything stands in the canvas where this row is.
    bool isDrawn(const TimelineRow& row) {
        const QImage image = canvas.grab().toImage();
        const int top = static_cast<int>(scene.viewport().yOf(row, row.top));
        std::set<QRgb> colours;
        for (int y = top + 2; y < top + row.height - 2; ++y) {
            for (int x = 10; x < image.width() - 10; ++x) colours.insert(image.pixel(x, y));
        }
        return colours.size() > 1;
    }
    void expandMemory() {
        scene.setExpanded(indexOf(QStringLiteral("Memory")), true);
        settle();
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

class TestMemoryRows : public QObject {
    Q_OBJECT
private slots:
    void curvesAreReadWhenTheyAreExpanded();
    void expandingAllReadsNoMemory();
    void filtersHoldForMemory();
    void pinnedCurvesStay();
    void memoryComesAndGoesWithItsRank();
};

void TestMemoryRows::curvesAreReadWhenTheyAreExpanded() {
    Scene shown;
    QCOMPARE(shown.titles().size(), qsizetype{7});
    QCOMPARE(shown.titles().mid(3, 2), QStringLiteral("Memory,Rank 1").split(u','));
    QVERIFY(shown.row(QStringLiteral("Memory")).expandable && !shown.row(QStringLiteral("Memory")).expanded);
    QVERIFY(shown.scene.model().sources().memory().all().empty());
    shown.expandMemory();
    QCOMPARE(shown.titles().mid(3, 3), QStringLiteral("Memory,GE,PTA").split(u','));
    const TimelineRow curve = shown.row(QStringLiteral("PTA"));
    QCOMPARE(curve.kind, TimelineRowKind::Counter);
    QVERIFY(shown.scene.coloursOf(curve) != nullptr);
    QCOMPARE(shown.scene.coloursOf(curve)->trace().get(), shown.scene.model().sources().traceOf(curve));
    QVERIFY(shown.isDrawn(curve));
    // No track of the rank's own trace is taken for one of memory.
    QCOMPARE(shown.scene.model().placeOf(0, {0}, {0})->row, std::size_t{2});
    QVERIFY(tracksIn(curve).empty());
    QVERIFY(shown.scene.model().siblingsOf(curve).size() == 2);
    moveRow(shown.scene, curve, 0);
    QCOMPARE(shown.titles().mid(3, 3), QStringLiteral("Memory,PTA,GE").split(u','));
}

void TestMemoryRows::expandingAllReadsNoMemory() {
    Scene shown;
    shown.scene.setAllExpanded(true);
    shown.settle();
    QVERIFY(shown.scene.model().sources().memory().all().empty());
    shown.expandMemory();
    shown.scene.setAllExpanded(false);
    QVERIFY(!shown.titles().contains(QStringLiteral("PTA")));
}

void TestMemoryRows::filtersHoldForMemory() {
    Scene shown;
    shown.scene.setFilter({.text = QStringLiteral("mem"), .hiddenKinds = {}, .hidden = {}});
    QCOMPARE(shown.titles(), QStringLiteral("Rank 0,Memory,Rank 1").split(u','));
    shown.expandMemory();
    shown.scene.setFilter({.text = QStringLiteral("pta"), .hiddenKinds = {}, .hidden = {}});
    QCOMPARE(shown.titles(), QStringLiteral("Rank 0,Memory,PTA,Rank 1").split(u','));
    shown.scene.setFilter({.text = {}, .hiddenKinds = {TrackKind::Counter}, .hidden = {}});
    QVERIFY(!shown.titles().contains(QStringLiteral("Memory")));
    shown.scene.setFilter({});
    const RowKey memory = shown.scene.model().sources().keyOf(shown.row(QStringLiteral("Memory"))),
                 curve = shown.scene.model().sources().keyOf(shown.row(QStringLiteral("GE")));
    shown.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {curve}});
    QVERIFY(!shown.titles().contains(QStringLiteral("GE")));
    QCOMPARE(rowTitleOf(shown.scene.model().sources(), curve), QStringLiteral("Memory / GE"));
    shown.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {memory}});
    QVERIFY(!shown.titles().contains(QStringLiteral("Memory")));
    QCOMPARE(rowTitleOf(shown.scene.model().sources(), memory), QStringLiteral("Memory"));
}

void TestMemoryRows::pinnedCurvesStay() {
    Scene shown;
    shown.expandMemory();
    togglePin(shown.scene, shown.row(QStringLiteral("PTA")));
    QCOMPARE(shown.titles().front(), QStringLiteral("^PTA"));
    shown.scene.setExpanded(shown.indexOf(QStringLiteral("Memory")), false);
    test::showIn(shown.scene, {{1, shown.capture}});
    shown.settle();
    QCOMPARE(shown.titles().front(), QStringLiteral("^PTA"));
    QCOMPARE(rowOrigin(shown.scene.model().sources(), shown.scene.model().rows().front()),
             QStringLiteral("Rank 0 / Memory"));
}

void TestMemoryRows::memoryComesAndGoesWithItsRank() {
    Scene shown;
    shown.expandMemory();
    const auto other = std::make_shared<CaptureStore>(*shown.capture);
    other->ranks[0].rows = nullptr;
    other->ranks[1].rows = someMemory();
    test::showIn(shown.scene, {{1, other}});
    shown.settle();
    QVERIFY(shown.scene.model().sources().memory().all().empty());
    QCOMPARE(shown.row(QStringLiteral("Memory")).rank, RankIndex{1});
    // Read anew, as other rows.
    other->ranks[0].rows = someMemory();
    test::showIn(shown.scene, {{1, std::make_shared<CaptureStore>(*other)}});
    shown.settle();
    QCOMPARE(shown.scene.model().sources().memory().all().size(), std::size_t{1});
    QVERIFY(shown.titles().contains(QStringLiteral("PTA")));
    test::showIn(shown.scene, {});
    QVERIFY(shown.scene.model().sources().memory().all().empty());
}

ALTI_TEST(TestMemoryRows)
#include "tst_memory_rows.moc"
