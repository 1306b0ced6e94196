#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"
#include "views/timeline/picture/track_geometry.h"

#include <random>
#include <set>

using namespace altiscope;

namespace {

constexpr std::int64_t kToday = 1'736'408'883'573'888'123;

std::shared_ptr<const TraceStore> storeOf(const std::vector<TimeRange>& slices) {
    TraceBuilder builder("test");
    TraceBuilder::Names names(builder);
    Segment segment;
    for (const TimeRange& slice : slices) {
        const auto pos = SourcePos::make(0, segment.slices.size());
        segment.slices.add(names.thread("1", "1"), slice.begin.value, slice.length().value, names.text("A"),
                           names.text(""), pos);
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("f", diagnostics, {}).value();
}

TrackGeometry geometryOf(const std::shared_ptr<const TraceStore>& store, const WindowQuery& query, int stretch = 1) {
    return layOutTrack(queryTrackWindow(*store, query, {}).value(), query, SliceColours(store), stretch);
}

/// "name[left,right)" of each rectangle, lanes divided by "|"; runs as "3*name".
QString dump(const TrackGeometry& geometry, const TraceStore& store) {
    QStringList lanes;
    for (std::size_t i = 0; i < geometry.laneCount(); ++i) {
        QStringList rects;
        for (const LaneRect& rect : geometry.lane(i)) {
            const auto name = store.name(rect.slice);
            rects << (rect.count > 1 ? QStringLiteral("%1*").arg(rect.count) : QString()) +
                         QStringLiteral("%1[%2,%3)")
                             .arg(QString::fromUtf8(name.data(), qsizetype(name.size())))
                             .arg(rect.left)
                             .arg(rect.right);
        }
        lanes << rects.join(u' ');
    }
    return lanes.join(QStringLiteral(" | "));
}

}  // namespace

class TestTrackGeometry : public QObject {
    Q_OBJECT
private slots:
    void rects_data();
    void rects();
    void todayAtOneNanosecond();
    void lanesOfVisibleDepths();
    void previewCells();
    void nothingIsLost_data();
    void nothingIsLost();
    void workIsBoundedByWidth();
    void coloursByMeaningAndName();
    void coloursThatTheSourceAsksFor();
    void coloursByOtherThings();
    void rectAtFindsNearest();
    void counterStepsAndEnvelope();
    void counterKeepsSpikes();
    void counterScaleHoldsZero();
    void instantsOncePerColumn();
};

void TestTrackGeometry::rects_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<int>("width");
    QTest::addColumn<QString>("expected");
    QTest::addRow("depths are lanes") << "p1/t1: A[0,100) B[10,40) C[20,30)" << qint64(0) << qint64(100) << 100
                                      << "A[0,100) | B[10,40) | C[20,30)";
    QTest::addRow("cut at the window") << "p1/t1: A[0,100) B[10,40)" << qint64(30) << qint64(50) << 10
                                       << "A[0,10) | B[0,5)";
    QTest::addRow("touched columns are covered") << "p1/t1: A[5,15)" << qint64(0) << qint64(100) << 10 << "A[0,2)";
    QTest::addRow("at least one column") << "p1/t1: A[55,56)" << qint64(0) << qint64(1000) << 10 << "A[0,1)";
    QTest::addRow("no length, first column") << "p1/t1: A[0,0)" << qint64(0) << qint64(100) << 10 << "A[0,1)";
    QTest::addRow("no length, last column") << "p1/t1: A[99,99)" << qint64(0) << qint64(100) << 10 << "A[9,10)";
    QTest::addRow("runs of a column") << "p1/t1: A[0,1) B[2,5) C[6,7) D[50,90)" << qint64(0) << qint64(100) << 10
                                      << "3*B[0,1) D[5,9)";
    QTest::addRow("outside is left out") << "p1/t1: A[0,10) B[20,30) C[40,50)" << qint64(12) << qint64(38) << 26
                                         << "B[8,18)";
}

void TestTrackGeometry::rects() {
    QFETCH(QString, trace);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(int, width);
    const auto store = test::traceFromText(trace.toStdString());
    const WindowQuery query{.track = {0}, .window = {{begin}, {end}}, .widthPx = static_cast<std::uint32_t>(width)};
    QTEST(dump(geometryOf(store, query), *store), "expected");
}

void TestTrackGeometry::todayAtOneNanosecond() {
    // Neighbours of 1 ns at stamps where a double counts in steps of 256 ns.
    const auto store = storeOf({{{kToday}, {kToday + 1}}, {{kToday + 1}, {kToday + 2}}, {{kToday + 3}, {kToday + 4}}});
    const WindowQuery query{.track = {0}, .window = {{kToday}, {kToday + 4}}, .widthPx = 400};
    QCOMPARE(dump(geometryOf(store, query), *store), QStringLiteral("A[0,100) A[100,200) A[300,400)"));
    const WindowQuery one{.track = {0}, .window = {{kToday + 1}, {kToday + 2}}, .widthPx = 400};
    QCOMPARE(dump(geometryOf(store, one), *store), QStringLiteral("A[0,400)"));
}

void TestTrackGeometry::lanesOfVisibleDepths() {
    const auto store = test::traceFromText("p1/t1: A[0,100) B[10,40) C[20,30)");
    const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 100, .firstDepth = 1, .depthCount = 10};
    const TrackGeometry geometry = geometryOf(store, query);
    QCOMPARE(geometry.firstDepth, 1U);
    QCOMPARE(dump(geometry, *store), QStringLiteral("B[10,40) | C[20,30)"));
    // Depths without anything in the window still are lanes.
    const WindowQuery late{.track = {0}, .window = {{50}, {100}}, .widthPx = 100};
    QCOMPARE(dump(geometryOf(store, late), *store), QStringLiteral("A[0,100) |  | "));
}

void TestTrackGeometry::previewCells() {
    const auto store = test::traceFromText("p1/t1: A[0,10) B[50,100)");
    const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 50, .firstDepth = 0, .depthCount = 1};
    QCOMPARE(dump(geometryOf(store, query, 2), *store), QStringLiteral("A[0,10) B[50,100)"));
}

void TestTrackGeometry::nothingIsLost_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 12; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void TestTrackGeometry::nothingIsLost() {
    QFETCH(int, seed);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto below = [&random](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };
    // Clusters of tiny slices, zero lengths, long ones and gaps; nested and overlapping.
    std::vector<TimeRange> slices;
    const std::int64_t base = seed % 2 == 0 ? kToday : 0;
    std::int64_t at = base;
    for (int i = 0; i < 3'000; ++i) {
        at += below(10) == 0 ? below(5'000) : below(30);
        const std::int64_t length = below(20) == 0 ? below(20'000) : below(8) == 0 ? 0 : below(25);
        slices.push_back({{at}, {at + length}});
    }
    const auto store = storeOf(slices);
    const std::int64_t all = at - base + 1;
    for (int zoom = 0; zoom < 40; ++zoom) {
        const std::int64_t length = std::max<std::int64_t>(all >> below(15), 1);
        const std::int64_t begin = base + below(all);
        const auto width = static_cast<std::uint32_t>(1 + below(2'000));
        const WindowQuery query{.track = {0}, .window = {{begin}, {begin + length}}, .widthPx = width};
        const TrackGeometry geometry = geometryOf(store, query);

        // The truth: every slice covers the columns that it touches, by long division.
        std::vector<std::vector<bool>> exact(store->depthCount({0}), std::vector<bool>(width));
        std::vector<std::uint64_t> touching(store->depthCount({0}));
        for (std::uint32_t i = 0; i < store->sliceCount(); ++i) {
            const std::int64_t first = store->begin({i}).value - begin, end = store->end({i}).value - begin;
            const bool touches = first < length && (end > 0 || first == 0);
            if (!touches) continue;
            const std::uint32_t depth = store->runOf({i}).depth;
            ++touching[depth];
            const std::int64_t left = std::max<std::int64_t>(first, 0) * width / length;
            const std::int64_t right = end >= length ? width : std::max((end * width + length - 1) / length, left + 1);
            for (std::int64_t x = left; x < right; ++x) exact[depth][static_cast<std::size_t>(x)] = true;
        }
        for (std::size_t lane = 0; lane < geometry.laneCount(); ++lane) {
            std::vector<bool> merged(width);
            std::uint64_t counted = 0;
            int before = -1;
            for (const LaneRect& rect : geometry.lane(lane)) {
                QVERIFY(0 <= rect.left && rect.left < rect.right && rect.right <= static_cast<int>(width));
                QVERIFY(rect.left >= before);
                before = rect.left;
                counted += rect.count;
                for (int x = rect.left; x < rect.right; ++x) merged[static_cast<std::size_t>(x)] = true;
            }
            QCOMPARE(counted, touching[lane]);
            for (std::uint32_t x = 0; x < width; ++x) {
                QVERIFY2(!exact[lane][x] || merged[x],
                         qPrintable(QStringLiteral("lane %1 column %2").arg(lane).arg(x)));
            }
        }
    }
}

void TestTrackGeometry::workIsBoundedByWidth() {
    std::vector<TimeRange> slices;
    for (std::int64_t i = 0; i < 200'000; ++i) slices.push_back({{kToday + i * 10}, {kToday + i * 10 + 4}});
    const auto store = storeOf(slices);
    for (const std::uint32_t width : {1U, 100U, 1920U}) {
        const WindowQuery query{.track = {0}, .window = {{kToday}, {kToday + 2'000'000}}, .widthPx = width};
        QVERIFY(geometryOf(store, query).rects.size() <= 2 * width + 1);
    }
}

namespace {

/// A slice as an item of a window.
WindowItem itemOf(const TraceStore& store, std::uint32_t slice) {
    return {.begin = store.begin({slice}),
            .end = store.end({slice}),
            .slice = {slice},
            .name = store.nameId({slice}),
            .length = store.duration({slice})};
}

}  // namespace

void TestTrackGeometry::coloursByMeaningAndName() {
    const auto store =
        test::traceFromText("p1/t1: hcom_allReduce__612_0_1[0,10) hcom_allReduce__613_0_1[10,20) Computing[20,30)");
    const SliceColours colours(store);
    QCOMPARE(colours.of(itemOf(*store, 0), false), colours.of(itemOf(*store, 1), false));
    QVERIFY(colours.of(itemOf(*store, 0), false) < Theme::kHues);
    QCOMPARE(colours.of(itemOf(*store, 2), true), kComputingColour);
    QCOMPARE(colours.of(itemOf(*store, 2), false), static_cast<ColourIndex>(Theme::hueIndex("Computing")));

    const auto overlap = test::traceFromText("p1/t1: Communication(Not[0,5) Free[10,20) Communication[30,40)");
    const SliceColours meanings(overlap);
    QCOMPARE(meanings.of(itemOf(*overlap, 0), true), kCommunicationColour);
    QCOMPARE(meanings.of(itemOf(*overlap, 1), true), kFreeColour);
    QCOMPARE(meanings.of(itemOf(*overlap, 2), true), kCommunicationColour);

    QCOMPARE(hueName("ProfilerStep#50"), std::string_view("ProfilerStep"));
    QCOMPARE(hueName("MatMulV2"), std::string_view("MatMulV"));
    QCOMPARE(hueName("12_3"), std::string_view("12_3"));
    QCOMPARE(hueName(""), std::string_view(""));
}

void TestTrackGeometry::coloursThatTheSourceAsksFor() {
    TraceBuilder builder("rank");
    TraceBuilder::Names names(builder);
    Segment segment;
    const ProvisionalTrack track = names.thread("1", "1");
    const std::vector<std::string_view> requested{"good", "", "terrible", "mine", "good"};
    for (std::uint64_t i = 0; i < requested.size(); ++i) {
        segment.slices.add(track, static_cast<std::int64_t>(10 * i), 5, names.text(i == 4 ? "Free" : "A"),
                           names.text("c"), SourcePos::make(0, i));
        // Of the part before it in no order: positions decide.
        if (!requested[i].empty())
            segment.colours.insert(segment.colours.begin(), {SourcePos::make(0, i), names.text(requested[i])});
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    const auto store = builder.seal("trace_view.json", diagnostics, {}).value();
    const auto colour = [&](ColourBy by, std::uint32_t slice) {
        return SliceColours(store, by).of(itemOf(*store, slice), false);
    };
    const auto rgb = [&](std::uint32_t slice) {
        return makeLanePalette(lightTheme()).fill[colour(ColourBy::Name, slice)] & 0xffffffU;
    };
    QCOMPARE(rgb(0), 0x007d00U);
    QCOMPARE(colour(ColourBy::Name, 1), static_cast<ColourIndex>(Theme::hueIndex("A")));
    QCOMPARE(rgb(2), 0xb40000U);
    // A name of one's own is a colour of its own.
    QCOMPARE(colour(ColourBy::Name, 3), static_cast<ColourIndex>(Theme::hueIndex("mine")));
    QCOMPARE(colour(ColourBy::Category, 0), static_cast<ColourIndex>(Theme::hueIndex("c")));
    // The meaning of an overlap track goes before.
    QCOMPARE(SliceColours(store).of(itemOf(*store, 4), true), kFreeColour);
    QCOMPARE(SliceColours(store).of(itemOf(*store, 4), false),
             static_cast<ColourIndex>(kFirstNamedColour + *namedColour("good")));
}

void TestTrackGeometry::coloursByOtherThings() {
    const auto store = test::traceFromText("p1/t1: A[0,10) B[10,20)\np1/t2: A[0,5000) Free[6000,6010)");
    const auto hue = [&](ColourBy by, std::uint32_t slice) {
        return SliceColours(store, by, {3}).of(itemOf(*store, slice), false);
    };
    QCOMPARE(hue(ColourBy::Track, 0), hue(ColourBy::Track, 1));
    QVERIFY2(hue(ColourBy::Track, 0) != hue(ColourBy::Track, 2), "two threads; their names differ in the last digit");
    for (std::uint32_t slice = 0; slice < 4; ++slice) QCOMPARE(hue(ColourBy::Rank, slice), ColourIndex{15});
    QCOMPARE(SliceColours(store, ColourBy::Duration).of(itemOf(*store, 3), true), kFreeColour);
    QCOMPARE(hue(ColourBy::Category, 0), hue(ColourBy::Category, 2));
    // Ten ns and five us: each step of the ramp begins where it says.
    QCOMPARE(hue(ColourBy::Duration, 0), hueOfDuration({10}));
    QCOMPARE(hue(ColourBy::Duration, 2), hueOfDuration({5000}));
    QVERIFY(hueOfDuration({999}) != hueOfDuration({1000}));
    QVERIFY(hueOfDuration({2149}) != hueOfDuration({2150}));
    QCOMPARE(hueOfDuration({4640}), hueOfDuration({9'999}));
    QVERIFY(hueOfDuration({9'999}) != hueOfDuration({10'000}));
    QVERIFY(hueOfDuration({46'399}) != hueOfDuration({46'400}));
    QCOMPARE(hueOfDuration({100'000'000}), hueOfDuration({std::int64_t{1} << 60}));
    std::set<ColourIndex> steps;
    for (std::int64_t ns = 1; ns < 1'000'000'000; ns += ns / 4 + 1) steps.insert(hueOfDuration({ns}));
    QCOMPARE(steps.size(), std::size_t{16});
}

void TestTrackGeometry::rectAtFindsNearest() {
    const std::vector<LaneRect> lane{{.left = 10, .right = 20, .slice = {1}},
                                     {.left = 20, .right = 21, .slice = {2}},
                                     {.left = 24, .right = 30, .slice = {3}}};
    const auto at = [&lane](int x, int reach) {
        const LaneRect* rect = rectAt(lane, x, reach);
        return rect == nullptr ? 0 : static_cast<int>(rect->slice.value);
    };
    QCOMPARE(at(9, 0), 0);
    QCOMPARE(at(9, 1), 1);
    QCOMPARE(at(10, 0), 1);
    QCOMPARE(at(19, 0), 1);
    QCOMPARE(at(20, 0), 2);
    QCOMPARE(at(21, 0), 0);
    QCOMPARE(at(21, 2), 2);
    QCOMPARE(at(23, 2), 3);
    QCOMPARE(at(40, 5), 0);
    QCOMPARE(rectAt({}, 5, 100), nullptr);
}

void TestTrackGeometry::counterStepsAndEnvelope() {
    // One pixel is 10 ns. The value holds from sample to sample; a step is drawn where it happens.
    const auto store = test::traceFromText("p1/c:Read r[20]=4 r[50]=8 r[55]=2");
    const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 10};
    const auto lines = layOutCounter(queryCounterWindow(*store, query, {}).value(), query, 3);
    QCOMPARE(lines.size(), std::size_t(1));
    QCOMPARE(lines[0].colour, ColourIndex(3));
    QCOMPARE(lines[0].firstColumn, 2);
    QCOMPARE(lines[0].points.size(), std::size_t(8));
    const auto point = [&lines](int column) {
        return lines[0].points[static_cast<std::size_t>(column - lines[0].firstColumn)];
    };
    QCOMPARE(point(2).level, 0.5F);
    QCOMPARE(point(4).low, 0.5F);
    QCOMPARE(point(4).high, 0.5F);
    QCOMPARE(point(5).low, 0.25F);
    QCOMPARE(point(5).high, 1.0F);
    QCOMPARE(point(5).level, 0.25F);
    QCOMPARE(point(9).level, 0.25F);
}

void TestTrackGeometry::counterKeepsSpikes() {
    TraceBuilder builder("test");
    TraceBuilder::Names names(builder);
    Segment segment;
    const auto track = names.counter("1", "Load");
    for (std::int64_t i = 0; i < 100'000; ++i) {
        const double value = i == 54'321 ? 100 : 1;
        segment.samples.push_back(
            {track, names.text("r"), kToday + i * 10, value, SourcePos::make(0, static_cast<std::uint64_t>(i))});
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    const auto store = builder.seal("f", diagnostics, {}).value();
    for (const std::uint32_t width : {10U, 333U, 1920U}) {
        const WindowQuery query{.track = {0}, .window = {{kToday}, {kToday + 1'000'000}}, .widthPx = width};
        const auto lines = layOutCounter(queryCounterWindow(*store, query, {}).value(), query, 0);
        const auto column = static_cast<std::size_t>(std::int64_t{54'321} * 10 * width / 1'000'000);
        QCOMPARE(lines[0].points[column].high, 1.0F);
        QCOMPARE(lines[0].points[column - 1].high, 0.01F);
    }
}

void TestTrackGeometry::counterScaleHoldsZero() {
    CounterWindow window;
    window.minimum = 3;
    window.maximum = 5;
    QCOMPARE(counterScale(window).minimum, 0.0);
    QCOMPARE(counterScale(window).maximum, 5.0);
    window.minimum = -4;
    window.maximum = -2;
    QCOMPARE(counterScale(window).minimum, -4.0);
    QCOMPARE(counterScale(window).maximum, 0.0);
    // Values at the ends of double's range still have a place.
    window.minimum = -1e308;
    window.maximum = 1e308;
    window.series = {{0, {{.px = 0, .first = 0, .last = 0, .minimum = -1e308, .maximum = 1e308, .samples = 2}}}};
    const auto lines = layOutCounter(window, {.track = {0}, .window = {{0}, {10}}, .widthPx = 1}, 0);
    QCOMPARE(lines[0].points[0].low, 0.0F);
    QCOMPARE(lines[0].points[0].high, 1.0F);
    QCOMPARE(lines[0].points[0].level, 0.5F);
}

void TestTrackGeometry::instantsOncePerColumn() {
    const auto store = test::traceFromText("p1/t1: !a[5] !b[6] !c[25] !d[99] !e[100]");
    const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 10};
    QCOMPARE(instantColumns(*store, query), (std::vector<int>{0, 2, 9}));
}

ALTI_TEST(TestTrackGeometry)
#include "tst_track_geometry.moc"
