#include "core/session/session.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/table_panel.h"
#include "views/timeline/dispatch_panel.h"
#include "views/timeline/peer_list.h"
#include "views/timeline/timeline_canvas.h"

#include <QLabel>
#include <QSemaphore>

using namespace altiscope;

namespace {

/// Two tasks of a queue, the second without a launch, and two collectives.
const char* const kRank =
    "Python/Thread 7: aten::linear|cpu_op[40,170) Enqueue|enqueue[60,70) aten::copy_|cpu_op[1040,1170) Enqueue|enqueue[1060,1070)\n"
    "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150) Dequeue@copy|dequeue[1100,1150)\n"
    "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,130)\n"
    "Communication/Group 0 Communication: hcom_allReduce__586_0_1[2000,2100) hcom_allReduce__586_1_1[3000,3100)\n"
    "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n"
    "flow async_task_queue Python/Thread 7@1060 -> Python/Thread 8@1100\n";

struct Panels {
    explicit Panels(const std::vector<std::string>& ranks)
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected), dispatch(session, scene, selected, {}),
          peers(canvas.peers(), scene, selected, session, {}) {
        for (QWidget* widget : {static_cast<QWidget*>(&canvas), static_cast<QWidget*>(&dispatch), static_cast<QWidget*>(&peers)}) {
            widget->resize(900, 300);
            widget->show();
        }
        capture = std::make_shared<CaptureStore>();
        capture->state = CaptureStore::State::Ok;
        capture->sealed = true;
        for (const std::string& text : ranks) {
            RankEntry entry;
            entry.info.rankId = static_cast<std::int64_t>(capture->ranks.size());
            entry.trace = test::rankTrace(text);
            capture->ranks.push_back(std::move(entry));
        }
        test::showIn(scene, {{.capture = 1, .store = capture, .origin = {}}});
        settle();
    }
    ~Panels() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle() && scene.idle() && dispatch.idle() && !list().table().feed().busy(); }));
    }
    TablePanel& list() { return *peers.findChild<TablePanel*>(); }
    /// Rank, name and status or length of each row in the order shown.
    static QString rows(QWidget& panel, const QStringList& wanted) {
        const TableFeed& feed = panel.findChild<TablePanel*>()->table().feed();
        if (feed.source() == nullptr) return {};
        QStringList lines;
        for (std::size_t place = 0; place < feed.rows()->count; ++place) {
            QStringList cells;
            for (std::size_t column = 0; column < feed.source()->columns().size(); ++column) {
                const TableColumn& of = feed.source()->columns()[column];
                if (!wanted.contains(QString::fromStdString(of.name))) continue;
                const std::int64_t cell = feed.source()->cell(column, feed.rows()->row(place));
                cells << (cell == kAbsentCell ? QStringLiteral("-")
                          : of.type == CellType::Text ? QString::fromUtf8(feed.source()->text(column, cell)) : QString::number(cell));
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
    DispatchPanel dispatch;
    PeerList peers;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

/// The tables of tasks and of peers beside the timeline.
class TestDispatchPanel : public QObject {
    Q_OBJECT
private slots:
    void tasksWithinContextAndRange() {
        Panels panels({kRank, kRank});
        const QStringList wanted{QStringLiteral("rank_id"), QStringLiteral("name"), QStringLiteral("status"), QStringLiteral("end_to_end")};
        QCOMPARE(Panels::rows(panels.dispatch, wanted),
                 QStringLiteral("0 aten::linear complete 90;1 aten::linear complete 90;0 aten::copy_ fallback 110;1 aten::copy_ fallback 110"));
        ContextFilter context;
        context.ranks = {1};
        panels.scene.setContext(context);
        panels.settle();
        QVERIFY(QTest::qWaitFor([&] { return Panels::rows(panels.dispatch, wanted) == QStringLiteral("1 aten::linear complete 90;1 aten::copy_ fallback 110"); }));
        SelectionState state = panels.selection.current();
        state.capture = 1;
        state.range = TimeRange{{1150}, {1160}};
        panels.selection.set(state);
        QVERIFY(QTest::qWaitFor([&] { return Panels::rows(panels.dispatch, wanted) == QStringLiteral("1 aten::copy_ fallback 110"); }));
    }

    void aRowLeadsToItsSlice() {
        Panels panels({kRank});
        emit panels.dispatch.findChild<TablePanel*>()->table().activated(1);
        panels.settle();
        QVERIFY(panels.selected.slice().has_value());
        QCOMPARE(panels.selected.slice()->place.range, (TimeRange{{1060}, {1070}}));
    }

    void aRowOfAStoreThatWasReplacedLeadsToItsOwnSlice() {
        Panels panels({kRank});
        const auto old = panels.capture;
        auto next = std::make_shared<CaptureStore>(*old);
        next->ranks[0].trace = test::rankTrace("CANN/Thread 8: Node@launch[110,130)\n");
        test::showIn(panels.scene, {{.capture = 1, .store = next, .origin = {}}});
        // The new rows are asked for, and do not come.
        QSemaphore goOn;
        for (int i = 0; i < 2; ++i) panels.runner.post([&goOn] { goOn.acquire(); });
        QTest::qWait(200);
        emit panels.dispatch.findChild<TablePanel*>()->table().activated(1);
        const auto& trace = *old->ranks[0].trace;
        SliceIndex enqueue;
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            if (trace.begin({i}).value == 1060) enqueue = {i};
        }
        const auto selected = panels.selection.current().slice;
        goOn.release(2);
        QCOMPARE(selected, std::optional(keyOf(*old, {0, enqueue})));
    }

    void outOfSightItKeepsNoClosedCapture() {
        Panels panels({kRank});
        std::weak_ptr<const CaptureStore> closed = panels.capture;
        panels.dispatch.hide();
        panels.capture.reset();
        panels.scene.setCaptures({});
        QTRY_VERIFY(closed.expired());
    }

    void withoutAQueueItSaysWhatIsNeeded() {
        Panels panels({"CANN/Thread 8: Node@launch[110,130)\n"});
        bool isSaid = false;
        for (const QLabel* label : panels.dispatch.findChildren<QLabel*>()) isSaid |= label->isVisibleTo(&panels.dispatch) && label->text().contains(QStringLiteral("TASK_QUEUE_ENABLE"));
        QVERIFY(isSaid);
    }

    void peersAreListedAndKeptWhileOneGoesThroughThem() {
        Panels panels({kRank, "Communication/Group 0 Communication: hcom_allReduce__586_0_1[2030,2100) hcom_allReduce__586_1_1[3060,3100)\n"});
        const auto& trace = panels.capture->ranks[0].trace;
        for (std::uint32_t i = 0; i < trace->sliceCount(); ++i) {
            if (trace->begin({i}).value == 3000) panels.selected.select(1, 0, trace, {i});
        }
        panels.settle();
        const QStringList wanted{QStringLiteral("rank_id"), QStringLiteral("ts"), QStringLiteral("wait")};
        const QString expected = QStringLiteral("0 3000 60;1 3060 0");
        QVERIFY(QTest::qWaitFor([&] { return Panels::rows(panels.peers, wanted) == expected; }));
        emit panels.list().table().activated(1);
        panels.settle();
        QCOMPARE(panels.selected.slice()->key.rank, 1U);
        QCOMPARE(panels.selected.slice()->place.range, (TimeRange{{3060}, {3100}}));
        QCOMPARE(Panels::rows(panels.peers, wanted), expected);
    }

    void followingWhereNoFlowTouchesTheSlice() {
        Panels panels({kRank});
        const auto& trace = panels.capture->ranks[0].trace;
        const auto select = [&](std::string_view name) {
            for (std::uint32_t i = 0; i < trace->sliceCount(); ++i) {
                if (trace->name({i}) == name) return panels.selected.select(1, 0, trace, {i});
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

ALTI_TEST(TestDispatchPanel)
#include "tst_dispatch_panel.moc"
