#include "views/common/tables/dispatch_list.h"

#include "core/base/threads/parallel.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/store/rows/row_builder.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "views/common/tables/table_panel.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QSemaphore>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Three tasks of a queue: the first launches two kernels, the second none, the third one.
const char* const kQueue =
    "Python/Thread 7: aten::linear|cpu_op[40,170) Enqueue|enqueue[60,70) aten::copy_|cpu_op[1040,1170) "
    "Enqueue|enqueue[1060,1070) "
    "aten::mm|cpu_op[2040,2170) Enqueue|enqueue[2060,2070)\n"
    "Python/Thread 8: Dequeue@aclnnMatmul|dequeue[100,150) Dequeue@copy|dequeue[1100,1150) "
    "Dequeue@aclnnMm|dequeue[2100,2150)\n"
    "CANN/Thread 8: AscendCL@aclnnMatmul[105,145) Node@launch[110,120) Node@launch[125,135) "
    "AscendCL@aclnnMm[2105,2145) Node@launch[2110,2130)\n"
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
            batch.setText(fixedColumn(RowKind::Kernel, "name"), rank.trace->name({i}));
            batch.setInteger(fixedColumn(RowKind::Kernel, "slice_id"), i);
            batch.setInteger(fixedColumn(RowKind::Kernel, "ts"), rank.trace->begin({i}).value);
            batch.setInteger(fixedColumn(RowKind::Kernel, "dur"), rank.trace->duration({i}).value);
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
        request();
    }
    ~DispatchBench() { runner.shutdown(); }

    DispatchQuery query(const ContextFilter& context = {}, const std::optional<MarkedTime>& marked = {}) const {
        return dispatchQuery(
            {.capture = {1}, .store = capture, .context = context, .marked = marked, .rank = {}, .origin = TimeNs{}});
    }
    void request(const ContextFilter& context = {}, const std::optional<MarkedTime>& marked = {}) {
        list.request(query(context, marked));
        settle();
    }
    void start(DispatchedKernels kernels, const QString& subject = {}) {
        DispatchQuery requested = query();
        requested.kernels = std::move(kernels);
        list.request(requested, subject);
    }
    void request(DispatchedKernels kernels, const QString& subject = {}) {
        start(std::move(kernels), subject);
        settle();
    }
    /// What is asked for from now on does not come until `goOn` is released twice.
    void hold(QSemaphore& goOn) {
        for (int i = 0; i < 2; ++i) runner.post([&goOn] { goOn.acquire(); });
    }
    std::size_t groupOf(const KernelGroups& all, std::string_view name) {
        std::size_t group = 0;
        while (group < all.groups.size() && all.index->text(all.keys[all.groups[group].key].name) != name) ++group;
        return group;
    }
    /// Opens the menu of a row, does `meanwhile`, and takes what stands `place` in the menu.
    template <class Meanwhile>
    void takeFromMenu(std::size_t row, int place, Meanwhile meanwhile) {
        DataTable& table = list.table().table();
        table.setCurrent(row, 0);
        QTimer::singleShot(0, &table, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            meanwhile();
            menu->actions().at(place)->trigger();
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, table.mapToGlobal(QPoint()));
        QApplication::sendEvent(&table, &event);
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return list.idle(); }));
    }
    /// Rank, name, status and time from end to end of each row in the order shown.
    QString rows() {
        const TableLoader& loader = list.table().table().loader();
        QStringList lines;
        for (std::size_t place = 0; loader.source() != nullptr && place < loader.rows()->count; ++place) {
            QStringList cells;
            for (std::size_t column = 0; column < loader.source()->columns().size(); ++column) {
                const TableColumn& of = loader.source()->columns()[column];
                if (of.name != "rank_id" && of.name != "name" && of.name != "status" && of.name != "end_to_end")
                    continue;
                const std::int64_t cell = loader.source()->cell(column, loader.rows()->row(place));
                cells << (cell == kAbsentCell         ? u"-"_s
                          : of.type == CellType::Text ? QString::fromUtf8(loader.source()->text(column, cell))
                                                      : QString::number(cell));
            }
            lines << cells.join(u' ');
        }
        return lines.join(u';');
    }
    std::shared_ptr<const KernelGroups> groups() {
        std::shared_ptr<const KernelGroups> made;
        WorkerArena(2).run([&] {
            std::vector<FilteredKernels> windows;
            for (RankIndex rank; rank.value < capture->ranks.size(); ++rank.value)
                windows.push_back(
                    {rank, FilteredRows::all(capture->ranks[rank.value].rows->find(RowKind::Kernel)->size())});
            made = std::make_shared<const KernelGroups>(
                *groupKernels(KernelIndex::make(capture, windows, {}), KernelGrouping::Name, KernelSplit::None, {}));
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
    void aMenuThatIsOpenLeadsToItsOwnSlice();
    void aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere();
    void tasksAreNotReportedOfKernelsThatAreStillLookedFor();
    void beforeTheFirstAnswerNothingIsSaid();
    void outOfSightItKeepsNoClosedCapture();
    void withoutAQueueItSaysWhatIsNeeded();
};

void TestDispatchList::tasksWithinContextAndMarkedTime() {
    DispatchBench bench({kQueue, kQueue});
    QCOMPARE(
        bench.rows(),
        u"0 aten::linear complete 95;1 aten::linear complete 95;0 aten::copy_ fallback 110;1 aten::copy_ fallback 110;0 aten::mm complete 90;1 aten::mm complete 90"_s);
    ContextFilter context;
    context.ranks = {1};
    bench.request(context);
    QCOMPARE(bench.rows(), u"1 aten::linear complete 95;1 aten::copy_ fallback 110;1 aten::mm complete 90"_s);
    bench.request(context, MarkedTime{.range = {{1150}, {1160}}});
    QCOMPARE(bench.rows(), u"1 aten::copy_ fallback 110"_s);
}

void TestDispatchList::markedTimeIsAsRanksAreDrawn() {
    DispatchBench bench({kQueue, kQueue});
    const auto shifts = std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {1000}});
    bench.request({}, MarkedTime{.range = {{2100}, {2110}}, .shifts = shifts});
    // Rank 1 is drawn 1000 ns later than it was recorded.
    QCOMPARE(bench.rows(), u"1 aten::copy_ fallback 110;0 aten::mm complete 90"_s);
}

void TestDispatchList::tasksOfAGroupOfKernels() {
    DispatchBench bench;
    const auto groups = bench.groups();
    std::map<std::string, QString> shown;
    for (std::size_t group = 0; group < groups->groups.size(); ++group) {
        bench.request({.groups = groups, .group = group});
        shown[std::string(groups->index->text(groups->keys[groups->groups[group].key].name))] = bench.rows();
    }
    QCOMPARE(shown.size(), 3U);
    QCOMPARE(shown["MatMul"], u"0 aten::linear complete 95;0 aten::mm complete 90"_s);
    QCOMPARE(shown["TransData"], u"0 aten::linear complete 95"_s);
    QCOMPARE(shown["Lonely"], QString());
    // The last one asked for is not the lonely one by chance alone.
    bench.request({.groups = groups, .group = bench.groupOf(*groups, "Lonely")}, u"Lonely"_s);
    QVERIFY(bench.list.sentence().startsWith(u"Lonely: nothing leads"_s));
    const auto* everything = bench.list.findChild<QToolButton*>();
    QVERIFY(everything->isVisibleTo(&bench.list));
}

void TestDispatchList::taskOfOneKernel() {
    DispatchBench bench({kQueue, kQueue});
    bench.request({.groups = {}, .group = 0, .kernel = SliceRef{1, sliceAt(*bench.capture->ranks[1].trace, 2300)}});
    QCOMPARE(bench.rows(), u"1 aten::mm complete 90"_s);
}

void TestDispatchList::aRowLeadsToItsSlice() {
    DispatchBench bench;
    emit bench.list.table().table().activated(1);
    QCOMPARE(bench.selection.current().slice,
             std::optional(keyOf(*bench.capture, {0, sliceAt(*bench.capture->ranks[0].trace, 1060)})));
}

void TestDispatchList::aRowOfAStoreThatWasReplacedLeadsToItsOwnSlice() {
    DispatchBench bench;
    const auto old = bench.capture;
    bench.capture = queueCapture({"CANN/Thread 8: Node@launch[110,130)\n"});
    // The new rows are asked for, and do not come.
    QSemaphore goOn;
    bench.hold(goOn);
    bench.list.request(bench.query());
    QTest::qWait(50);
    emit bench.list.table().table().activated(1);
    const auto selected = bench.selection.current().slice;
    goOn.release(2);
    QCOMPARE(selected, std::optional(keyOf(*old, {0, sliceAt(*old->ranks[0].trace, 1060)})));
}

void TestDispatchList::aMenuThatIsOpenLeadsToItsOwnSlice() {
    DispatchBench bench({kQueue, kQueue});
    const SliceIndex enqueue = sliceAt(*bench.capture->ranks[0].trace, 60);
    ContextFilter context;
    context.ranks = {1};
    // The same place in the list is one of rank 1 by then; the enqueuing stands third in the menu.
    bench.takeFromMenu(0, 2, [&] { bench.request(context); });
    QCOMPARE(bench.list.rows().rows.front().rank.value, 1U);
    QCOMPARE(bench.selection.current().slice, std::optional(keyOf(*bench.capture, {0, enqueue})));
}

void TestDispatchList::aMenuThatIsOpenWhileTheCaptureIsReadAgainLeadsNowhere() {
    DispatchBench bench({kQueue, kQueue});
    int opened = 0;
    QObject::connect(&bench.list, &DispatchList::sliceOpened, &bench.list, [&opened] { ++opened; });
    // A part of it, as at the begin of the reading: those slices are not there.
    const std::string part = "Python/Thread 7: aten::mm|cpu_op[40,170) Enqueue|enqueue[60,70)\n"
                             "Python/Thread 8: Dequeue@aclnnMm|dequeue[100,150)\n"
                             "flow async_task_queue Python/Thread 7@60 -> Python/Thread 8@100\n";
    // A table with the focus selects what its current row shows, one without does not: neither may be taken for the
    // menu.
    std::optional<SliceKey> before;
    bench.takeFromMenu(5, 2, [&] {
        bench.capture = queueCapture({part});
        bench.request();
        before = bench.selection.current().slice;
    });
    QCOMPARE(bench.list.rows().rows.size(), std::size_t{1});
    QCOMPARE(bench.selection.current().slice, before);
    QCOMPARE(opened, 0);
    // The menu of what is shown now leads on.
    bench.takeFromMenu(0, 2, [] {});
    QVERIFY(bench.selection.current().slice.has_value());
    QCOMPARE(opened, 1);
}

void TestDispatchList::tasksAreNotReportedOfKernelsThatAreStillLookedFor() {
    DispatchBench bench;
    const auto groups = bench.groups();
    const DispatchedKernels matmul{.groups = groups, .group = bench.groupOf(*groups, "MatMul")},
        lonely{.groups = groups, .group = bench.groupOf(*groups, "Lonely")};
    QSemaphore goOn;
    bench.hold(goOn);
    bench.start(matmul, u"MatMul"_s);
    QTest::qWait(50);
    const QString ofAll = bench.list.sentence();
    goOn.release(2);
    bench.settle();
    QVERIFY2(ofAll.startsWith(u"3 task"_s), qPrintable(ofAll));
    QVERIFY2(bench.list.sentence().startsWith(u"MatMul: 2 task"_s), qPrintable(bench.list.sentence()));
    bench.request(lonely, u"Lonely"_s);
    QVERIFY(bench.list.sentence().startsWith(u"Lonely: nothing leads"_s));
    bench.hold(goOn);
    bench.start(matmul, u"MatMul"_s);
    QTest::qWait(50);
    const QString ofNothing = bench.list.sentence();
    goOn.release(2);
    bench.settle();
    QCOMPARE(ofNothing, QString());
    // In another language the question is the same.
    bench.start(matmul, u"Multiplication"_s);
    QVERIFY2(bench.list.sentence().startsWith(u"Multiplication: 2 task"_s), qPrintable(bench.list.sentence()));
}

void TestDispatchList::beforeTheFirstAnswerNothingIsSaid() {
    DispatchBench bench;
    QSemaphore goOn;
    bench.hold(goOn);
    DispatchList list(bench.session, bench.selection, {}, u"dispatch"_s);
    list.show();
    const QString atFirst = list.sentence();
    list.request(bench.query());
    QTest::qWait(50);
    const QString requested = list.sentence();
    goOn.release(2);
    QVERIFY(QTest::qWaitFor([&] { return list.idle(); }));
    QCOMPARE(atFirst, QString());
    QCOMPARE(requested, QString());
    QVERIFY(list.sentence().startsWith(u"3 task"_s));
}

void TestDispatchList::outOfSightItKeepsNoClosedCapture() {
    DispatchBench bench;
    const std::weak_ptr<const CaptureStore> closed = bench.capture;
    bench.list.hide();
    bench.capture.reset();
    bench.list.request({});
    QTRY_VERIFY(closed.expired());
}

void TestDispatchList::withoutAQueueItSaysWhatIsNeeded() {
    DispatchBench bench({"CANN/Thread 8: Node@launch[110,130)\n"});
    bool isSaid = false;
    for (const QLabel* label : bench.list.findChildren<QLabel*>())
        isSaid |= label->isVisibleTo(&bench.list) && label->text().contains(u"TASK_QUEUE_ENABLE"_s);
    QVERIFY(isSaid);
}

ALTI_TEST(TestDispatchList)
#include "tst_dispatch_list.moc"
