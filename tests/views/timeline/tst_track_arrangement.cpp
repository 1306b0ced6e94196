#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/track_menu.h"
#include "views/timeline/rows/merged_tracks.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/rows/track_choice.h"

#include <random>
#include <set>

using namespace altiscope;

namespace {

constexpr std::string_view kThreads =
    "p1/t1: A[0,100) B[10,40)\np1/t2: D[0,50)\np1/t3: E[0,50)\np2/t4: F[0,50)\np2/c:Read r[5]=1";

/// A scene of two ranks with four threads and a counter each.
struct Rows {
    explicit Rows(std::initializer_list<std::string_view> ranks = {kThreads, kThreads}) : runner(2), scene(runner) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        scene.viewport().setHeight(200);
        capture = test::captureFromTexts(ranks);
        test::showIn(scene, {{1, capture}});
    }
    ~Rows() { runner.shutdown(); }
    const TimelineModel& model() const { return scene.model(); }
    /// The n-th row of the tree with this last letter in its title, "^" for those that are pinned.
    TimelineRow row(QChar mark, std::uint32_t rank = 0) const {
        for (const TimelineRow& found : model().rows()) {
            if (found.kind >= TimelineRowKind::Thread && found.rank.value == rank &&
                rowTitle(model().sources(), found).endsWith(mark))
                return found;
        }
        return {};
    }
    RowKey key(QChar mark, std::uint32_t rank = 0) const { return model().sources().keyOf(row(mark, rank)); }
    TimelineRow process(int number, std::uint32_t rank = 0) const {
        for (const TimelineRow& found : model().rows()) {
            if (found.kind == TimelineRowKind::Process && found.rank.value == rank && number-- == 0) return found;
        }
        return {};
    }
    /// Rank and last letter of threads and counters in display order, "^" before those that are pinned, "|" for
    /// processes.
    QString order() const {
        QString text;
        for (const TimelineRow& found : model().rows()) {
            if (found.pinned) text += u'^';
            if (found.kind == TimelineRowKind::Process) text += u'|';
            if (found.kind == TimelineRowKind::Rank) text += QString::number(found.rank.value) + u':';
            if (found.kind >= TimelineRowKind::Thread) text += rowTitle(model().sources(), found).right(1);
        }
        return text;
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return scene.idle(); }));
    }

    JobRunner runner;
    TimelineScene scene;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

class TestTrackArrangement : public QObject {
    Q_OBJECT
private slots:
    void pinnedRowsComeFirst();
    void pinnedProcessTakesItsThreads();
    void pinnedRowsDoNotScroll();
    void manyPinnedRowsScrollByThemselves();
    void thousandRanksPinned();
    void rowsMoveAmongTheirSiblings();
    void hiddenSiblingsKeepTheirPlaces();
    void ranksMove();
    void heightsAreKeptForOpenAndShut();
    void everyHeightFindsItsRow();
    void mergedRowHoldsItsThreads();
    void mergedRowsSurviveANewStore();
    void changesAreTakenBack();
    void hidingAMergedRowHidesItsThreads();
};

void TestTrackArrangement::pinnedRowsComeFirst() {
    Rows rows;
    QCOMPARE(rows.order(), QStringLiteral("0:|123|4d1:|123|4d"));
    togglePin(rows.scene, rows.row(u'3', 1));
    togglePin(rows.scene, rows.row(u'2'));
    QCOMPARE(rows.order(), QStringLiteral("^3^20:|13|4d1:|12|4d"));
    QCOMPARE(rows.model().layout().pinnedRows, std::size_t{2});
    QCOMPARE(rowOrigin(rows.model().sources(), rows.model().rows()[0]).section(u' ', 0, 1), QStringLiteral("Rank 1"));
    // Tracks know their rows, whatever part they stand in.
    const auto place = rows.model().placeOf(
        0, {1}, rows.row(u'3', 1).firstTrack == 0 ? TrackIndex{0} : TrackIndex{rows.row(u'3', 1).firstTrack});
    QCOMPARE(place->row, std::size_t{0});
    togglePin(rows.scene, rows.row(u'3', 1));
    QCOMPARE(rows.order(), QStringLiteral("^20:|13|4d1:|123|4d"));
}

void TestTrackArrangement::pinnedProcessTakesItsThreads() {
    Rows rows;
    togglePin(rows.scene, rows.process(0));
    QCOMPARE(rows.order(), QStringLiteral("^|^1^2^30:|4d1:|123|4d"));
    // A thread of it that is pinned as well stands by itself.
    togglePin(rows.scene, rows.row(u'2'));
    QCOMPARE(rows.order(), QStringLiteral("^|^1^3^20:|4d1:|123|4d"));
    rows.scene.setExpanded(0, false);
    QCOMPARE(rows.order(), QStringLiteral("^|^20:|4d1:|123|4d"));
    QVERIFY(rows.model().placeOf(0, {0}, {0})->hidden);
    rows.scene.expandTo(0, {0}, {0});
    QCOMPARE(rows.order(), QStringLiteral("^|^1^3^20:|4d1:|123|4d"));
}

void TestTrackArrangement::pinnedRowsDoNotScroll() {
    Rows rows;
    togglePin(rows.scene, rows.row(u'2'));
    const TimelineRow pinned = rows.model().rows()[0];
    QCOMPARE(rows.scene.viewport().pinnedView(), 24);
    rows.scene.viewport().setScrollTop(50);
    QCOMPARE(rows.scene.viewport().scrollTop(), std::int64_t{50});
    QCOMPARE(rows.scene.viewport().yOf(pinned, pinned.top), std::int64_t{0});
    const TimelineRow& thread = rows.row(u'1');
    QCOMPARE(rows.scene.viewport().yOf(thread, thread.top), thread.top - 50);
    // What stands below the border, and below groups that are kept in sight, is what is 50 pixels into the tree.
    const int content = rows.scene.viewport().contentTop();
    QVERIFY(content >= 24);
    QCOMPARE(rows.model().layout().rowAt(rows.scene.viewport().heightAt(content)),
             rows.model().layout().rowAt(content + 50));
    QCOMPARE(rows.model().layout().rowAt(rows.scene.viewport().heightAt(23)), std::size_t{0});
    rows.scene.viewport().setScrollTop(1'000'000);
    const TimelineRow& last = rows.model().rows().back();
    QCOMPARE(rows.scene.viewport().yOf(last, last.top + last.height), std::int64_t{200});
}

void TestTrackArrangement::manyPinnedRowsScrollByThemselves() {
    Rows rows;
    for (const QChar thread : {u'1', u'2', u'3', u'4'}) togglePin(rows.scene, rows.row(thread));
    QCOMPARE(rows.model().layout().pinnedHeight, std::int64_t{44 + 24 + 24 + 24});
    QCOMPARE(rows.scene.viewport().pinnedView(), 116);  // below two thirds of what is in sight
    rows.scene.viewport().setHeight(160);
    QCOMPARE(rows.scene.viewport().pinnedView(), 44 + 24);  // rows that are whole in half of it
    rows.scene.viewport().scrollBy(1000, 50);
    QCOMPARE(rows.scene.viewport().pinnedTop(), std::int64_t{48});
    QCOMPARE(rows.scene.viewport().scrollTop(), std::int64_t{0});
    rows.scene.viewport().scrollBy(30, 150);
    QCOMPARE(rows.scene.viewport().scrollTop(), std::int64_t{30});
    const TimelineRow first = rows.model().rows()[0];
    rows.scene.viewport().bringIntoSight(first, first.top, 20);
    QCOMPARE(rows.scene.viewport().pinnedTop(), std::int64_t{0});
    rows.scene.viewport().setHeight(200);
    const auto sight = rows.scene.viewport().rowsInSight(200);
    QCOMPARE(sight.front(), std::size_t{0});
    QCOMPARE(sight[3], std::size_t{3});
    QCOMPARE(sight[4], std::size_t{5});  // the first rank's row is scrolled away
}

void TestTrackArrangement::thousandRanksPinned() {
    JobRunner runner(2);
    TimelineScene scene(runner);
    auto capture = std::make_shared<CaptureStore>();
    capture->sealed = true;
    const auto trace = test::traceFromText(kThreads);
    for (int r = 0; r < 1000; ++r) {
        RankEntry entry;
        entry.info.rankId = r;
        entry.trace = trace;
        capture->ranks.push_back(std::move(entry));
    }
    scene.viewport().setHeight(600);
    test::showIn(scene, {{1, capture}});
    scene.setAllExpanded(true);
    const auto& rows = scene.model().rows();
    const auto thread = std::find_if(rows.begin(), rows.end(),
                                     [](const TimelineRow& row) { return row.kind == TimelineRowKind::Thread; });
    ThreadClock timer;
    scene.arrange(withPinned({}, scene.model().sources().sameOnAllRanks(*thread)));
    const auto took = timer.elapsed();
    QCOMPARE(scene.model().layout().pinnedRows, std::size_t{1000});
    // Each step of scrolling looks at what is in sight alone.
    timer.restart();
    for (int i = 0; i < 1000; ++i) {
        scene.viewport().scrollBy(7, 10);
        scene.viewport().scrollBy(13, 500);
        QVERIFY(scene.viewport().rowsInSight(600).size() < 60);
    }
    qInfo("1000 ranks pinned in %lld ms; 2000 steps of scrolling in %lld ms", static_cast<long long>(took),
          static_cast<long long>(timer.elapsed()));
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    runner.shutdown();
}

void TestTrackArrangement::rowsMoveAmongTheirSiblings() {
    Rows rows;
    moveRow(rows.scene, rows.row(u'1'), 2);
    QCOMPARE(rows.order(), QStringLiteral("0:|231|4d1:|123|4d"));
    moveRowBy(rows.scene, rows.row(u'1'), -1);
    QCOMPARE(rows.order(), QStringLiteral("0:|213|4d1:|123|4d"));
    moveRowBy(rows.scene, rows.row(u'2'), -1);  // is the first already
    QCOMPARE(rows.order(), QStringLiteral("0:|213|4d1:|123|4d"));
    moveRow(rows.scene, rows.process(1), 0);
    QCOMPARE(rows.order(), QStringLiteral("0:|4d|2131:|123|4d"));
    // Pinned rows have an order of their own.
    togglePin(rows.scene, rows.row(u'4'));
    togglePin(rows.scene, rows.row(u'3', 1));
    togglePin(rows.scene, rows.row(u'1'));
    QCOMPARE(rows.order(), QStringLiteral("^4^3^10:|d|231:|12|4d"));
    moveRow(rows.scene, rows.row(u'1'), 0);
    QCOMPARE(rows.order(), QStringLiteral("^1^4^30:|d|231:|12|4d"));
    TrackArrangement recorded = rows.model().arrangement();
    recorded.order.clear();
    recorded.pinned.clear();
    rows.scene.arrange(recorded);
    QCOMPARE(rows.order(), QStringLiteral("0:|123|4d1:|123|4d"));
}

void TestTrackArrangement::hiddenSiblingsKeepTheirPlaces() {
    Rows rows;
    const RowKey second = rows.key(u'2'), third = rows.key(u'3');
    rows.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {second}});
    moveRow(rows.scene, rows.row(u'3'), 0);
    QCOMPARE(rows.order(), QStringLiteral("0:|31|4d1:|123|4d"));
    rows.scene.setFilter({});
    QCOMPARE(rows.order(), QStringLiteral("0:|321|4d1:|123|4d"));
    // One that the user has placed himself, too.
    moveRow(rows.scene, rows.row(u'3'), 1);
    QCOMPARE(rows.order(), QStringLiteral("0:|231|4d1:|123|4d"));
    rows.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {third}});
    moveRowBy(rows.scene, rows.row(u'1'), -1);
    rows.scene.setFilter({});
    QCOMPARE(rows.order(), QStringLiteral("0:|132|4d1:|123|4d"));
}

void TestTrackArrangement::ranksMove() {
    Rows rows;
    const auto found = std::find_if(rows.model().rows().begin(), rows.model().rows().end(), [](const TimelineRow& row) {
        return row.kind == TimelineRowKind::Rank && row.rank.value == 1;
    });
    moveRowBy(rows.scene, TimelineRow(*found), -1);
    QCOMPARE(rows.order(), QStringLiteral("1:|123|4d0:|123|4d"));
}

void TestTrackArrangement::heightsAreKeptForOpenAndShut() {
    Rows rows;
    const RowKey deep = rows.key(u'1');
    resizeRow(rows.scene, rows.row(u'1'), 2 * 30 + 4, HistoryMark::NewStep);
    QCOMPARE(rows.row(u'1').lane, 30);
    QCOMPARE(rows.row(u'1').height, 64);
    const auto at = [&] {
        return static_cast<std::size_t>(
            std::find_if(rows.model().rows().begin(), rows.model().rows().end(),
                         [&](const TimelineRow& row) { return rows.model().sources().keyOf(row) == deep; }) -
            rows.model().rows().begin());
    };
    rows.scene.setExpanded(at(), false);
    QCOMPARE(rows.row(u'1').height, 24);
    resizeRow(rows.scene, rows.row(u'1'), 90, HistoryMark::NewStep);
    QCOMPARE(rows.row(u'1').height, 90);
    rows.scene.setExpanded(at(), true);
    QCOMPARE(rows.row(u'1').height, 64);
    resetHeight(rows.scene, rows.row(u'1'));
    QCOMPARE(rows.row(u'1').height, 44);
    // Held within what can be seen.
    resizeRow(rows.scene, rows.row(u'2'), -50, HistoryMark::NewStep);
    QVERIFY(rows.row(u'2').lane >= 4);
}

void TestTrackArrangement::everyHeightFindsItsRow() {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        Rows rows;
        for (int i = 0; i < 12; ++i) {
            const auto& all = rows.model().rows();
            const TimelineRow row = all[random() % all.size()];
            switch (random() % 4) {
            case 0: togglePin(rows.scene, row); break;
            case 1: moveRowBy(rows.scene, row, random() % 2 == 0 ? 1 : -1); break;
            case 2: resizeRow(rows.scene, row, static_cast<int>(random() % 200), HistoryMark::NewStep); break;
            default: rows.scene.setExpanded(static_cast<std::size_t>(random() % all.size()), random() % 2 == 0); break;
            }
        }
        std::int64_t top = 0;
        std::size_t pinned = 0;
        for (std::size_t i = 0; i < rows.model().rows().size(); ++i) {
            const TimelineRow& row = rows.model().rows()[i];
            QCOMPARE(row.top, top);
            QVERIFY(row.height > 0);
            QCOMPARE(rows.model().layout().rowAt(row.top + row.height - 1), i);
            top += row.height;
            pinned += row.pinned ? 1 : 0;
            QVERIFY(!row.pinned || i < pinned);  // none behind one that is not
        }
        QCOMPARE(rows.model().layout().pinnedRows, pinned);
        // Each track has one row, which is its own, its merged one or a collapsed one above.
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            for (std::uint32_t t = 0; t < 5; ++t) {
                const auto place = rows.model().placeOf(0, {rank}, {t});
                QVERIFY(place);
                const TimelineRow& row = rows.model().rows()[place->row];
                QCOMPARE(row.rank.value, rank);
                QVERIFY(row.firstTrack <= t && t < row.firstTrack + row.trackCount);
            }
        }
    }
}

void TestTrackArrangement::mergedRowHoldsItsThreads() {
    Rows rows;
    const std::vector<RowKey> two{rows.key(u'2'), rows.key(u'3')};
    rows.scene.arrange(withMerged({}, two));
    rows.settle();
    const auto place = rows.model().placeOf(0, {0}, {1});
    const TimelineRow row = rows.model().rows()[place->row];
    QVERIFY(row.merged != nullptr);
    QCOMPARE(rows.model().placeOf(0, {0}, {2})->row, place->row);
    QCOMPARE(row.lanes, 2U);  // D and E lie at the same time
    QCOMPARE(rows.model().sources().keysOf(row), two);
    // Statistics still look at the threads.
    const TrackChoice choice = tracksOf(rows.model(), row);
    QCOMPARE(choice.parts.size(), std::size_t{2});
    const SliceSelection all = selectionOf(rows.model(), 0, nullptr, std::nullopt, false);
    QCOMPARE(all.ranks[0].tracks.size(), std::size_t{4});
    // Each slice has the lane that it is drawn on.
    const TraceStore& trace = *rows.capture->ranks[0].trace;
    std::set<std::uint32_t> lanes;
    for (const std::uint32_t t : {1U, 2U}) lanes.insert(laneOf(row, {trace.runs({t}).front().first}, 0));
    QCOMPARE(lanes, (std::set<std::uint32_t>{0, 1}));
    rows.scene.arrange(withoutMerged(rows.model().arrangement(), two.back()));
    QCOMPARE(rows.order(), QStringLiteral("0:|123|4d1:|123|4d"));
}

void TestTrackArrangement::mergedRowsSurviveANewStore() {
    Rows rows;
    rows.scene.arrange(withMerged({}, std::vector<RowKey>{rows.key(u'2'), rows.key(u'3')}));
    rows.settle();
    const std::weak_ptr<const TraceStore> old = rows.capture->ranks[0].trace;
    rows.capture = test::captureFromTexts({"p1/t1: A[0,100)\np1/t2: D[0,50) G[60,70)\np1/t3: E[50,60)", kThreads});
    test::showIn(rows.scene, {{1, rows.capture}});
    const TimelineRow row = rows.model().rows()[rows.model().placeOf(0, {0}, {1})->row];
    QVERIFY(row.merged != nullptr);
    QCOMPARE(row.lanes, 1U);
    // What was merged of the store before is not kept in memory.
    QVERIFY(QTest::qWaitFor([&] { return old.expired(); }));
}

void TestTrackArrangement::changesAreTakenBack() {
    Rows rows;
    togglePin(rows.scene, rows.row(u'2'));
    moveRow(rows.scene, rows.row(u'1'), 1);
    resizeRow(rows.scene, rows.row(u'3'), 60, HistoryMark::NewStep);
    resizeRow(rows.scene, rows.row(u'3'), 70, HistoryMark::Continue);  // a drag is one step
    TrackFilter hide;
    hide.hidden.insert(rows.key(u'4'));
    rows.scene.setFilter(hide);
    QCOMPARE(rows.order(), QStringLiteral("^20:|31|d1:|123|4d"));
    rows.scene.undoArrangement();
    QCOMPARE(rows.order(), QStringLiteral("^20:|31|4d1:|123|4d"));
    QCOMPARE(rows.row(u'3').height, 70);
    rows.scene.undoArrangement();
    QCOMPARE(rows.row(u'3').height, 24);
    rows.scene.undoArrangement();
    QCOMPARE(rows.order(), QStringLiteral("^20:|13|4d1:|123|4d"));
    rows.scene.undoArrangement();
    QCOMPARE(rows.order(), QStringLiteral("0:|123|4d1:|123|4d"));
    QVERIFY(!rows.scene.canUndoArrangement());
    for (int i = 0; i < 4; ++i) rows.scene.redoArrangement();
    QCOMPARE(rows.order(), QStringLiteral("^20:|31|d1:|123|4d"));
    QVERIFY(!rows.scene.canRedoArrangement());
    // Letters of a text are no steps.
    rows.scene.setFilter({.text = QStringLiteral("x"), .hiddenKinds = {}, .hidden = hide.hidden});
    rows.scene.undoArrangement();
    QVERIFY(rows.model().filter().hidden.empty());
}

void TestTrackArrangement::hidingAMergedRowHidesItsThreads() {
    Rows rows;
    rows.scene.arrange(withMerged({}, std::vector<RowKey>{rows.key(u'2'), rows.key(u'3')}));
    rows.settle();
    const TimelineRow row = rows.model().rows()[rows.model().placeOf(0, {0}, {1})->row];
    TrackFilter filter;
    const auto keys = rows.model().sources().keysOf(row);
    filter.hidden.insert(keys.begin(), keys.end());
    rows.scene.setFilter(filter);
    QCOMPARE(rows.order(), QStringLiteral("0:|1|4d1:|123|4d"));
    QCOMPARE(rows.model().hiddenTracks(), std::size_t{2});
}

ALTI_TEST(TestTrackArrangement)
#include "tst_track_arrangement.moc"
