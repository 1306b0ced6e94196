#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/overlay/flow_layer.h"
#include "views/timeline/panels/flow_button.h"
#include "views/timeline/rows/row_titles.h"

#include <QCheckBox>
#include <QMenu>

#include <random>
#include <tuple>

using namespace altiscope;

namespace {

/// A rank whose host launches `flows` kernels, in order but for their distances; every third flow is of another
/// category.
std::string launches(int flows, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string host = "CANN/Thread 1:", device = "Ascend Hardware/Stream 1:", links;
    int end = 0;
    for (int i = 0; i < flows; ++i) {
        const int begin = std::max(i * 100, end) + static_cast<int>(random() % 60);
        end = begin + 30;
        host += " call[" + std::to_string(i * 100) + ',' + std::to_string(i * 100 + 50) + ')';
        device += " kernel[" + std::to_string(begin) + ',' + std::to_string(end) + ')';
        links += std::string("flow ") + (i % 3 == 0 ? "async_npu" : "HostToDevice") + " CANN/Thread 1@" +
                 std::to_string(i * 100) + " -> Ascend Hardware/Stream 1@" + std::to_string(begin) + '\n';
    }
    return host + '\n' + device + '\n' + links;
}

struct Shown {
    explicit Shown(const std::vector<std::string>& ranks)
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        canvas.resize(800, 400);
        canvas.show();
        capture = test::captureOfRanks(ranks);
        test::showIn(scene, {{.capture = {1}, .store = capture, .origin = {}}});
        settle();
    }
    ~Shown() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle(); }));
    }
    void choose(std::set<std::string> categories) {
        canvas.flows().setChosen(std::move(categories));
        settle();
    }
    void look(std::int64_t begin, std::int64_t end) {
        scene.change([&](ViewWindow& window) { window.show({{begin}, {end}}, HistoryMark::NewStep); });
        settle();
    }
    std::uint64_t drawn() {
        std::uint64_t flows = 0;
        for (const FlowLayer::Line& line : canvas.flows().picture().lines) flows += line.count;
        return flows;
    }
    /// Of rank 0, one by one.
    std::uint64_t inSight(std::string_view category) {
        const TraceStore& trace = *capture->ranks[0].trace;
        const TimeRange window = scene.window().range();
        std::uint64_t flows = 0;
        for (std::size_t i = 0; i < trace.flowCount(); ++i) {
            const std::int64_t a = trace.columns().flowFromTime[i], b = trace.columns().flowToTime[i];
            if (trace.flowCategory(i) == category && std::max(a, b) >= window.begin.value &&
                std::min(a, b) < window.end.value)
                ++flows;
        }
        return flows;
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

class TestFlowLayer : public QObject {
    Q_OBJECT
private slots:
    void allFlowsInSightAreDrawn() {
        Shown shown({launches(3000, 3)});
        QCOMPARE(shown.drawn(), std::uint64_t{0});
        shown.choose({"HostToDevice"});
        for (const auto& [begin, end] : {std::pair(0, 300'000), std::pair(5'000, 5'700), std::pair(100'123, 140'000),
                                         std::pair(299'000, 330'000)}) {
            shown.look(begin, end);
            QVERIFY(shown.drawn() > 0);
            QCOMPARE(shown.drawn(), shown.inSight("HostToDevice"));
        }
        shown.choose({"HostToDevice", "async_npu"});
        QCOMPARE(shown.drawn(), shown.inSight("HostToDevice") + shown.inSight("async_npu"));
        shown.choose({});
        QCOMPARE(shown.drawn(), std::uint64_t{0});
    }

    void flowsOfTheMarkedTimeAlone() {
        Shown shown({"CANN/Thread 1: a[0,100) b[200,300)\nAscend Hardware/Stream 1: k[500,600) l[700,800)\n"
                     "flow HostToDevice CANN/Thread 1@0 -> Ascend Hardware/Stream 1@500\nflow HostToDevice CANN/Thread "
                     "1@200 -> Ascend Hardware/Stream 1@700\n"});
        shown.choose({"HostToDevice"});
        shown.look(0, 1000);
        shown.canvas.flows().setOnlyMarked(true);
        shown.settle();
        QCOMPARE(shown.drawn(), std::uint64_t{2});
        for (const auto& [begin, end, flows] :
             {std::tuple(150, 250, 1U), std::tuple(480, 750, 2U), std::tuple(300, 400, 0U), std::tuple(701, 900, 0U)}) {
            shown.selected.markRange({{begin}, {end}}, 0);
            shown.settle();
            QCOMPARE(shown.drawn(), std::uint64_t{flows});
        }
        shown.canvas.flows().setOnlyMarked(false);
        shown.settle();
        QCOMPARE(shown.drawn(), std::uint64_t{2});
    }

    void denseFlowsAreFewLines() {
        Shown shown({launches(3000, 3)});
        shown.choose({"HostToDevice", "async_npu"});
        shown.look(0, 300'000);
        QVERIFY(shown.drawn() > 2900);
        QVERIFY2(shown.canvas.flows().picture().lines.size() < 2600, "lines that look alike are one");
    }

    void endsInACollapsedRowGoToThatRow() {
        Shown shown({launches(20, 1)});
        shown.choose({"HostToDevice"});
        const std::uint64_t before = shown.drawn();
        const auto rowOf = [&](TimelineRowKind kind, const QString& title) {
            const auto& rows = shown.scene.model().rows();
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (rows[i].kind == kind && rowTitle(shown.scene.model().sources(), rows[i]) == title) return i;
            }
            return rows.size();
        };
        shown.scene.setExpanded(rowOf(TimelineRowKind::Process, QStringLiteral("CANN")), false);
        shown.settle();
        const TimelineRow row = shown.scene.model().rows()[rowOf(TimelineRowKind::Process, QStringLiteral("CANN"))];
        QCOMPARE(shown.drawn(), before);
        for (const FlowLayer::Line& line : shown.canvas.flows().picture().lines)
            QVERIFY(line.from.y() > static_cast<double>(row.top) &&
                    line.from.y() < static_cast<double>(row.top + row.height));
        // What is pinned stands at the upper edge, whatever is scrolled.
        TrackArrangement pinned;
        pinned.pinned = {shown.scene.model().sources().keyOf(row)};
        shown.scene.arrange(pinned);
        shown.settle();
        QCOMPARE(shown.drawn(), before);
        for (const FlowLayer::Line& line : shown.canvas.flows().picture().lines)
            QVERIFY(line.from.y() > 0 && line.from.y() < shown.scene.viewport().pinnedView());
        shown.scene.arrange({});
        // A track that is hidden: its process stands in.
        shown.scene.setAllExpanded(true);
        TrackFilter filter;
        filter.hiddenKinds = {TrackKind::Hardware};
        shown.scene.setFilter(filter);
        shown.settle();
        QCOMPARE(shown.drawn(), before);
    }

    void whatAPointIsOn() {
        Shown shown({"CANN/Thread 1: a[0,100)\nAscend Hardware/Stream 1: k[500,900)\n"
                     "flow HostToDevice CANN/Thread 1@0 -> Ascend Hardware/Stream 1@500\nflow HostToDevice CANN/Thread "
                     "1@0 -> Ascend Hardware/Stream 1@500\n"});
        shown.choose({"HostToDevice"});
        shown.look(0, 1000);
        const auto& lines = shown.canvas.flows().picture().lines;
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].count, std::uint64_t{2});
        const QPointF middle = (lines[0].from + lines[0].to) / 2;
        QCOMPARE(shown.canvas.flows().textAt(middle.toPoint()), QStringList{QStringLiteral("2 flows: HostToDevice")});
        QVERIFY(shown.canvas.flows().textAt(middle.toPoint() + QPoint(40, 0)).isEmpty());
    }

    void theButtonListsCountsAndRemembers() {
        Shown shown({launches(30, 1), launches(60, 2)});
        QVariantMap saved{{QStringLiteral("timeline/flows"), QStringList{QStringLiteral("async_npu")}}};
        const ViewMemory memory{[&saved](const QString& name) { return saved.value(name); },
                                [&saved](const QString& name, const QVariant& value) { saved[name] = value; }};
        FlowButton button(shown.canvas.flows());
        button.remember(memory);
        shown.settle();
        QCOMPARE(shown.canvas.flows().chosen(), (std::set<std::string>{"async_npu"}));
        emit button.menu()->aboutToShow();
        const auto boxes = button.menu()->findChildren<QCheckBox*>();
        QCOMPARE(boxes.size(), 2);
        QCOMPARE(boxes[0]->text(), QStringLiteral("HostToDevice  (60)"));
        QCOMPARE(boxes[1]->text(), QStringLiteral("async_npu  (30)"));
        QVERIFY(!boxes[0]->isChecked() && boxes[1]->isChecked());
        boxes[0]->click();
        boxes[1]->click();
        QCOMPARE(saved.value(QStringLiteral("timeline/flows")).toStringList(),
                 QStringList{QStringLiteral("HostToDevice")});
    }

    void peersOfTheSelectedCollectiveAreJoined() {
        std::vector<std::string> ranks;
        for (int r = 0; r < 3; ++r) {
            const int early = r * 20;
            ranks.push_back("Communication/Group 0 Communication: hcom_allReduce__586_0_1[" +
                            std::to_string(100 - early) + ",200) hcom_allReduce__586_1_1[" +
                            std::to_string(600 - early) + ",700)\n");
        }
        Shown shown(ranks);
        QVERIFY(shown.canvas.peers().result() == nullptr);
        shown.selected.select({1}, {1}, shown.capture->ranks[1].trace, {1});
        shown.settle();
        QVERIFY(shown.canvas.peers().result() != nullptr);
        const CollectivePeers& peers = shown.canvas.peers().result()->peers;
        QCOMPARE(peers.peers.size(), std::size_t{3});
        for (std::uint32_t r = 0; r < 3; ++r) {
            QCOMPARE(peers.peers[r].slice.value, 1U);
            QCOMPARE(peers.peers[r].wait, std::int64_t{r * 20});
        }
        shown.selected.clear();
        shown.settle();
        QVERIFY(shown.canvas.peers().result() == nullptr);
    }
};

ALTI_TEST(TestFlowLayer)
#include "tst_flow_layer.moc"
