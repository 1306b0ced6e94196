#include "views/timeline/overlay/hit_marks.h"

#include "core/base/threads/parallel.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/plots/view_window.h"
#include "views/timeline/scene/find_controller.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QWidget>

#include <random>
#include <set>

using namespace altiscope;

namespace {

/// Every column that a hit touches, column by column.
std::set<int> bruteForce(const TraceStore& trace, const std::vector<std::uint32_t>& hits, TimeRange window, int width) {
    std::set<int> columns;
    const PixelScale scale(window, width);
    for (const std::uint32_t slice : hits) {
        const TimeNs begin = trace.begin({slice}), end = trace.end({slice});
        if (begin >= window.end || (end <= window.begin && begin < window.begin)) continue;
        const int left = scale.column(std::max(begin, window.begin)),
                  right = std::max(left + 1, scale.columnAfter(std::min(end, window.end)));
        for (int column = left; column < right; ++column) columns.insert(column);
    }
    return columns;
}

}  // namespace

class TestHitMarks : public QObject {
    Q_OBJECT
private slots:
    void noHitIsLost_data();
    void noHitIsLost();
    void hitsInSightAreMarked();
};

void TestHitMarks::noHitIsLost_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 30; ++seed) QTest::addRow("%d", seed) << seed;
}

void TestHitMarks::noHitIsLost() {
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::string text = "p1/t1:";
    std::int64_t at = 0;
    for (int i = 0; i < 300; ++i) {
        at += static_cast<std::int64_t>(random() % (seed % 3 == 0 ? 2 : 40));
        const auto length = static_cast<std::int64_t>(random() % (seed % 2 == 0 ? 3 : 60));
        text += " A[" + std::to_string(at) + ',' + std::to_string(at + length) + ')';
        at += std::max<std::int64_t>(length, 1);
    }
    const auto trace = test::traceFromText(text + '\n');
    std::vector<std::uint32_t> hits;
    for (std::uint32_t i = 0; i < trace->runs().front().count; ++i) {
        if (random() % 3 != 0) hits.push_back(i);
    }
    for (const int width : {1, 7, 100, 1000}) {
        const std::int64_t begin = static_cast<std::int64_t>(random() % 500),
                           length = 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(at));
        const TimeRange window{{begin}, {begin + length}};
        const auto marks = hitColumns(*trace, hits, window, width);
        QVERIFY(marks.size() <= static_cast<std::size_t>(width));
        std::set<int> columns;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            QVERIFY(marks[i].first < marks[i].second && (i == 0 || marks[i - 1].second < marks[i].first));
            for (int column = marks[i].first; column < marks[i].second; ++column) columns.insert(column);
        }
        QCOMPARE(columns, bruteForce(*trace, hits, window, width));
    }
}

void TestHitMarks::hitsInSightAreMarked() {
    JobRunner runner(2);
    TimelineScene scene(runner);
    Selection selection;
    TimelineSelection selected(scene, selection);
    FindController find(scene, selected);
    QWidget canvas;
    canvas.resize(1000, 400);
    HitMarks marks(scene, find, canvas);
    scene.viewport().setHeight(400);
    test::showIn(scene,
                 {{1, test::captureFromTexts({"p1/t1: A[0,1000) B[100,200)\np1/t2: B[500,501)", "p1/t1: B[0,10)"})}});
    scene.change([](ViewWindow& w) { w.show({{0}, {1000}}, HistoryMark::NewStep); });
    find.request(SliceQuery{.text = "B"}, false);
    const auto settled = [&] { return QTest::qWaitFor([&] { return find.idle() && marks.idle() && scene.idle(); }); };
    QVERIFY(settled());
    QCOMPARE(marks.marks().size(), std::size_t{3});
    QCOMPARE(marks.marks()[0].depth, 1U);
    QCOMPARE(marks.marks()[0].ranges, (std::vector<TimeRange>{{{100}, {200}}}));
    QCOMPARE(marks.marks()[1].track, TrackIndex{1});
    QCOMPARE(marks.marks()[2].rank.value, 1U);
    // What is out of sight has none.
    scene.change([](ViewWindow& w) { w.show({{300}, {490}}, HistoryMark::NewStep); });
    QVERIFY(settled());
    QVERIFY(marks.marks().empty());
    scene.change([](ViewWindow& w) { w.show({{0}, {1000}}, HistoryMark::NewStep); });
    QVERIFY(settled());
    QVERIFY(!marks.marks().empty());
    find.request(std::nullopt, false);
    QVERIFY(settled());
    QVERIFY(marks.marks().empty());
    runner.shutdown();
}

ALTI_TEST(TestHitMarks)
#include "tst_hit_marks.moc"
