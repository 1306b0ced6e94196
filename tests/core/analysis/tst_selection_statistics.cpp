#include "core/analysis/slices/selection_statistics.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

using namespace altiscope;

namespace {

std::shared_ptr<const TraceStore> randomTrace(std::mt19937_64& random, std::uint32_t rank, std::uint64_t slices,
                                              std::int64_t length, int tracks) {
    TraceBuilder builder("rank" + std::to_string(rank));
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = 0; i < slices; ++i) {
        const auto track = names.thread("1", std::to_string(random() % static_cast<std::uint64_t>(tracks)));
        // Few long ones, many short and empty ones; names of other ranks have other numbers there.
        const auto longest = static_cast<std::uint64_t>(length) / (random() % 8 == 0 ? 3 : 40) + 1;
        const auto name =
            names.text((random() % 4 == 0 ? "only" + std::to_string(rank) : "n") + std::to_string(random() % 6));
        segment.slices.add(track, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length)),
                           static_cast<std::int64_t>(random() % longest), name, name, SourcePos::make(rank, i));
    }
    builder.commit(SourcePos::make(rank, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal({"f"}, diagnostics, {}).value();
}

std::shared_ptr<const CaptureStore> captureOf(std::vector<std::shared_ptr<const TraceStore>> traces) {
    auto capture = std::make_shared<CaptureStore>();
    for (auto& trace : traces) capture->ranks.emplace_back().trace = std::move(trace);
    return capture;
}

/// The slow and obvious way: every slice by itself, and every nanosecond.
struct Brute {
    std::uint64_t count = 0, cut = 0;
    std::int64_t sum = 0, self = 0, total = 0;
    std::multiset<std::int64_t> lengths;
    std::set<std::int64_t> ticks;

    void add(const TraceStore& store, SliceIndex slice, TimeRange range, DurationNs shift) {
        const auto inside = [&](SliceIndex i) {
            std::set<std::int64_t> at;
            for (std::int64_t t = store.begin(i).value; t < store.end(i).value; ++t) {
                if (range.begin.value <= t && t < range.end.value) at.insert(t);
            }
            return at;
        };
        const std::set<std::int64_t> own = inside(slice);
        std::set<std::int64_t> ofChildren;
        for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
            if (store.parent({i}) == slice) ofChildren.merge(inside({i}));
        }
        ++count;
        const std::int64_t length = store.duration(slice).value;
        if (static_cast<std::int64_t>(own.size()) < length) ++cut;
        sum += static_cast<std::int64_t>(own.size());
        self += static_cast<std::int64_t>(own.size() - ofChildren.size());
        total += length;
        lengths.insert(length);
        for (const std::int64_t t : own) ticks.insert(t + shift.value);
    }
    /// The least length that at least p of a hundred do not exceed.
    std::int64_t percentile(std::uint64_t p) const {
        std::uint64_t upTo = 0;
        for (const std::int64_t length : lengths) {
            if (100 * ++upTo >= p * count) return length;
        }
        return -1;
    }
};

bool equals(const SliceSums& sums, const Brute& brute) {
    return sums.count == brute.count && sums.cut == brute.cut &&
           sums.together == static_cast<std::int64_t>(brute.ticks.size()) && sums.sum == brute.sum &&
           sums.self == brute.self && sums.total == brute.total && sums.min == *brute.lengths.begin() &&
           sums.max == *brute.lengths.rbegin() && sums.percentiles &&
           *sums.percentiles == DurationPercentiles{brute.percentile(50), brute.percentile(95), brute.percentile(99)};
}

}  // namespace

class TestSelectionStatistics : public QObject {
    Q_OBJECT
private slots:
    void byEye();
    void equalsBruteForce();
    void manySlicesEqualAPlainLoop();
    void sumsComeFirst();
    void nothingSelected();
    void cancelled();
};

void TestSelectionStatistics::byEye() {
    // The range cuts A at both ends, and B's end; C lies within; D only touches the border.
    const auto capture = captureOf({test::traceFromText("p1/t1: A[0,100) B[60,90) C[30,40) D[0,20)\np1/t2: C[50,58)")});
    const auto result = selectionStatistics(everySlice(capture, TimeRange{{20}, {80}}), {}, {}).value();
    QCOMPARE(result.all.count, std::uint64_t{4});
    QCOMPARE(result.all.cut, std::uint64_t{2});
    QCOMPARE(result.all.together, std::int64_t{60});
    QCOMPARE(result.all.sum, std::int64_t{60 + 20 + 10 + 8});
    QCOMPARE(result.all.self, std::int64_t{30 + 20 + 10 + 8});
    QCOMPARE(result.all.total, std::int64_t{100 + 30 + 10 + 8});
    QCOMPARE(result.names.size(), std::size_t{3});
    QCOMPARE(result.names[0].name, std::string_view("A"));
    QCOMPARE(result.names[2].name, std::string_view("C"));
    QCOMPARE(result.names[2].sums.together, std::int64_t{18});
    QCOMPARE(result.names[2].sums.percentiles->median, std::int64_t{8});
    QCOMPARE(result.tracks.size(), std::size_t{2});
    QCOMPARE(result.tracks[1].sums.sum, std::int64_t{8});
    QCOMPARE(result.histogram.front(), (DurationBucket{8, 10, 1}));
    QCOMPARE(result.histogram.back(), (DurationBucket{96, 112, 1}));
}

void TestSelectionStatistics::equalsBruteForce() {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        constexpr std::int64_t kLength = 300;
        const auto capture =
            captureOf({randomTrace(random, 0, 60, kLength, 3), nullptr, randomTrace(random, 1, 40, kLength, 2)});
        SliceSelection selection = everySlice(capture);
        if (seed % 4 != 0) {
            const auto begin = static_cast<std::int64_t>(random() % 250);
            selection.range = TimeRange{{begin}, {begin + static_cast<std::int64_t>(random() % 150)}};
        }
        selection.ranks[1].shift = {seed % 3 == 0 ? 40 : 0};
        if (seed % 2 == 1) selection.ranks[0].tracks[0] = {.track = {0}, .firstDepth = 1, .depthCount = 2};
        if (seed % 5 == 1) selection.ranks[1].tracks.pop_back();

        Brute all;
        std::map<std::string_view, Brute> names;
        std::map<RankIndex, Brute> ranks;
        std::map<std::pair<RankIndex, std::uint32_t>, Brute> tracks;
        for (std::uint32_t r = 0; r < 2; ++r) {
            const TraceStore& store = storeOf(selection, r);
            const DurationNs shift = selection.ranks[r].shift;
            const TimeRange range = selection.range
                                        ? TimeRange{selection.range->begin - shift, selection.range->end - shift}
                                        : TimeRange{{-1000}, {1000}};
            for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
                const DepthRun& run = store.runOf({i});
                const auto& chosen = selection.ranks[r].tracks;
                const bool isChosen = std::any_of(chosen.begin(), chosen.end(), [&](const SelectedTrack& track) {
                    return track.track.value == run.track && run.depth >= track.firstDepth &&
                           run.depth - track.firstDepth < track.depthCount;
                });
                const std::int64_t begin = store.begin({i}).value, end = store.end({i}).value;
                const bool touches = begin < range.end.value && (end > range.begin.value || begin >= range.begin.value);
                if (!isChosen || !touches) continue;
                const RankIndex rank = selection.ranks[r].rank;
                for (Brute* brute : {&all, &names[store.name({i})], &ranks[rank], &tracks[{rank, run.track}]})
                    brute->add(store, {i}, range, shift);
            }
        }
        const auto result = selectionStatistics(selection, {}, {}).value();
        QVERIFY(result.complete);
        QVERIFY(all.count == 0 ? result.all.count == 0 : equals(result.all, all));
        QCOMPARE(result.names.size(), names.size());
        for (const NameSums& name : result.names) QVERIFY(equals(name.sums, names[name.name]));
        QCOMPARE(result.ranks.size(), ranks.size());
        for (const RankSums& rank : result.ranks) QVERIFY(equals(rank.sums, ranks[rank.rank]));
        QCOMPARE(result.tracks.size(), tracks.size());
        for (const TrackSums& track : result.tracks)
            QVERIFY(equals(track.sums, tracks[{track.rank, track.track.value}]));
        std::uint64_t inBuckets = 0;
        for (const DurationBucket& bucket : result.histogram) {
            const auto within = std::count_if(all.lengths.begin(), all.lengths.end(), [&](std::int64_t length) {
                return bucket.from <= length && length < bucket.to;
            });
            QCOMPARE(bucket.count, static_cast<std::uint64_t>(within));
            inBuckets += bucket.count;
        }
        QCOMPARE(inBuckets, all.count);
    }
}

/// More than one piece and one stretch.
void TestSelectionStatistics::manySlicesEqualAPlainLoop() {
    std::mt19937_64 random(7);
    constexpr std::int64_t kLength = 40'000'000;
    const auto capture =
        captureOf({randomTrace(random, 0, 400'000, kLength, 2), randomTrace(random, 1, 10'000, kLength, 3)});
    SliceSelection selection = everySlice(capture, TimeRange{{1'000'000}, {30'000'000}});
    const auto result = selectionStatistics(selection, {}, {}).value();
    std::map<std::string_view, std::vector<TimeRange>> times;
    std::map<std::string_view, std::vector<std::int64_t>> lengths;
    std::vector<TimeRange> all;
    for (std::uint32_t r = 0; r < 2; ++r) {
        const TraceStore& store = storeOf(selection, r);
        for (std::uint32_t i = 0; i < store.sliceCount(); ++i) {
            const std::int64_t begin = store.begin({i}).value, end = store.end({i}).value;
            if (begin >= 30'000'000 || (end <= 1'000'000 && begin < 1'000'000)) continue;
            times[store.name({i})].push_back(
                {{std::max<std::int64_t>(begin, 1'000'000)}, {std::min<std::int64_t>(end, 30'000'000)}});
            lengths[store.name({i})].push_back(end - begin);
            all.push_back(times[store.name({i})].back());
        }
    }
    const auto unionOfTimes = [](std::vector<TimeRange> ranges) {
        std::sort(ranges.begin(), ranges.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
        std::int64_t until = 0, sum = 0;
        for (const TimeRange& range : ranges) {
            sum += std::max<std::int64_t>(0, range.end.value - std::max(until, range.begin.value));
            until = std::max(until, range.end.value);
        }
        return sum;
    };
    QCOMPARE(result.all.count, all.size());
    QCOMPARE(result.all.together, unionOfTimes(all));
    QCOMPARE(result.names.size(), times.size());
    for (const NameSums& name : result.names) {
        QCOMPARE(name.sums.together, unionOfTimes(times[name.name]));
        std::vector<std::int64_t>& sorted = lengths[name.name];
        std::sort(sorted.begin(), sorted.end());
        QCOMPARE(name.sums.count, sorted.size());
        QCOMPARE(name.sums.percentiles->p95, sorted[(sorted.size() * 95 + 99) / 100 - 1]);
        QCOMPARE(name.sums.percentiles->median, sorted[(sorted.size() + 1) / 2 - 1]);
    }
}

void TestSelectionStatistics::sumsComeFirst() {
    const auto capture = captureOf({test::traceFromText("p1/t1: A[0,100) B[60,90)")});
    int calls = 0;
    const auto result = selectionStatistics(everySlice(capture),
                                            [&](const SelectionStatistics& sums) {
                                                ++calls;
                                                QVERIFY(!sums.complete);
                                                QCOMPARE(sums.all.sum, std::int64_t{130});
                                                QCOMPARE(sums.all.together, std::int64_t{100});
                                                QVERIFY(!sums.all.percentiles);
                                            },
                                            {});
    QVERIFY(result.ok());
    QCOMPARE(calls, 1);
}

void TestSelectionStatistics::nothingSelected() {
    const auto capture = captureOf({test::traceFromText("p1/t1: A[10,100)"), nullptr});
    for (const TimeRange range : {TimeRange{{0}, {10}}, TimeRange{{100}, {200}}, TimeRange{{50}, {50}}}) {
        const auto result = selectionStatistics(everySlice(capture, range), {}, {}).value();
        QCOMPARE(result.all.count, std::uint64_t{range.empty() ? 1U : 0U});
        QCOMPARE(result.all.together, std::int64_t{0});
        QVERIFY(result.complete);
    }
    QCOMPARE(selectionStatistics({.capture = capture, .range = {}, .ranks = {}}, {}, {}).value().names.size(),
             std::size_t{0});
}

void TestSelectionStatistics::cancelled() {
    const auto capture = captureOf({test::traceFromText("p1/t1: A[0,100)")});
    CancelToken token;
    int calls = 0;
    QVERIFY(selectionStatistics(
                everySlice(capture), [&](const SelectionStatistics&) { ++calls, token.requestCancel(); }, token)
                .cancelled());
    QVERIFY(selectionStatistics(
                everySlice(capture), [&](const SelectionStatistics&) { ++calls; }, token)
                .cancelled());
    QCOMPARE(calls, 1);
}

ALTI_TEST(TestSelectionStatistics)
#include "tst_selection_statistics.moc"
