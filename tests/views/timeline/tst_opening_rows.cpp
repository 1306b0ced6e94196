#include "views/timeline/rows/opening_rows.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/rows/key_lanes.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/rows/timeline_model.h"

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int kLane = 20, kGroup = 22, kGap = 4;

/// A rank with a thread of operators, an overlap analysis, two streams, of which one has tasks alone, and a group.
std::string rank(const std::string& more = {}) {
    return "Python/main: ProfilerStep#1[0,1000) aten::mm[0,400) aten::add[400,600) aten::mul[600,700) "
           "aten::sub[700,800) aten::div[800,1000)\n"
           "Ascend Hardware/Stream 2: MatMul[0,300) Add[300,400) EVENT_WAIT[400,500)\n"
           "Ascend Hardware/Stream 5: EVENT_WAIT[0,10) EVENT_WAIT[20,30) EVENT_WAIT[40,50) EVENT_WAIT[60,70)\n"
           "Communication/Group 0 Communication: hcom_allReduce__1[0,500)\n"
           "Overlap Analysis/Computing: Computing[0,400)" +
           more;
}

TimelineModel modelOf(std::size_t ranks, const std::string& text) {
    TimelineModel model;
    model.setMetrics({.lane = kLane, .group = kGroup, .counter = 40, .strip = 3, .gap = kGap});
    model.setSources({TimelineSource{{1}, test::captureOfRanks(std::vector<std::string>(ranks, text)), {}, {}, {}}});
    return model;
}

QStringList titles(const TimelineModel& model) {
    QStringList titles;
    for (const TimelineRow& row : model.rows()) titles << rowTitle(model.sources(), row);
    return titles;
}

std::vector<TrackIndex> allTracks(const TraceStore& trace) {
    std::vector<TrackIndex> tracks;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) tracks.push_back({t});
    return tracks;
}

QStringList names(const TraceStore& trace, const std::vector<KeyLane>& lanes) {
    QStringList names;
    for (const KeyLane& lane : lanes)
        names << u"%1@%2"_s.arg(QString::fromStdString(trace.track(lane.track).name)).arg(lane.depth);
    return names;
}

}  // namespace

class TestOpeningRows : public QObject {
    Q_OBJECT
private slots:
    void keyLanesTellMost();
    void aRankIsUnfoldedWhereItFits();
    void severalRanksShareTheHeight_data();
    void severalRanksShareTheHeight();
    void manyRanksHaveTwoLanesEach();
    void fewRowsGrow();
    void whatTheUserDoesCounts();
    void withoutAHeightNothingChanges();
    void ranksWithoutATimeline();
    void lanesArePainted();
    void aFoldedRowHasTheTracksThatTheFilterLeaves();
    void namesAreReadOncePerTrace();
};

void TestOpeningRows::keyLanesTellMost() {
    const auto capture = test::captureOfRanks({rank()});
    const TraceStore& trace = *capture->ranks[0].trace;
    const auto all = allTracks(trace);
    // Operators are a depth below the step; a stream of tasks alone is none with kernels.
    QStringList three = names(trace, keyLanes(trace, all, 3));
    three.sort();
    QCOMPARE(three, QStringList({u"Group 0 Communication@0"_s, u"Stream 2@0"_s, u"main@1"_s}));
    QCOMPARE(names(trace, keyLanes(trace, all, 1)), QStringList({u"Stream 2@0"_s}));
    QVERIFY(keyLanes(trace, all, 0).empty());
    QVERIFY(keyLanes(trace, {}, 3).empty());
}

void TestOpeningRows::aRankIsUnfoldedWhereItFits() {
    TimelineModel model = modelOf(1, rank());
    model.setRoom(600);
    QVERIFY(titles(model).contains(u"Stream 2"_s));
    QVERIFY(titles(model).contains(u"Group 0 Communication"_s));
    QVERIFY(titles(model).contains(u"main"_s));
    QVERIFY(model.layout().height() <= 600);
    QVERIFY2(model.layout().height() >= 360, qPrintable(QString::number(model.layout().height())));
}

void TestOpeningRows::severalRanksShareTheHeight_data() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 2, 3, 4, 6, 8, 10}) QTest::addRow("%d ranks", ranks) << ranks;
}

void TestOpeningRows::severalRanksShareTheHeight() {
    QFETCH(int, ranks);
    constexpr int kRoom = 480;
    TimelineModel model = modelOf(static_cast<std::size_t>(ranks), rank());
    model.setRoom(kRoom);
    const auto height = model.layout().height();
    QVERIFY2(height <= kRoom && height >= kRoom * 6 / 10, qPrintable(QString::number(height)));
    // Each rank has lanes in which names can be read.
    int named = 0;
    for (const TimelineRow& row : model.rows())
        if (row.lanes > 0 && row.height >= kLane) ++named;
    QVERIFY(named >= ranks);
}

void TestOpeningRows::manyRanksHaveTwoLanesEach() {
    TimelineModel model = modelOf(64, rank());
    model.setRoom(480);
    QCOMPARE(model.rows().size(), std::size_t{64});
    for (const TimelineRow& row : model.rows()) {
        QCOMPARE(row.lanes, 2U);
        QCOMPARE(row.height, 2 * kLane + kGap);
    }
}

void TestOpeningRows::fewRowsGrow() {
    TimelineModel model = modelOf(1, "Ascend Hardware/Stream 2: MatMul[0,300) Add[300,400)");
    const auto before = model.layout().height();
    model.setRoom(480);
    QVERIFY(model.layout().height() > before);
    QVERIFY(model.rows().back().lane <= 3 * kLane);
}

void TestOpeningRows::whatTheUserDoesCounts() {
    TimelineModel model = modelOf(8, rank());
    model.setRoom(480);
    QCOMPARE(model.rows().size(), std::size_t{8});
    model.setExpanded(0, true);
    QVERIFY(model.rows().size() > 8);
    model.setRoom(500);
    QVERIFY(model.rows().front().expanded);
    model.setAllExpanded(false);
    QCOMPARE(model.rows().size(), std::size_t{8});
    // A height that was dragged.
    TrackArrangement arrangement = model.arrangement();
    arrangement.heights[model.sources().keyOf(model.rows()[1])] = model.heightsFor(model.rows()[1], 100);
    model.setArrangement(arrangement);
    QCOMPARE(model.rows()[1].height, 100);
    QCOMPARE(model.rows()[1].lanes, 4U);
}

void TestOpeningRows::withoutAHeightNothingChanges() {
    const TimelineModel model = modelOf(8, rank());
    for (const TimelineRow& row : model.rows()) {
        QCOMPARE(row.height, kGroup);
        QCOMPARE(row.lanes, 0U);
    }
}

void TestOpeningRows::ranksWithoutATimeline() {
    TimelineModel model;
    model.setMetrics({.lane = kLane, .group = kGroup, .counter = 40, .strip = 3, .gap = kGap});
    model.setSources({TimelineSource{{1}, test::captureFromTexts({"", "p1/t1: A[0,10)", ""}), {}, {}, {}}});
    model.setRoom(300);
    QCOMPARE(model.rows().front().height, kGroup);
    QVERIFY(model.layout().height() <= 300);
    model.setSources({});
    QVERIFY(model.rows().empty());
}

void TestOpeningRows::lanesArePainted() {
    const auto capture = test::captureOfRanks({rank()});
    const auto colours = std::make_shared<const SliceColours>(capture->ranks[0].trace);
    const auto tracks = static_cast<std::uint32_t>(capture->ranks[0].trace->tracks().size());
    RowRequest request{
        .key = {}, .kind = PictureKind::Preview, .colours = colours, .shift = {}, .trackCount = tracks, .laneCount = 2};
    const auto painted = [&] { return queryPicture({{{0}, {1000}}, 1000, {request}}, {}).rows.front().second; };
    auto picture = painted();
    QCOMPARE(picture->named, 2U);
    QCOMPARE(picture->slices.size(), std::size_t{3});  // and the strip of computing
    QVERIFY(picture->results(request, {{0}, {1000}}, 1000));
    request.strips = false;
    QVERIFY(!picture->results(request, {{0}, {1000}}, 1000));
    picture = painted();
    QCOMPARE(picture->slices.size(), std::size_t{2});
    // Lanes are exact, not drawn in cells: a name begins where its slice does.
    for (const TrackGeometry& lane : picture->slices) QVERIFY(lane.laneCount() == 1 && !lane.rects.empty());
}

/// It drew and named tracks that the filter hides.
void TestOpeningRows::aFoldedRowHasTheTracksThatTheFilterLeaves() {
    // So many that all are collapsed.
    TimelineModel model = modelOf(24, rank("\ncounter AI Core Freq/AI Core Freq: MHz@0=1800 MHz@100=900"));
    model.setRoom(600);
    const auto shown = [&model] {
        const TimelineRow* row = nullptr;
        for (const TimelineRow& one : model.rows())
            if (row == nullptr && one.kind == TimelineRowKind::Rank && !one.expanded) row = &one;
        if (row == nullptr) return QStringList();
        const TraceStore& trace = *model.sources().traceOf(*row);
        QStringList titles;
        for (const TrackIndex track : tracksIn(*row)) titles << QString::fromStdString(trace.track(track).name);
        titles.sort();
        return titles;
    };
    const QStringList all = shown();
    QVERIFY(all.contains(u"Stream 2"_s) && all.contains(u"main"_s) && all.contains(u"AI Core Freq"_s));
    model.setFilter({.text = u"stream"_s, .hiddenKinds = {}, .hidden = {}});
    QCOMPARE(shown(), QStringList({u"Stream 2"_s, u"Stream 5"_s}));
    model.setFilter({.text = {}, .hiddenKinds = {TrackKind::Hardware}, .hidden = {}});
    QVERIFY(!shown().contains(u"Stream 2"_s) && shown().contains(u"main"_s));
    model.setFilter({.text = u"no such track"_s, .hiddenKinds = {}, .hidden = {}});
    for (const TimelineRow& row : model.rows()) QVERIFY(row.kind < TimelineRowKind::Rank || tracksIn(row).empty());
    model.setFilter({});
    QCOMPARE(shown(), all);
}

void TestOpeningRows::namesAreReadOncePerTrace() {
    const auto capture = test::captureOfRanks({rank()});
    const TraceStore& trace = *capture->ranks[0].trace;
    const SliceColours colours(capture->ranks[0].trace);
    // A store that was read once says the same as the trace itself, of any choice of its tracks.
    const std::vector<TrackIndex> all = allTracks(trace);
    QCOMPARE(colours.weights().size(), all.size());
    for (std::uint32_t chosen = 0; chosen < 1U << all.size(); ++chosen) {
        std::vector<TrackIndex> tracks;
        for (const TrackIndex track : all)
            if ((chosen >> track.value & 1U) != 0) tracks.push_back(track);
        for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
            QVERIFY(keyLanes(colours.weights(), tracks, limit) == keyLanes(trace, tracks, limit));
    }
}

ALTI_TEST(TestOpeningRows)
#include "tst_opening_rows.moc"
