#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/scene/row_viewport.h"

#include <algorithm>

using namespace altiscope;

/// Ranks and processes stay in sight while what lies in them is scrolled.
class TestStickyGroups : public QObject {
    Q_OBJECT
private slots:
    void nothingIsStuckAtTheTop();
    void rankAndProcessOfWhatIsInSight();
    void theNextGroupPushesTheOneBeforeOff();
    void everyHeightHasOnePlace();
    void pinnedRowsStandAbove();
    void aLowCanvasKeepsRoomForRows();
    void collapsingFromTheUpperEdgeStaysThere();
};

namespace {

constexpr int kGroup = 10, kLane = 12;

/// Two ranks, each of two processes of six threads: 5 rows of one rank are groups or more.
std::string sixThreads(const std::string& process) {
    std::string text;
    for (int t = 1; t <= 6; ++t) text += process + "/t" + std::to_string(t) + ": A[0,100)\n";
    return text;
}

TimelineModel sampleModel() {
    TimelineModel model;
    model.setMetrics({.lane = kLane - 2, .group = kGroup, .counter = 20, .strip = 2, .gap = 2});
    const std::string rank = sixThreads("p1") + sixThreads("p2");
    model.setSources({TimelineSource{1, test::captureFromTexts({rank, rank}), {}, {}, {}}});
    return model;
}

/// "Rank 0 at 0, ...": what is stuck, by kind and position.
QStringList stuckIn(const TimelineModel& model, const RowViewport& viewport) {
    QStringList texts;
    for (const RowViewport::StuckRow& stuck : viewport.stuckRows()) {
        const TimelineRow& row = model.rows()[stuck.row];
        texts << QStringLiteral("%1%2 %3")
                     .arg(row.kind == TimelineRowKind::Rank ? QChar(u'R') : QChar(u'P'))
                     .arg(row.rank.value)
                     .arg(stuck.y);
    }
    return texts;
}

}  // namespace

void TestStickyGroups::nothingIsStuckAtTheTop() {
    const TimelineModel model = sampleModel();
    RowViewport viewport(model);
    viewport.setHeight(100);
    QCOMPARE(stuckIn(model, viewport), QStringList());
    QCOMPARE(viewport.contentTop(), 0);
}

void TestStickyGroups::rankAndProcessOfWhatIsInSight() {
    const TimelineModel model = sampleModel();
    // Rank 0: 10; process 1: 10 + 6 * 12 = 82; process 2: 82; in all 174.
    QCOMPARE(model.rows()[0].end, std::int64_t{174});
    QCOMPARE(model.rows()[1].end, std::int64_t{92});
    RowViewport viewport(model);
    viewport.setHeight(100);
    viewport.setScrollTop(30);
    QCOMPARE(stuckIn(model, viewport), (QStringList{QStringLiteral("R0 0"), QStringLiteral("P0 10")}));
    QCOMPARE(viewport.contentTop(), 20);
    // They are what stands there, for clicks as for painting.
    QCOMPARE(viewport.heightAt(5), std::int64_t{5});
    QCOMPARE(viewport.yOf(model.rows()[0], model.rows()[0].top), std::int64_t{0});
    QCOMPARE(viewport.yOf(model.rows()[1], model.rows()[1].top), std::int64_t{10});
    QCOMPARE(viewport.heightAt(20), std::int64_t{50});
}

void TestStickyGroups::theNextGroupPushesTheOneBeforeOff() {
    const TimelineModel model = sampleModel();
    RowViewport viewport(model);
    viewport.setHeight(100);
    // Process 1 ends at 92, 7 pixels below the upper edge of the rows: 3 pixels of its name are behind the rank's.
    viewport.setScrollTop(75);
    QCOMPARE(stuckIn(model, viewport), (QStringList{QStringLiteral("R0 0"), QStringLiteral("P0 7")}));
    viewport.setScrollTop(82);
    // Process 2 stands right below the rank, where it belongs.
    QCOMPARE(stuckIn(model, viewport), QStringList{QStringLiteral("R0 0")});
    QCOMPARE(viewport.yOf(model.rows()[8], model.rows()[8].top), std::int64_t{10});
    viewport.setScrollTop(170);
    QCOMPARE(stuckIn(model, viewport).front(), QStringLiteral("R0 -6"));
}

void TestStickyGroups::everyHeightHasOnePlace() {
    const TimelineModel model = sampleModel();
    RowViewport viewport(model);
    viewport.setHeight(100);
    for (std::int64_t top = 0; top <= viewport.maxScrollTop(); ++top) {
        viewport.setScrollTop(top);
        const auto inSight = viewport.rowsInSight(100);
        for (int y = 0; y < 100; ++y) {
            const std::int64_t height = viewport.heightAt(y);
            const std::size_t row = model.layout().rowAt(height);
            QVERIFY2(viewport.yOf(model.rows()[row], height) == y, qPrintable(QStringLiteral("%1 %2").arg(top).arg(y)));
            QVERIFY(std::find(inSight.begin(), inSight.end(), row) != inSight.end());
            const auto [first, after] = viewport.partOf(model.rows()[row]);
            QVERIFY(first <= y && y < after);
        }
        // Whatever is below the groups that are stuck lies in them, unless it comes behind their end.
        const auto& stuck = viewport.stuckRows();
        const std::int64_t below = viewport.heightAt(viewport.contentTop());
        if (stuck.size() == 2 && stuck.back().y == kGroup && below < model.rows()[stuck.back().row].end)
            QCOMPARE(std::size_t{model.rows()[model.layout().rowAt(below)].around}, stuck.back().row);
    }
}

void TestStickyGroups::pinnedRowsStandAbove() {
    TimelineModel model = sampleModel();
    TrackArrangement arrangement;
    arrangement.pinned = {model.sources().keyOf(model.rows()[2])};
    model.setArrangement(arrangement);
    RowViewport viewport(model);
    viewport.setHeight(120);
    viewport.setScrollTop(40);
    QCOMPARE(viewport.pinnedView(), kLane);
    QCOMPARE(stuckIn(model, viewport),
             (QStringList{QStringLiteral("R0 %1").arg(kLane), QStringLiteral("P0 %1").arg(kLane + kGroup)}));
    QCOMPARE(viewport.rowsInSight(120).front(), std::size_t{0});
}

void TestStickyGroups::aLowCanvasKeepsRoomForRows() {
    const TimelineModel model = sampleModel();
    RowViewport viewport(model);
    viewport.setHeight(40);
    viewport.setScrollTop(30);
    QCOMPARE(stuckIn(model, viewport), QStringList{QStringLiteral("R0 0")});
    viewport.setHeight(20);
    QCOMPARE(stuckIn(model, viewport), QStringList());
}

void TestStickyGroups::collapsingFromTheUpperEdgeStaysThere() {
    JobRunner runner(1);
    TimelineScene scene(runner);
    scene.setMetrics({.lane = kLane - 2, .group = kGroup, .counter = 20, .strip = 2, .gap = 2});
    const std::string rank = sixThreads("p1") + sixThreads("p2");
    test::showIn(scene, {{1, test::captureFromTexts({rank, rank})}});
    scene.viewport().setHeight(100);
    scene.viewport().setScrollTop(60);
    QVERIFY(scene.viewport().isStuck(1));
    scene.setExpanded(1, false);
    // Process 1 is closed, and process 2 comes up below it instead of whatever lay far below.
    QCOMPARE(scene.viewport().yOf(scene.model().rows()[1], scene.model().rows()[1].top), std::int64_t{10});
    QCOMPARE(scene.model().rows()[2].kind, TimelineRowKind::Process);
    runner.shutdown();
}

ALTI_TEST(TestStickyGroups)
#include "tst_sticky_groups.moc"
