#include "views/common/dispatch_list.h"

#include "core/base/parallel.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/store/row_builder.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "views/common/table_panel.h"

#include <QLabel>
#include <QSemaphore>
#include <QTest>
#include <QToolButton>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Three tasks of a queue: the first launches two kernels, the second none, the third one.
const char* const kQueue =
    "Python/Thread 7: aten::linear|cpu_op[40,170) Enqueue|enqueue[60,70) aten::copy_|cpu_op[1040,1170) Enqueue|enqueue[1060,1070) "
    "aten::mm|cpu_op[2040,2170) Enqueue|enqueue[2060,2070)\n"
    "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150) Dequeue@copy|dequeue[1100,1150) Dequeue@aclnnMm|dequeue[2100,2150)\n"
    "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,120) Node@launch[125,135) AscendCL@aclnnMm[2105,2145) Node@launch[2110,2130)\n"
    "Ascend Hardware/Stream 2: TransData[300,310) MatMul[320,400) MatMul[2300,2390) Lonely[3000,3010)\n"
    "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n"
    "flow async_task_queue Python/Thread 7@1060 -> Python/Thread 8@1100\n"
    "flow async_task_queue Python/Thread 7@2060 -> Python/Thread 8@2100\n"
    "flow HostToDevice CANN/Thread 8@110 -> Ascend Hardware/Stream 2@300\n"
    "flow HostToDevice CANN/Thread 8@125 -> Ascend Hardware/Stream 2@320\n"
    "flow HostToDevice CANN/Thread 8@2110 -> Ascend Hardware/Stream 2@2300\n";

std::shared_ptr<CaptureStore> queueCapture(const std::vector<std::string>& ranks) {
    auto capture = std::make_shared<CaptureStore>();
    capture->state = CaptureStore::State::Ok;
    capture->sealed = true;
    for (const std::string& text : ranks) {
        RankEntry& rank = capture->ranks.emplace_back();
        rank.info.rankId = static_cast<std::int64_t>(capture->ranks.size()) - 1;
        rank.trace = test::rankTrace(text);
        RowTablesBuilder builder;
        RowBatch batch = builder.batch(RowKind::Kernel);
        for (std::uint32_t i = 0; i < rank.trace->sliceCount(); ++i) {
            if (rank.trace->track({rank.trace->runOf({i}).track}).kind != TrackKind::Hardware) continue;
            batch.addRow();
            batch.setText(rowColumn(RowKind::Kernel, "name"), rank.trace->name({i}));
            batch.setInteger(rowColumn(RowKind::Kernel, "slice_id"), i);
            batch.setInteger(rowColumn(RowKind::Kernel, "ts"), rank.trace->begin({i}).value);
            batch.setInteger(rowColumn(RowKind::Kernel, "dur"), rank.trace->duration({i}).value);
        }
        builder.commit(batch);
        rank.rows = builder.seal({}).value();
    }
    return capture;
}

SliceIndex sliceAt(const TraceStore& trace, std::int64_t begin) {
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.begin({i}).value == begin) return {i};
    }
    return kNoSlice;
}

struct DispatchBench {
    explicit DispatchBench(const std::vector<std::string>& ranks = {kQueue}) : capture(queueCapture(ranks)) {
        list.resize(900, 300);
        list.show();
        ask();
    }
    ~DispatchBench() { runner.shutdown(); }

    DispatchQuestion question(const ContextFilter& context = {}, const std::optional<MarkedTime>& marked = {}) const { return dispatchQuestion(1, capture, context, marked, TimeNs{}); }
    void ask(const ContextFilter& context = {}, const std::optional<MarkedTime>& marked = {}) {
        list.ask(question(context, marked));
        settle();
    }
    void ask(DispatchedKernels kernels) {
        DispatchQuestion asked = question();
        asked.kernels = std::move(kernels);
        list.ask(asked);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return list.idle(); }));
    }
    /// Rank, name, status and time from end to end of each row in the order shown.
    QString rows() {
        const TableFeed& feed = list.table().table().feed();
        QStringList lines;
        for (std::size_t place = 0; feed.source() != nullptr && place < feed.rows()->count; ++place) {
            QStringList cells;
            for (std::size_t column = 0; column < feed.source()->columns().size(); ++column) {
                const TableColumn& of = feed.source()->columns()[column];
                if (of.name != "rank_id" && of.name != "name" && of.name != "status" && of.name != "end_to_end") continue;
                const std::int64_t cell = feed.source()->cell(column, feed.rows()->row(place));
                cells << (cell == kAbsentCell           ? u"-"_s
                          : of.type == CellType::Text ? QString::fromUtf8(feed.source()->text(column, cell))
                                                      : QString::number(cell));
            }
            lines << cells.join(u' ');
        }
        return lines.join(u';');
    }
    std::shared_ptr<const KernelGroups> groups() {
        std::shared_ptr<const KernelGroups> made;
        WorkerArena(2).run([&] {
            std::vector<HeldKernels> held;
            for (std::uint32_t rank = 0; rank < capture->ranks.size(); ++rank) held.push_back({rank, HeldRows::all(capture->ranks[rank].rows->find(RowKind::Kernel)->size())});
            made = std::make_shared<const KernelGroups>(*groupKernels(KernelIndex::make(capture, held, {}), KernelGrouping::Name, KernelSplit::None, {}));
        });
        return made;
    }

    std::shared_ptr<CaptureStore> capture;
    JobRunner runner{2};
    Session session{runner};
    Selection selection;
    DispatchList list{session, selection, {}, u"dispatch"_s};
};

}  // namespace

/// Tasks of the framework's queue as a table.
class TestDispatchList : public QObject {
    Q_OBJECT
private slots:
    void tasksWithinContextAndMarkedTime();
    void markedTimeIsAsRanksAreDrawn();
    void tasksOfAGroupOfKernels();
    void taskOfOneKernel();
    void aRowLeadsToItsSlice();
    void aRowOfAStoreThatWasReplacedLeadsToItsOwnSlice();
    void outOfSightItKeepsNoClosedCapture();
    void withoutAQueueItSaysWhatIsNeeded();
};

void TestDispatchList::tasksWithinContextAndMarkedTime() {
    DispatchBench bench({kQueue, kQueue});
    QCOMPARE(bench.rows(), u"0 aten::linear complete 95;1 aten::linear complete 95;0 aten::copy_ fallback 110;1 aten::copy_ fallback 110;0 aten::mm complete 90;1 aten::mm complete 90"_s);
    ContextFilter context;
    context.ranks = {1};
    bench.ask(context);
    QCOMPARE(bench.rows(), u"1 aten::linear complete 95;1 aten::copy_ fallback 110;1 aten::mm complete 90"_s);
    bench.ask(context, MarkedTime{.range = {{1150}, {1160}}});
    QCOMPARE(bench.rows(), u"1 aten::copy_ fallback 110"_s);
}

void TestDispatchList::markedTimeIsAsRanksAreDrawn() {
    DispatchBench bench({kQueue, kQueue});
    const auto shifts = std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {1000}});
    bench.ask({}, MarkedTime{.range = {{2100}, {2110}}, .shifts = shifts});
    // Rank 1 is drawn 1000 ns later than it was recorded.
    QCOMPARE(bench.rows(), u"1 aten::copy_ fallback 110;0 aten::mm complete 90"_s);
}

void TestDispatchList::tasksOfAGroupOfKernels() {
    DispatchBench bench;
    const auto groups = bench.groups();
    std::map<std::string, QString> shown;
    for (std::size_t group = 0; group < groups->groups.size(); ++group) {
        bench.ask({.groups = groups, .group = group});
        shown[std::string(groups->index->text(groups->keys[groups->groups[group].key].name))] = bench.rows();
    }
    QCOMPARE(shown.size(), 3U);
    QCOMPARE(shown["MatMul"], u"0 aten::linear complete 95;0 aten::mm complete 90"_s);
    QCOMPARE(shown["TransData"], u"0 aten::linear complete 95"_s);
    QCOMPARE(shown["Lonely"], QString());
    // The last one asked for is not the lonely one by chance alone.
    for (std::size_t group = 0; group < groups->groups.size(); ++group) {
        if (groups->index->text(groups->keys[groups->groups[group].key].name) == "Lonely") bench.ask({.groups = groups, .group = group});
    }
    bench.list.setSubject(u"Lonely"_s);
    QVERIFY(bench.list.sentence().startsWith(u"Lonely: nothing leads"_s));
    const auto* everything = bench.list.findChild<QToolButton*>();
    QVERIFY(everything->isVisibleTo(&bench.list));
}

void TestDispatchList::taskOfOneKernel() {
    DispatchBench bench({kQueue, kQueue});
    bench.ask({.groups = {}, .group = 0, .kernel = SliceRef{1, sliceAt(*bench.capture->ranks[1].trace, 2300)}});
    QCOMPARE(bench.rows(), u"1 aten::mm complete 90"_s);
}

void TestDispatchList::aRowLeadsToItsSlice() {
    DispatchBench bench;
    emit bench.list.table().table().activated(1);
    QCOMPARE(bench.selection.current().slice, std::optional(keyOf(*bench.capture, {0, sliceAt(*bench.capture->ranks[0].trace, 1060)})));
}

void TestDispatchList::aRowOfAStoreThatWasReplacedLeadsToItsOwnSlice() {
    DispatchBench bench;
    const auto old = bench.capture;
    bench.capture = queueCapture({"CANN/Thread 8: Node@launch[110,130)\n"});
    // The new rows are asked for, and do not come.
    QSemaphore goOn;
    for (int i = 0; i < 2; ++i) bench.runner.post([&goOn] { goOn.acquire(); });
    bench.list.ask(bench.question());
    QTest::qWait(50);
    emit bench.list.table().table().activated(1);
    const auto selected = bench.selection.current().slice;
    goOn.release(2);
    QCOMPARE(selected, std::optional(keyOf(*old, {0, sliceAt(*old->ranks[0].trace, 1060)})));
}

void TestDispatchList::outOfSightItKeepsNoClosedCapture() {
    DispatchBench bench;
    const std::weak_ptr<const CaptureStore> closed = bench.capture;
    bench.list.hide();
    bench.capture.reset();
    bench.list.ask({});
    QTRY_VERIFY(closed.expired());
}

void TestDispatchList::withoutAQueueItSaysWhatIsNeeded() {
    DispatchBench bench({"CANN/Thread 8: Node@launch[110,130)\n"});
    bool isSaid = false;
    for (const QLabel* label : bench.list.findChildren<QLabel*>()) isSaid |= label->isVisibleTo(&bench.list) && label->text().contains(u"TASK_QUEUE_ENABLE"_s);
    QVERIFY(isSaid);
}

ALTI_TEST(TestDispatchList)
#include "tst_dispatch_list.moc"
