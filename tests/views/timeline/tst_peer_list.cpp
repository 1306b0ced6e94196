#include "views/timeline/panels/peer_list.h"

#include "core/session/session.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/tables/table_panel.h"
#include "views/timeline/canvas/timeline_canvas.h"

#include <QTest>

using namespace altiscope;

namespace {

/// A task of a queue and two collectives.
const char* const kRank =
    "Python/Thread 7: aten::linear|cpu_op[40,170) Enqueue|enqueue[60,70)\n"
    "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150)\n"
    "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n"
    "Communication/Group 0 Communication: hcom_allReduce__586_0_1[2000,2100) hcom_allReduce__586_1_1[3000,3100)\n"
    "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n";

struct Panels {
    explicit Panels(const std::vector<std::string>& ranks)
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected),
          peers(canvas.peers(), scene, selected, session, {}) {
        for (QWidget* widget : {static_cast<QWidget*>(&canvas), static_cast<QWidget*>(&peers)}) {
            widget->resize(900, 300);
            widget->show();
        }
        capture = test::captureOfRanks(ranks);
        test::showIn(scene, {{.capture = {1}, .store = capture, .origin = {}}});
        settle();
    }
    ~Panels() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor(
            [this] { return canvas.idle() && selected.idle() && scene.idle() && !list().table().loader().busy(); }));
    }
    TablePanel& list() { return *peers.findChild<TablePanel*>(); }
    /// Some columns of each row in the order shown.
    static QString rows(QWidget& panel, const QStringList& wanted) {
        const TableLoader& loader = panel.findChild<TablePanel*>()->table().loader();
        if (loader.source() == nullptr) return {};
        QStringList lines;
        for (std::size_t place = 0; place < loader.rows()->count; ++place) {
            QStringList cells;
            for (std::size_t column = 0; column < loader.source()->columns().size(); ++column) {
                const TableColumn& of = loader.source()->columns()[column];
                if (!wanted.contains(QString::fromStdString(of.name))) continue;
                const std::int64_t cell = loader.source()->cell(column, loader.rows()->row(place));
                cells << (cell == kAbsentCell         ? QStringLiteral("-")
                          : of.type == CellType::Text ? QString::fromUtf8(loader.source()->text(column, cell))
                                                      : QString::number(cell));
            }
            lines << cells.join(u' ');
        }
        return lines.join(u';');
    }

    JobRunner runner;
    Session session{runner};
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    PeerList peers;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

/// The table of peers beside the timeline, and following where there is no flow.
class TestPeerList : public QObject {
    Q_OBJECT
private slots:
    void peersAreListedAndKeptWhileOneGoesThroughThem() {
        Panels panels({kRank, "Communication/Group 0 Communication: hcom_allReduce__586_0_1[2030,2100) "
                              "hcom_allReduce__586_1_1[3060,3100)\n"});
        const auto& trace = panels.capture->ranks[0].trace;
        for (std::uint32_t i = 0; i < trace->sliceCount(); ++i) {
            if (trace->begin({i}).value == 3000) panels.selected.select({1}, {0}, trace, {i});
        }
        panels.settle();
        const QStringList wanted{QStringLiteral("rank_id"), QStringLiteral("ts"), QStringLiteral("wait")};
        const QString expected = QStringLiteral("0 3000 60;1 3060 0");
        QVERIFY(QTest::qWaitFor([&] { return Panels::rows(panels.peers, wanted) == expected; }));
        emit panels.list().table().activated(1);
        panels.settle();
        QCOMPARE(panels.selected.slice()->key.rank.value, 1U);
        QCOMPARE(panels.selected.slice()->place.range, (TimeRange{{3060}, {3100}}));
        QCOMPARE(Panels::rows(panels.peers, wanted), expected);
    }

    void followingWhereNoFlowTouchesTheSlice() {
        Panels panels({kRank});
        const auto& trace = panels.capture->ranks[0].trace;
        const auto select = [&](std::string_view name) {
            for (std::uint32_t i = 0; i < trace->sliceCount(); ++i) {
                if (trace->name({i}) == name) return panels.selected.select({1}, {0}, trace, {i});
            }
        };
        select("Node@launch");
        panels.selected.step(TimelineSelection::Step::FlowBack);
        QTRY_COMPARE(trace->name(panels.selected.slice()->place.slice), std::string_view("AscendCL@aclnnMatmul"));
        select("aten::linear");
        panels.selected.step(TimelineSelection::Step::FlowForward);
        QTRY_COMPARE(trace->name(panels.selected.slice()->place.slice), std::string_view("Dequeue@aclnnMatmul"));
    }
};

ALTI_TEST(TestPeerList)
#include "tst_peer_list.moc"
