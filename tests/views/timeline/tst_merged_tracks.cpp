#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"
#include "views/common/plots/view_window.h"
#include "views/timeline/picture/track_geometry.h"
#include "views/timeline/rows/merged_tracks.h"

#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace altiscope;

namespace {

/// Slices at random places of as many threads, some nested, some overlapping, some without length.
std::shared_ptr<const TraceStore> randomTrace(unsigned seed, int threads, int slices) {
    std::mt19937 random(seed);
    std::string text;
    for (int t = 1; t <= threads; ++t) {
        for (int i = 0; i < slices; ++i) {
            if (i % 20 == 0) text += "\np1/t" + std::to_string(t) + ":";
            const auto begin = random() % 10'000,
                       length = random() % 4 == 0 ? 0U : random() % (random() % 5 == 0 ? 900U : 20U);
            text += " S" + std::to_string(i) + "[" + std::to_string(begin) + "," + std::to_string(begin + length) + ")";
        }
    }
    return test::traceFromText(std::string_view(text).substr(1));  // without the empty line that it begins with
}

std::vector<TrackIndex> allTracks(const TraceStore& trace) {
    std::vector<TrackIndex> tracks;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) tracks.push_back({t});
    return tracks;
}

/// Columns that slices cover, one by one.
std::set<int> columnsOf(const TraceStore& trace, const std::vector<std::uint32_t>& slices, TimeRange window,
                        int width) {
    const PixelScale scale(window, width);
    std::set<int> columns;
    for (const std::uint32_t s : slices) {
        const TimeNs begin = trace.begin({s}), end = trace.end({s});
        if (begin >= window.end || end < window.begin || (end == window.begin && begin < end)) continue;
        if (begin < window.begin && end <= window.begin) continue;
        const int left = std::clamp(scale.column(begin), 0, width - 1),
                  right = std::clamp(scale.columnAfter(end), left + 1, width);
        for (int x = left; x < right; ++x) columns.insert(x);
    }
    return columns;
}

}  // namespace

class TestMergedTracks : public QObject {
    Q_OBJECT
private slots:
    void depthsByEye();
    void everySliceAtTheLeastFreeDepth();
    void pictureLosesNothing_data();
    void pictureLosesNothing();
    void longestOfAnyPart();
    void cancelled();
};

void TestMergedTracks::depthsByEye() {
    const auto trace = test::traceFromText("p1/t1: A[0,10) B[20,30)\np1/t2: C[5,25) D[30,40)\np1/t3: E[5,6)");
    const auto merged = mergeTracks(trace, allTracks(*trace), {});
    QString text;
    for (std::uint32_t d = 0; d < merged->depthCount(); ++d) {
        for (const std::uint32_t s : merged->depth(d).slices)
            text += QString::fromUtf8(trace->name({s}).data(), static_cast<qsizetype>(trace->name({s}).size()));
        text += u' ';
    }
    QCOMPARE(text, QStringLiteral("ABD C E "));
    QCOMPARE(merged->tracks().size(), std::size_t{3});
}

void TestMergedTracks::everySliceAtTheLeastFreeDepth() {
    for (unsigned seed = 1; seed < 12; ++seed) {
        const auto trace = randomTrace(seed, 4, 120);
        const auto merged = mergeTracks(trace, allTracks(*trace), {});
        std::map<std::uint32_t, std::uint32_t> depths;
        for (std::uint32_t d = 0; d < merged->depthCount(); ++d) {
            TimeNs before{-1};
            for (const std::uint32_t s : merged->depth(d).slices) {
                QVERIFY(depths.emplace(s, d).second);
                QVERIFY(trace->begin({s}) >= before);
                before = trace->end({s});
                QCOMPARE(merged->depthOf({s}), std::optional(d));
            }
        }
        QCOMPARE(depths.size(), trace->sliceCount());
        // Above each slice something lies at its begin.
        for (const auto& [slice, depth] : depths) {
            for (std::uint32_t above = 0; above < depth; ++above) {
                const bool taken = std::any_of(depths.begin(), depths.end(), [&, slice = slice](const auto& other) {
                    return other.second == above && trace->begin({other.first}) <= trace->begin({slice}) &&
                           trace->begin({slice}) < trace->end({other.first});
                });
                QVERIFY(taken);
            }
        }
    }
}

void TestMergedTracks::pictureLosesNothing_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addRow("all in few pixels") << 7 << qint64{-500} << qint64{12'000};
    QTest::addRow("all") << 640 << qint64{0} << qint64{11'000};
    QTest::addRow("a part") << 333 << qint64{4'321} << qint64{5'000};
    QTest::addRow("one ns a pixel") << 100 << qint64{5'000} << qint64{5'100};
    QTest::addRow("below a ns") << 500 << qint64{5'000} << qint64{5'007};
}

void TestMergedTracks::pictureLosesNothing() {
    QFETCH(int, width);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    const TimeRange window{{begin}, {end}};
    for (unsigned seed = 1; seed < 8; ++seed) {
        const auto trace = randomTrace(seed, 5, 200);
        const auto merged = mergeTracks(trace, allTracks(*trace), {});
        const SliceColours colours(trace, ColourBy::Name, {0});
        const WindowQuery query{.track = {0},
                                .window = window,
                                .widthPx = static_cast<std::uint32_t>(width),
                                .firstDepth = 1,
                                .depthCount = 6};
        const TrackWindow shown = queryMergedWindow(*merged, query, {});
        const TrackGeometry geometry = layOutMerged(shown, query, colours, merged->depthCount());
        for (std::uint32_t d = 1; d < std::min(merged->depthCount(), 7U); ++d) {
            const auto& slices = merged->depth(d).slices;
            const auto touches = [&](std::uint32_t s) {
                return trace->begin({s}) < window.end &&
                       (trace->end({s}) > window.begin || trace->begin({s}) == window.begin);
            };
            std::size_t drawn = 0, items = 0;
            for (const WindowItem& item : shown.items) {
                if (item.depth != d) continue;
                drawn += item.count;
                ++items;
            }
            QCOMPARE(drawn, static_cast<std::size_t>(std::count_if(slices.begin(), slices.end(), touches)));
            QVERIFY(items <= static_cast<std::size_t>(2 * width + 1));
            std::set<int> columns;
            for (const LaneRect& rect : geometry.lane(d - 1)) {
                for (int x = rect.left; x < rect.right; ++x) columns.insert(x);
            }
            QCOMPARE(columns, columnsOf(*trace, slices, window, width));
        }
    }
}

void TestMergedTracks::longestOfAnyPart() {
    const auto trace = randomTrace(3, 2, 3000);
    const auto merged = mergeTracks(trace, allTracks(*trace), {});
    const auto& slices = merged->depth(0).slices;
    const auto count = static_cast<std::uint32_t>(slices.size());
    QVERIFY(count > MergedTracks::kFanOut * 2);
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i) {
        const auto first = static_cast<std::uint32_t>(random() % count);
        const auto last = first + 1 + static_cast<std::uint32_t>(random() % (count - first));
        std::uint32_t best = first;
        for (std::uint32_t at = first; at < last; ++at) {
            if (trace->duration({slices[best]}) < trace->duration({slices[at]})) best = at;
        }
        QCOMPARE(trace->duration({slices[merged->longestIn(0, first, last)]}), trace->duration({slices[best]}));
    }
}

void TestMergedTracks::cancelled() {
    const auto trace = randomTrace(1, 2, 10);
    const CancelToken stop;
    stop.requestCancel();
    QVERIFY(mergeTracks(trace, allTracks(*trace), stop) == nullptr);
}

ALTI_TEST(TestMergedTracks)
#include "tst_merged_tracks.moc"
