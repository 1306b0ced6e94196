#include "core/analysis/kernels/layer_sums.h"

#include "core/base/threads/parallel.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <map>
#include <random>
#include <tuple>

using namespace altiscope;

namespace {

std::shared_ptr<CaptureStore> captureOf(const std::vector<std::string>& ranks) {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string& text : ranks) {
        const auto number = static_cast<std::uint32_t>(capture->ranks.size());
        capture->ranks.emplace_back().trace = test::traceFromText(text, nullptr, number);
    }
    return capture;
}

bool touches(const TraceStore& trace, SliceIndex slice, TimeRange time) {
    return trace.begin(slice) < time.end && (time.begin < trace.end(slice) || time.begin <= trace.begin(slice));
}

bool isKept(const TraceStore& trace, SliceIndex slice, const RankWindow& selected) {
    return !selected.times || std::any_of(selected.times->begin(), selected.times->end(),
                                          [&](TimeRange time) { return touches(trace, slice, time); });
}

using Sums = std::map<std::string, std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>>;

/// Slice by slice.
Sums bruteForce(const CaptureStore& capture, const std::vector<RankWindow>& ranks, Layer layer) {
    Sums sums;
    for (const RankWindow& selected : ranks) {
        const TraceStore& trace = *capture.ranks[selected.rank.value].trace;
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            const SliceIndex slice{i};
            if (layerOf(trace.track({trace.runOf(slice).track})) != layer || !isKept(trace, slice, selected)) continue;
            const std::int64_t length = trace.duration(slice).value;
            const auto [at, fresh] = sums.try_emplace(std::string(trace.name(slice)), 0, 0, 0, length, length);
            auto& [count, total, self, min, max] = at->second;
            ++count;
            total += length;
            self += trace.selfDuration(slice).value;
            min = std::min(min, length);
            max = std::max(max, length);
        }
    }
    return sums;
}

Sums sumsOf(const LayerSums& sums) {
    Sums all;
    for (const NameOfLayer& name : sums.names)
        all[std::string(name.name)] = {name.count, name.total, name.self, name.min, name.max};
    return all;
}

/// Slices that nest and touch, some without length.
std::string randomTrack(std::mt19937& random) {
    std::string text = "p1/t1:";
    std::int64_t at = 0;
    for (int i = 0; i < 60; ++i) {
        at += static_cast<std::int64_t>(random() % 3);
        const auto length = static_cast<std::int64_t>(random() % 20);
        const char name = static_cast<char>('A' + random() % 4);
        text += std::string(" ") + name + '[' + std::to_string(at) + ',' + std::to_string(at + length) + ')';
        if (length > 4) text += std::string(" D[") + std::to_string(at + 1) + ',' + std::to_string(at + 3) + ')';
        at += length;
    }
    return text + '\n';
}

}  // namespace

class TestLayerSums : public QObject {
    Q_OBJECT
private slots:
    void sumsAreThoseOfTheSlices_data();
    void sumsAreThoseOfTheSlices();
    void slicesOfANameAreTheSameOnes();
    void aSliceOverTwoTimesCountsOnce();
    void communicationIsNoPartOfTheOverlapsWhole();
    void readyMadeSumsAreThoseOfTheSlices();
};

void TestLayerSums::sumsAreThoseOfTheSlices_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed) QTest::addRow("%d", seed) << seed;
}

void TestLayerSums::sumsAreThoseOfTheSlices() {
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto capture = captureOf({randomTrack(random), randomTrack(random)});
    std::vector<RankWindow> selected{{0, std::nullopt}, {1, std::vector<TimeRange>()}};
    std::int64_t at = 0;
    for (int i = 0; i < 4; ++i) {
        const std::int64_t begin = at + static_cast<std::int64_t>(random() % 60),
                           end = begin + 1 + static_cast<std::int64_t>(random() % 60);
        selected[1].times->push_back({{begin}, {end}});
        at = end + 1;
    }
    if (seed % 2 == 0) selected.erase(selected.begin());
    WorkerArena arena(2);
    arena.run([&] {
        const auto sums = layerSums(capture, selected, Layer::Other, {});
        QVERIFY(sums);
        QCOMPARE(sumsOf(*sums), bruteForce(*capture, selected, Layer::Other));
        std::int64_t total = 0;
        for (std::size_t i = 0; i < sums->names.size(); ++i) {
            total += sums->names[i].total;
            QVERIFY(i == 0 || sums->names[i - 1].total >= sums->names[i].total);
        }
        QCOMPARE(sums->total, total);
        QVERIFY(layerSums(capture, selected, Layer::Hardware, {})->names.empty());
    });
}

void TestLayerSums::slicesOfANameAreTheSameOnes() {
    std::mt19937 random(5);
    const auto capture = captureOf({randomTrack(random), randomTrack(random)});
    const std::vector<RankWindow> selected{{0, std::vector{TimeRange{{10}, {90}}, TimeRange{{91}, {200}}}},
                                           {1, std::nullopt}};
    for (const std::string name : {"A", "D", "nothing"}) {
        const auto chosen = slicesOfLayer(capture, selected, Layer::Other, name, {});
        std::vector<std::pair<RankIndex, std::uint32_t>> found, expected;
        for (std::size_t s = 0; s < chosen->spans.size(); ++s) {
            for (const std::uint32_t slice : (*chosen->slices)[s])
                found.emplace_back(chosen->selection.ranks[chosen->spans[s].selected].rank, slice);
        }
        for (const RankWindow& rank : selected) {
            const TraceStore& trace = *capture->ranks[rank.rank.value].trace;
            for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
                if (trace.name({i}) == name && isKept(trace, {i}, rank)) expected.emplace_back(rank.rank, i);
            }
        }
        QCOMPARE(found, expected);
    }
}

void TestLayerSums::aSliceOverTwoTimesCountsOnce() {
    const auto capture = captureOf({"p1/t1: A[0,100)\n"});
    const std::vector<RankWindow> selected{{0, std::vector{TimeRange{{10}, {20}}, TimeRange{{30}, {40}}}}};
    QCOMPARE(layerSums(capture, selected, Layer::Other, {})->count, std::uint64_t{1});
}

void TestLayerSums::communicationIsNoPartOfTheOverlapsWhole() {
    Track overlap;
    overlap.kind = TrackKind::Overlap;
    QCOMPARE(layerOf(overlap), std::optional(Layer::Overlap));
    Track counter;
    counter.kind = TrackKind::Counter;
    QVERIFY(!layerOf(counter));
}

void TestLayerSums::readyMadeSumsAreThoseOfTheSlices() {
    std::mt19937 random(9);
    const auto capture = captureOf({randomTrack(random)});
    const auto whole = capture->ranks[0].trace->range();
    const auto ready = layerSums(capture, {{0, std::nullopt}}, Layer::Other, {}),
               walked = layerSums(capture, {{0, std::vector{TimeRange{whole.begin, {whole.end.value + 1}}}}},
                                  Layer::Other, {});
    QCOMPARE(sumsOf(*ready), sumsOf(*walked));
    QCOMPARE(layersOf(*capture, {{0, std::nullopt}}), std::vector{Layer::Other});
}

ALTI_TEST(TestLayerSums)
#include "tst_layer_sums.moc"
