#include "core/analysis/slices/flow_bundles.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <map>
#include <optional>
#include <random>
#include <tuple>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Host slices that launch device slices, and some flows back; where they lead is drawn by lot, so that lanes cross.
std::shared_ptr<const TraceStore> tangledTrace(std::uint64_t seed, int flows, bool inOrder) {
    std::mt19937_64 random(seed);
    const int span = flows * 20;
    std::string host = "CANN/Thread 1:", inner = "CANN/Thread 2:", device = "Ascend Hardware/Stream 1:", links;
    for (int i = 0; i < flows; ++i) {
        const std::string place = '[' + std::to_string(i * 20) + ',' + std::to_string(i * 20 + 15) + ')';
        host += " call" + place;
        inner += " other" + place;
        device += " kernel" + place;
    }
    for (int i = 0; i < flows; ++i) {
        const int from = i * 20 + static_cast<int>(random() % 15);
        const int to = inOrder ? std::min(from + 40, span - 6)
                               : static_cast<int>(random() % static_cast<std::uint64_t>(flows)) * 20;
        const char* track = random() % 3 == 0 ? "CANN/Thread 2@" : "CANN/Thread 1@";
        const bool back = random() % 7 == 0;
        const std::string host_ = track + std::to_string(from),
                          device_ = "Ascend Hardware/Stream 1@" + std::to_string(to);
        links += "flow " + std::string(random() % 4 == 0 ? "async_npu" : "HostToDevice") + ' ' +
                 (back ? device_ : host_) + " -> " + (back ? host_ : device_) + '\n';
    }
    return rankTrace(host + '\n' + inner + '\n' + device + '\n' + links);
}

FlowRequest requestOf(const std::shared_ptr<const FlowIndex>& index, TimeRange window, int width, std::size_t most) {
    FlowRequest request{.widthPx = width, .most = most, .parts = {}};
    for (std::uint32_t lane = 0; lane < index->lanes().size(); ++lane) {
        const FlowLane& of = index->lanes()[lane];
        request.parts.push_back({index, lane, window, of.category.value, static_cast<std::int32_t>(of.fromRun),
                                 static_cast<std::int32_t>(of.toRun)});
    }
    return request;
}

/// Category, places and cells of both ends.
using LineKey = std::tuple<std::uint32_t, std::int32_t, std::int32_t, int, int>;

/// What each flow is drawn as, one by one.
std::map<LineKey, std::uint64_t> linesOneByOne(const TraceStore& trace, TimeRange window, int width, int cell,
                                               std::optional<TimeRange> only = {}) {
    std::map<LineKey, std::uint64_t> lines;
    const TraceColumns& c = trace.columns();
    const int cells = (width + cell - 1) / cell;
    const auto cellAt = [&](std::int64_t time) {
        const std::int64_t length = window.length().value, passed = time - window.begin.value;
        if (passed >= 0 && passed < length) return static_cast<int>(passed * width / length) / cell;
        for (int away = 1; away < kFlowWidths; ++away) {
            if (passed < 0 && passed >= -away * length) return -away;
            if (passed >= length && passed < (away + 1) * length) return cells + away - 1;
        }
        return passed < 0 ? -kFlowWidths : cells + kFlowWidths - 1;
    };
    const auto runOf = [&](std::uint32_t slice) {
        return static_cast<std::int32_t>(&trace.runOf({slice}) - trace.runs().data());
    };
    for (std::size_t flow = 0; flow < trace.flowCount(); ++flow) {
        const std::int64_t a = c.flowFromTime[flow], b = c.flowToTime[flow];
        if ((a < window.begin.value && b < window.begin.value) || (a >= window.end.value && b >= window.end.value))
            continue;
        const auto isKept = [&](std::int64_t time) { return only->begin.value <= time && time < only->end.value; };
        if (only && !isKept(a) && !isKept(b)) continue;
        ++lines[{c.flowCategory[flow].value, runOf(c.flowFrom[flow]), runOf(c.flowTo[flow]), cellAt(a), cellAt(b)}];
    }
    return lines;
}

}  // namespace

class TestFlowBundles : public QObject {
    Q_OBJECT
private slots:
    void onlyFlowsWithAnEndInTheRange() {
        std::mt19937_64 random(7);
        for (const bool inOrder : {true, false}) {
            const auto trace = tangledTrace(random(), 2000, inOrder);
            const auto index = FlowIndex::make(trace, {});
            for (int round = 0; round < 30; ++round) {
                const auto somewhere = [&] { return static_cast<std::int64_t>(random() % 60'000); };
                const TimeRange window{{somewhere() - 10'000}, {60'000}};
                const std::int64_t begin = somewhere();
                const TimeRange only{{begin}, {begin + 1 + somewhere() / (1 << (round % 10))}};
                FlowRequest request = requestOf(index, window, 50, 100'000);
                for (FlowPart& part : request.parts) part.only = only;
                const FlowBundles result = bundleFlows(request, {});
                std::map<LineKey, std::uint64_t> lines;
                for (const FlowBundle& bundle : result.bundles) {
                    const TraceColumns& c = trace->columns();
                    const auto cell = [&](std::int64_t time) { return flowCell({time}, window, 50, result.cellPx); };
                    lines[{bundle.category, bundle.from, bundle.to, cell(c.flowFromTime[bundle.flow]),
                           cell(c.flowToTime[bundle.flow])}] += bundle.count;
                }
                QCOMPARE(lines, linesOneByOne(*trace, window, 50, result.cellPx, only));
            }
        }
    }

    void nothingIsLost_data() {
        QTest::addColumn<int>("flows");
        QTest::addColumn<bool>("inOrder");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("most");
        QTest::addRow("few, each a line of its own") << 40 << false << 2000 << 100000;
        QTest::addRow("in order, dense") << 3000 << true << 100 << 100000;
        QTest::addRow("tangled, dense") << 3000 << false << 64 << 100000;
        QTest::addRow("tangled, pixels taken together") << 3000 << false << 1000 << 200;
        QTest::addRow("one pixel") << 500 << false << 1 << 1;
    }
    void nothingIsLost() {
        QFETCH(int, flows);
        QFETCH(bool, inOrder);
        QFETCH(int, width);
        QFETCH(int, most);
        std::mt19937_64 random(static_cast<std::uint64_t>(flows + width));
        const auto trace = tangledTrace(random(), flows, inOrder);
        QCOMPARE(trace->flowCount(), static_cast<std::size_t>(flows));
        const auto index = FlowIndex::make(trace, {});
        for (int round = 0; round < 30; ++round) {
            const std::int64_t length =
                1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(flows * 30)) / (1 << (round % 8));
            const std::int64_t begin =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(flows * 24)) - flows * 2;
            const TimeRange window{{begin}, {begin + std::max<std::int64_t>(length, 1)}};
            const FlowBundles result = bundleFlows(requestOf(index, window, width, static_cast<std::size_t>(most)), {});
            std::map<LineKey, std::uint64_t> lines;
            for (const FlowBundle& bundle : result.bundles) {
                const TraceColumns& c = trace->columns();
                const auto cell = [&](std::int64_t time) { return flowCell({time}, window, width, result.cellPx); };
                auto& line = lines[{bundle.category, bundle.from, bundle.to, cell(c.flowFromTime[bundle.flow]),
                                    cell(c.flowToTime[bundle.flow])}];
                QVERIFY2(line == 0, "two bundles for one line");
                line = bundle.count;
            }
            QCOMPARE(lines, linesOneByOne(*trace, window, width, result.cellPx));
        }
    }

    /// The end of a range is no part of it, also beside flows of which an end lies within.
    void aFlowThatEndsWhereTheRangeEndsIsOutside() {
        const auto trace = rankTrace("CANN/Thread 1: a[0,10) b[200,210)\n"
                                     "Ascend Hardware/Stream 1: k[900,910) l[950,960)\n"
                                     "flow HostToDevice CANN/Thread 1@0 -> Ascend Hardware/Stream 1@900\n"
                                     "flow HostToDevice CANN/Thread 1@200 -> Ascend Hardware/Stream 1@950\n");
        const auto index = FlowIndex::make(trace, {});
        for (const auto& [end, flows] : {std::pair<std::int64_t, std::uint64_t>(900, 1), {901, 2}}) {
            FlowRequest request = requestOf(index, {{0}, {1000}}, 100, 100);
            for (FlowPart& part : request.parts) part.only = TimeRange{{100}, {end}};
            std::uint64_t count = 0;
            for (const FlowBundle& bundle : bundleFlows(request, {}).bundles) count += bundle.count;
            QCOMPARE(count, flows);
        }
    }

    void placesThatAreOneMakeOneLine() {
        // Both threads are hidden in one row.
        const auto trace =
            rankTrace("CANN/Thread 1: a[0,10)\nCANN/Thread 2: b[0,10)\nAscend Hardware/Stream 1: k[50,60)\n"
                      "flow HostToDevice CANN/Thread 1@0 -> Ascend Hardware/Stream 1@50\n"
                      "flow HostToDevice CANN/Thread 2@1 -> Ascend Hardware/Stream 1@50\n");
        const auto index = FlowIndex::make(trace, {});
        FlowRequest request = requestOf(index, {{0}, {100}}, 10, 100);
        QCOMPARE(bundleFlows(request, {}).bundles.size(), std::size_t{2});
        for (FlowPart& part : request.parts) part.from = 7;
        const FlowBundles result = bundleFlows(request, {});
        QCOMPARE(result.bundles.size(), std::size_t{1});
        QCOMPARE(result.bundles[0].count, std::uint64_t{2});
        QCOMPARE(result.bundles[0].toX, 5.0);
    }

    void aFlowThatPassesThroughIsInSight() {
        const auto trace = rankTrace("CANN/Thread 1: a[0,10)\nAscend Hardware/Stream 1: k[900,910)\nflow HostToDevice "
                                     "CANN/Thread 1@0 -> Ascend Hardware/Stream 1@900\n");
        const auto index = FlowIndex::make(trace, {});
        const auto linesIn = [&](std::int64_t begin, std::int64_t end) {
            return bundleFlows(requestOf(index, {{begin}, {end}}, 10, 100), {}).bundles.size();
        };
        QCOMPARE(linesIn(400, 500), std::size_t{1});
        QCOMPARE(linesIn(-100, 0), std::size_t{0});
        QCOMPARE(linesIn(-100, 1), std::size_t{1});
        QCOMPARE(linesIn(900, 950), std::size_t{1});
        QCOMPARE(linesIn(901, 950), std::size_t{0});
    }

    void categoriesAreCounted() {
        // The second flow ends where nothing runs.
        const auto trace = rankTrace("CANN/Thread 1: a[0,10)\nAscend Hardware/Stream 1: k[50,60)\n"
                                     "flow HostToDevice CANN/Thread 1@0 -> Ascend Hardware/Stream 1@50\n"
                                     "flow HostToDevice CANN/Thread 1@5 -> Ascend Hardware/Stream 1@80\n"
                                     "flow async_npu CANN/Thread 1@3 -> Ascend Hardware/Stream 1@50\n");
        const auto index = FlowIndex::make(trace, {});
        QCOMPARE(index->categories().size(), std::size_t{2});
        for (const FlowCategory& category : index->categories()) {
            const bool isLaunch = trace->text(category.name) == "HostToDevice";
            QCOMPARE(category.flows, std::uint64_t{1});
            QCOMPARE(category.loose, std::uint64_t{isLaunch ? 1U : 0U});
        }
    }

    void manyFlowsCostNoMoreThanTheirPixels() {
        // The order of the flows is not that of their ends: without a tree over both, all would be looked at.
        const auto trace = tangledTrace(5, 60'000, true);
        const auto index = FlowIndex::make(trace, {});
        const FlowBundles result = bundleFlows(requestOf(index, {{0}, {1'200'000}}, 1000, 1'000'000), {});
        QCOMPARE(result.cellPx, 1);
        std::uint64_t all = 0;
        for (const FlowBundle& bundle : result.bundles) all += bundle.count;
        QCOMPARE(all, std::uint64_t{60'000});
        QVERIFY2(result.bundles.size() < 30'000, qPrintable(QString::number(result.bundles.size())));
    }

    void cancelled() {
        const auto trace = tangledTrace(1, 10, true);
        const CancelToken token;
        token.requestCancel();
        QVERIFY(FlowIndex::make(trace, token) == nullptr);
        QVERIFY(bundleFlows(requestOf(FlowIndex::make(trace, {}), {{0}, {100}}, 10, 10), token).cancelled);
    }
};

ALTI_TEST(TestFlowBundles)
#include "tst_flow_bundles.moc"
