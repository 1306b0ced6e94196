#include "core/analysis/slices/track_window.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <random>
#include <set>

using namespace altiscope;
using altiscope::test::traceFromText;

namespace {

std::string dump(const TraceStore& store, const TrackWindow& window) {
    std::string text;
    for (const WindowItem& item : window.items) {
        if (!text.empty()) text += ' ';
        text += std::to_string(item.depth) + ':' + std::string(store.name(item.slice)) + '[' +
                std::to_string(item.begin.value) + ',' + std::to_string(item.end.value) + ')' +
                (item.count > 1 ? 'x' + std::to_string(item.count) : "");
    }
    return text;
}

std::shared_ptr<const TraceStore> randomStore(unsigned seed, std::int64_t offset) {
    std::mt19937_64 random(seed);
    TraceBuilder builder("r");
    TraceBuilder::Names names(builder);
    Segment segment;
    const auto track = names.thread("1", "1");
    const auto name = names.text("n");
    for (std::uint64_t i = 0; i < 2000; ++i) {
        // A few long ones, many short and empty ones.
        const std::int64_t duration = static_cast<std::int64_t>(random() % 20 == 0 ? random() % 5000 : random() % 8);
        segment.slices.add(track, offset + static_cast<std::int64_t>(random() % 100000), duration, name, name,
                           SourcePos::make(0, i));
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("r", diagnostics, {}).value();
}

/// Short slices with gaps of very different lengths: some parts dense, some empty, a few slices long.
std::shared_ptr<const TraceStore> denseStore(unsigned seed, std::int64_t offset, std::uint64_t slices) {
    std::mt19937_64 random(seed);
    TraceBuilder builder("d");
    TraceBuilder::Names names(builder);
    Segment segment;
    const auto track = names.thread("1", "1");
    std::int64_t time = offset;
    for (std::uint64_t i = 0; i < slices; ++i) {
        if (random() % 5000 == 0) time += static_cast<std::int64_t>(random() % 2'000'000);
        const std::int64_t duration =
            static_cast<std::int64_t>(random() % 3000 == 0 ? random() % 500'000 : random() % 90);
        const auto name = names.text("n" + std::to_string(random() % 7));
        segment.slices.add(track, time, duration, name, name, SourcePos::make(0, i));
        time += duration + static_cast<std::int64_t>(random() % 60);
    }
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("d", diagnostics, {}).value();
}

/// Columns of a picture that a time range touches, by division of exact integers.
std::pair<std::int64_t, std::int64_t> columnsOf(std::int64_t begin, std::int64_t end, const WindowQuery& query) {
    const std::int64_t from = query.window.begin.value, length = query.window.length().value, width = query.widthPx;
    const auto column = [&](std::int64_t time) { return (time - from) * width / length; };
    const std::int64_t left = begin < query.window.begin.value ? 0 : column(begin);
    const std::int64_t right = end >= query.window.end.value ? query.widthPx - 1 : end > begin ? column(end - 1) : left;
    return {left, std::max(left, right)};
}

/// Columns [left, right) that an item is drawn in: parts of a nanosecond count, and there is at least one.
std::pair<std::int64_t, std::int64_t> drawnColumnsOf(const WindowItem& item, const WindowQuery& query) {
    const std::int64_t from = query.window.begin.value, length = query.window.length().value, width = query.widthPx;
    const std::int64_t left = item.begin.value < from ? 0 : (item.begin.value - from) * width / length;
    const std::int64_t end = std::min(item.end.value, query.window.end.value) - from;
    return {left, std::max(left + 1, end <= 0 ? 0 : (end * width + length - 1) / length)};
}

}  // namespace

class TestTrackWindow : public QObject {
    Q_OBJECT
private slots:
    void items_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* clause, const char* text, qint64 begin, qint64 end, int width,
                            const char* expected) {
            QTest::addRow("%s", clause) << QString::fromUtf8(text) << begin << end << width
                                        << QString::fromUtf8(expected);
        };
        row("a slice a pixel wide stands alone", "p1/t1: A[0,10) B[10,20)", 0, 100, 10, "0:A[0,10) 0:B[10,20)");
        row("neighbours in one pixel merge, the longest names them", "p1/t1: A[0,1) B[2,5) C[6,7)", 0, 100, 10,
            "0:B[0,7)x3");
        row("a pixel border parts runs", "p1/t1: A[8,9) B[11,12)", 0, 100, 10, "0:A[8,9) 0:B[11,12)");
        row("a wide last one is not swallowed", "p1/t1: A[1,2) B[3,5) C[5,40)", 0, 100, 10, "0:B[1,5)x2 0:C[5,40)");
        row("equal lengths: the first names", "p1/t1: A[1,2) B[3,4)", 0, 100, 10, "0:A[1,4)x2");
        row("slices over the edges", "p1/t1: A[0,30) B[40,200)", 20, 60, 40, "0:A[0,30) 0:B[40,200)");
        row("outside the window", "p1/t1: A[0,20) B[60,70)", 20, 60, 40, "");
        row("zero length at the left edge", "p1/t1: A[20,20)", 20, 60, 40, "0:A[20,20)");
        row("each depth by itself", "p1/t1: A[0,100) B[0,1) C[2,3)", 0, 100, 10, "0:A[0,100) 1:B[0,3)x2");
        row("one nanosecond wide", "p1/t1: A[0,1) B[1,2)", 0, 2, 1000, "0:A[0,1) 0:B[1,2)");
        row("stamps of today", "p1/t1: A[1736408883000000000,1736408883000000001)", 1736408883000000000,
            1736408883000000010, 10, "0:A[1736408883000000000,1736408883000000001)");
    }
    void items() {
        QFETCH(QString, text);
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(int, width);
        QFETCH(QString, expected);
        const auto store = traceFromText(text.toStdString());
        const WindowQuery query{.track = {0}, .window = {{begin}, {end}}, .widthPx = static_cast<std::uint32_t>(width)};
        const auto window = queryTrackWindow(*store, query, {});
        QCOMPARE(QString::fromStdString(dump(*store, window.value())), expected);
    }

    void everySliceIsInExactlyOneItem() {
        std::mt19937_64 random(99);
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const std::int64_t offset = seed % 2 == 0 ? 1736408883000000000 : 0;
            const auto store = randomStore(seed, offset);
            for (int round = 0; round < 20; ++round) {
                const auto begin = offset + static_cast<std::int64_t>(random() % 100000);
                const auto length = static_cast<std::int64_t>(1 + random() % (std::uint64_t{1} << (1 + round % 17)));
                const WindowQuery query{.track = {0},
                                        .window = {{begin}, {begin + length}},
                                        .widthPx = 1 + static_cast<std::uint32_t>(random() % 500)};
                const auto window = queryTrackWindow(*store, query, {}).value();
                std::map<std::uint32_t, std::size_t> itemsOfDepth;
                std::set<std::uint32_t> covered;
                for (const WindowItem& item : window.items) {
                    ++itemsOfDepth[item.depth];
                    const auto [drawnLeft, drawnRight] = drawnColumnsOf(item, query);
                    QCOMPARE(item.left, drawnLeft);
                    QCOMPARE(item.right, drawnRight);
                    const DepthRun& run = store->runOf(item.slice);
                    QCOMPARE(run.depth, item.depth);
                    // The run's first slice is the one that begins where the item begins.
                    std::uint32_t first = store->firstBeginningAt(run, item.begin);
                    while (first + 1 < run.first + run.count && store->begin({first + 1}) == item.begin &&
                           item.count == 1 && first != item.slice.value)
                        ++first;
                    for (std::uint32_t i = first; i < first + item.count; ++i) QVERIFY(covered.insert(i).second);
                    QCOMPARE(store->end({first + item.count - 1}), item.end);
                    QVERIFY(first <= item.slice.value && item.slice.value < first + item.count);
                    for (std::uint32_t i = first; i < first + item.count; ++i)
                        QVERIFY(store->duration({i}) <= store->duration(item.slice));
                }
                for (const auto& [depth, count] : itemsOfDepth) QVERIFY(count <= 2 * query.widthPx + 1);
                for (std::uint32_t i = 0; i < store->sliceCount(); ++i) {
                    const std::int64_t from = store->begin({i}).value;
                    const std::int64_t to = store->end({i}).value;
                    const bool touches = from < begin + length && (to > begin || from == begin);
                    QCOMPARE(covered.contains(i), touches);
                }
            }
        }
    }

    void densePicturesCoverTheColumnsThatSlicesTouch() {
        std::mt19937_64 random(7);
        for (unsigned seed = 1; seed <= 4; ++seed) {
            const std::int64_t offset = seed % 2 == 0 ? 1736408883000000000 : 0;
            const auto store = denseStore(seed, offset, 150'000);
            const TimeRange all = store->range();
            for (int round = 0; round < 60; ++round) {
                const std::int64_t length = std::max<std::int64_t>(all.length().value >> (round % 14), 1000);
                const auto begin =
                    all.begin.value +
                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(all.length().value - length + 1));
                const WindowQuery query{.track = {0},
                                        .window = {{begin}, {begin + length}},
                                        .widthPx = 1 + static_cast<std::uint32_t>(random() % 2000)};
                const auto window = queryTrackWindow(*store, query, {}).value();
                std::vector<char> drawn(query.widthPx, 0), touched(query.widthPx, 0);
                std::uint64_t drawnSlices = 0, touching = 0;
                for (const WindowItem& item : window.items) {
                    const auto [left, right] = columnsOf(item.begin.value, item.end.value, query);
                    for (std::int64_t px = left; px <= right; ++px) drawn[static_cast<std::size_t>(px)] = 1;
                    const auto [drawnLeft, drawnRight] = drawnColumnsOf(item, query);
                    QCOMPARE(item.left, drawnLeft);
                    QCOMPARE(item.right, drawnRight);
                    drawnSlices += item.count;
                    QCOMPARE(item.length, store->duration(item.slice));
                    QCOMPARE(item.name.value, store->nameId(item.slice).value);
                }
                for (std::uint32_t i = 0; i < store->sliceCount(); ++i) {
                    const std::int64_t from = store->begin({i}).value, to = store->end({i}).value;
                    if (from >= begin + length || (to <= begin && from != begin)) continue;
                    ++touching;
                    const auto [left, right] = columnsOf(from, to, query);
                    for (std::int64_t px = left; px <= right; ++px) touched[static_cast<std::size_t>(px)] = 1;
                }
                QCOMPARE(drawnSlices, touching);
                for (std::size_t px = 0; px < drawn.size(); ++px)
                    QCOMPARE(static_cast<int>(drawn[px]), static_cast<int>(touched[px]));
                QVERIFY(window.items.size() <= 2 * std::size_t{query.widthPx} + 1);
            }
        }
    }

    void depthsCanBeRestricted() {
        const auto store = traceFromText("p1/t1: A[0,100) B[0,50) C[0,10)");
        const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 100, .firstDepth = 1, .depthCount = 1};
        QCOMPARE(dump(*store, queryTrackWindow(*store, query, {}).value()), std::string("1:B[0,50)"));
    }

    void counterColumns_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");  // px:first/last/min/max/samples
        const auto row = [](const char* clause, const char* text, const char* expected) {
            QTest::addRow("%s", clause) << QString::fromUtf8(text) << QString::fromUtf8(expected);
        };
        // window [100, 200), 10 columns of 10 ns
        row("nothing before the first sample", "p1/c:C s[120]=5", "2:5/5/5/5/1");
        row("the value before the window holds at its edge", "p1/c:C s[50]=7", "0:7/7/7/7/0");
        row("a value is carried into the column of the next", "p1/c:C s[100]=1 s[135]=4", "0:1/1/1/1/1 3:1/4/1/4/1");
        row("a sample on the border replaces at once", "p1/c:C s[100]=1 s[130]=4", "0:1/1/1/1/1 3:4/4/4/4/1");
        row("a spike within a column is kept", "p1/c:C s[100]=1 s[141]=900 s[142]=2 s[149]=3",
            "0:1/1/1/1/1 4:1/3/1/900/3");
        row("behind the window", "p1/c:C s[200]=1", "");
    }
    void counterColumns() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto store = traceFromText(text.toStdString());
        const WindowQuery query{.track = {0}, .window = {{100}, {200}}, .widthPx = 10};
        const auto window = queryCounterWindow(*store, query, {});
        QStringList columns;
        for (const CounterColumn& c : window.value().series.at(0).columns) {
            columns << QStringLiteral("%1:%2/%3/%4/%5/%6")
                           .arg(c.px)
                           .arg(c.first)
                           .arg(c.last)
                           .arg(c.minimum)
                           .arg(c.maximum)
                           .arg(c.samples);
        }
        QCOMPARE(columns.join(QLatin1Char(' ')), expected);
    }

    void counterValueHoldsUntilTheNext() {
        const auto store = traceFromText("p1/c:C s[10]=1 s[20]=2");
        const CounterSeries& series = store->series()[0];
        QVERIFY(!counterValueAt(*store, series, {9}).has_value());
        QCOMPARE(*counterValueAt(*store, series, {10}), 1.0);
        QCOMPARE(*counterValueAt(*store, series, {19}), 1.0);
        QCOMPARE(*counterValueAt(*store, series, {500}), 2.0);
    }

    void cancelIsHonoured() {
        const auto store = traceFromText("p1/t1: A[0,100)");
        CancelToken cancel;
        cancel.requestCancel();
        const WindowQuery query{.track = {0}, .window = {{0}, {100}}, .widthPx = 100};
        QVERIFY(queryTrackWindow(*store, query, cancel).cancelled());
    }
};

ALTI_TEST(TestTrackWindow)
#include "tst_track_window.moc"
