#include "views/common/panels/layer_panel.h"

#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/tables/rows/slice_rows.h"
#include "tests/support/test_main.h"
#include "views/common/panels/kernel_panel.h"
#include "views/common/tables/table_panel.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Streams of an NPU with two kernels, one within the other, and copies of two directions.
constexpr const char* kTrace = R"json([
{"ph":"M","name":"process_name","pid":2,"args":{"name":"Ascend Hardware"}},
{"ph":"M","name":"process_labels","pid":2,"args":{"labels":"NPU"}},
{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"Stream 1"}},
{"ph":"X","name":"MatMul","pid":2,"tid":1,"ts":"1000.000","dur":10},
{"ph":"X","name":"Inner","pid":2,"tid":1,"ts":"1002.000","dur":4},
{"ph":"X","name":"MatMul","pid":2,"tid":1,"ts":"1100.000","dur":20},
{"ph":"X","name":"MEMCPY_ASYNC","pid":2,"tid":1,"ts":"1200.000","dur":2,"args":{"memcpy direction":"host to device","data size(Byte)":100}},
{"ph":"X","name":"MEMCPY_ASYNC","pid":2,"tid":1,"ts":"1300.000","dur":4,"args":{"operation":"host to device","size(B)":500}},
{"ph":"X","name":"MEMCPY_ASYNC","pid":2,"tid":1,"ts":"1400.000","dur":8,"args":{}}
])json";

struct Bench {
    explicit Bench(unsigned threads = 2) : runner(threads) {
        QDir(folder.path()).mkdir(u"capture"_s);
        QFile file(folder.filePath(u"capture/trace.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kTrace);
        file.close();
        id = session.open(folder.filePath(u"capture"_s));
        QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }));
        panel.resize(900, 300);
        panel.setVisible(true);
        settle();
    }
    ~Bench() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return panel.idle(); }));
    }
    DataTable& table(const char* first) {
        for (TablePanel* one : panel.findChildren<TablePanel*>()) {
            const auto& source = one->table().loader().source();
            if (source && source->columns().front().name == first) return one->table();
        }
        qFatal("no such table");
    }
    static std::string rows(const DataTable& table, std::initializer_list<std::size_t> columns) {
        std::string text;
        const TableSource& source = *table.loader().source();
        for (std::size_t place = 0; place < table.loader().rows()->count; ++place) {
            for (const std::size_t column : columns) {
                const std::int64_t cell = source.cell(column, table.loader().rows()->row(place));
                text += cell == kAbsentCell                               ? "-"
                        : source.columns()[column].type == CellType::Text ? std::string(source.text(column, cell))
                                                                          : std::to_string(cell);
                text += ' ';
            }
        }
        return text;
    }
    void choose(const QString& entry) {
        auto* layers = panel.findChild<QComboBox*>();
        layers->setCurrentIndex(layers->findText(entry));
        emit layers->activated(layers->currentIndex());
        settle();
    }

    QTemporaryDir folder;
    JobRunner runner;
    Session session{runner};
    Selection selection;
    LayerPanel panel{session, selection, {}};
    CaptureId id;
};

}  // namespace

class TestLayerPanel : public QObject {
    Q_OBJECT
private slots:
    void namesOfTheDevice();
    void copiesByStreamAndDirection();
    void theMarkedRangeCounts();
    void theMarkedRangeIsAsRanksAreDrawn();
    void rowsLeadToSlicesAndBack();
    void slicesOfATableThatIsGoneAreNotListed();
    void closedCapturesAreForgotten();
    void kernelsWithoutTablesSaySo();
};

void TestLayerPanel::namesOfTheDevice() {
    Bench bench;
    // name, total, self, count, min, max
    QCOMPARE(Bench::rows(bench.table("name"), {0, 2, 4, 5, 7, 8}),
             std::string(
                 "MatMul 30000 26000 2 10000 20000 MEMCPY_ASYNC 14000 14000 3 2000 8000 Inner 4000 4000 1 4000 4000 "));
}

void TestLayerPanel::copiesByStreamAndDirection() {
    Bench bench;
    bench.choose(u"Memory copies"_s);
    // stream, direction, count, total, min, max, size, smallest, largest
    QCOMPARE(Bench::rows(bench.table("rank_id"), {1, 2, 3, 4, 6, 7, 8, 10, 11}),
             std::string("Stream 1 - 1 8000 8000 8000 - - - Stream 1 host to device 2 6000 2000 4000 600 100 500 "));
}

void TestLayerPanel::theMarkedRangeCounts() {
    Bench bench;
    SelectionState state;
    state.capture = bench.id;
    state.range = TimeRange{{1'003'000}, {1'150'000}};
    bench.selection.set(state);
    bench.settle();
    QCOMPARE(Bench::rows(bench.table("name"), {0, 2, 5}), std::string("MatMul 30000 2 Inner 4000 1 "));
    state.range = TimeRange{{5'000'000}, {6'000'000}};
    bench.selection.set(state);
    bench.settle();
    QCOMPARE(Bench::rows(bench.table("name"), {0}), std::string());
}

void TestLayerPanel::theMarkedRangeIsAsRanksAreDrawn() {
    Bench bench;
    SelectionState state;
    state.capture = bench.id;
    state.range = TimeRange{{6'003'000}, {6'150'000}};
    bench.selection.set(state);
    bench.settle();
    QCOMPARE(Bench::rows(bench.table("name"), {0}), std::string());
    bench.selection.setShifts(bench.id,
                              std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{5'000'000}}));
    bench.settle();
    QCOMPARE(Bench::rows(bench.table("name"), {0, 2, 5}), std::string("MatMul 30000 2 Inner 4000 1 "));
}

void TestLayerPanel::rowsLeadToSlicesAndBack() {
    Bench bench;
    DataTable& names = bench.table("name");
    QTest::qWait(0);
    emit names.activated(0);
    bench.settle();
    DataTable& slices = bench.table("rank_id");
    QCOMPARE(Bench::rows(slices, {3, 5}), std::string("MatMul 1000000 MatMul 1100000 "));
    emit slices.activated(slices.loader().rows()->row(1));
    QVERIFY(bench.selection.current().slice.has_value());
    const CaptureStore& store = *bench.session.capture(bench.id)->store;
    QCOMPARE(store.ranks[0].trace->begin(findSlice(store, *bench.selection.current().slice)->slice), TimeNs{1'100'000});
    // Selected elsewhere, the slice is found here.
    bench.panel.findChild<QComboBox*>()->setFocus();
    SliceIndex inner;
    for (std::uint32_t i = 0; i < store.ranks[0].trace->sliceCount(); ++i) {
        if (store.ranks[0].trace->name({i}) == "Inner") inner = {i};
    }
    bench.selection.selectSlice(bench.id, keyOf(store, {0, inner}));
    bench.settle();
    QCOMPARE(names.currentRow(), std::optional<std::uint32_t>(2));
}

void TestLayerPanel::slicesOfATableThatIsGoneAreNotListed() {
    Bench bench(1);
    DataTable& names = bench.table("name");
    auto* layers = bench.panel.findChild<QComboBox*>();
    layers->setCurrentIndex(layers->findText(u"Memory copies"_s));
    emit layers->activated(layers->currentIndex());
    // The old table is still there; its answer comes behind the new one.
    emit names.activated(0);
    bench.settle();
    for (const TablePanel* one : bench.panel.findChildren<TablePanel*>())
        QVERIFY(dynamic_cast<const SliceRows*>(one->table().loader().source().get()) == nullptr);
}

void TestLayerPanel::closedCapturesAreForgotten() {
    Bench bench;
    const std::weak_ptr<const CaptureStore> store = bench.session.capture(bench.id)->store;
    bench.panel.setVisible(false);
    bench.session.close(bench.id);
    QTRY_VERIFY(store.expired());
}

void TestLayerPanel::kernelsWithoutTablesSaySo() {
    Bench bench;
    KernelPanel kernels(bench.session, bench.selection, {});
    kernels.setVisible(true);
    QVERIFY(QTest::qWaitFor([&] { return kernels.idle(); }));
    const auto labels = kernels.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel* label) { return label->text().startsWith(u"No kernels within"_s); }));
}

ALTI_TEST(TestLayerPanel)
#include "tst_layer_panel.moc"
