#include "core/tables/rows/kernel_rows.h"

#include "core/store/rows/row_builder.h"
#include "core/tables/scope/rank_windows.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <bit>

using namespace altiscope;

namespace {

struct Kernel {
    const char* name;
    std::int64_t step, begin, length;
    std::int64_t slice = -1;
    double metric = -1;
    std::int64_t device = -1;
};

void addRank(CaptureStore& capture, const std::vector<Kernel>& kernels, const char* metric,
             std::string_view trace = {}) {
    RowTablesBuilder builder;
    const std::size_t extra = builder.extraColumn(RowKind::Kernel, metric);
    RowBatch batch = builder.batch(RowKind::Kernel);
    for (const Kernel& kernel : kernels) {
        batch.addRow();
        batch.setText(fixedColumn(RowKind::Kernel, "name"), kernel.name);
        batch.setInteger(fixedColumn(RowKind::Kernel, "step"), kernel.step);
        batch.setInteger(fixedColumn(RowKind::Kernel, "ts"), kernel.begin);
        batch.setInteger(fixedColumn(RowKind::Kernel, "dur"), kernel.length);
        if (kernel.slice >= 0) batch.setInteger(fixedColumn(RowKind::Kernel, "slice_id"), kernel.slice);
        if (kernel.metric >= 0) batch.setReal(extra, kernel.metric);
        if (kernel.device >= 0) batch.setInteger(fixedColumn(RowKind::Kernel, "device_id"), kernel.device);
    }
    builder.commit(batch);
    RankEntry& rank = capture.ranks.emplace_back();
    rank.info.rankId = static_cast<std::int64_t>(capture.ranks.size()) - 1;
    rank.rows = builder.seal({}).value();
    rank.steps = {{5, TimeRange{{0}, {100}}}, {6, TimeRange{{100}, {200}}}};
    if (!trace.empty()) rank.trace = test::traceFromText(trace);
}

std::shared_ptr<CaptureStore> capture() {
    auto made = std::make_shared<CaptureStore>();
    addRank(*made, {{"MatMul", 5, 10, 20, 1, 1.5}, {"Add", 6, 110, 5, 0}}, "aiv_time", "p1/t1: x[0,3) MatMul[10,30)\n");
    addRank(*made, {{"Relu", 5, 50, 10}, {"Add", 6, 150, 10, -1, 7}}, "mac_ratio");
    return made;
}

ContextFilter contextOf(std::vector<std::int64_t> ranks, std::vector<std::int64_t> steps,
                        std::optional<TimeRange> range = {}) {
    ContextFilter context;
    context.ranks = std::move(ranks);
    context.steps = std::move(steps);
    context.range = range;
    return context;
}

/// Rank and name of each row.
std::string namesOf(const KernelRows& rows) {
    std::string text;
    const auto name = static_cast<std::size_t>(std::find_if(rows.columns().begin(), rows.columns().end(),
                                                            [](const TableColumn& c) { return c.name == "name"; }) -
                                               rows.columns().begin());
    for (std::size_t row = 0; row < rows.rowCount(); ++row)
        text += std::to_string(rows.cell(0, row)) + std::string(rows.text(name, rows.cell(name, row))) + ' ';
    return text;
}

std::string selected(const ContextFilter& context, std::optional<TimeRange> marked = {}) {
    return namesOf(*KernelRows::make(capture(), context, marked ? std::optional(MarkedTime{*marked}) : std::nullopt,
                                     TimeNs{0}, {}));
}

}  // namespace

class TestKernelRows : public QObject {
    Q_OBJECT
private slots:
    void theContextSaysWhichRows();
    void everyColumnIsThere();
    void textsSortAcrossRanks();
    void rowsLeadToSlicesAndBack();
    void ranksAreSelectedWithTheirTimes();
    void markedTimeIsTheOneThatIsDrawn();
    void withoutATimelineTimesCountFromTheFirstKernel();
    void eachDeviceOfARankIsAPart();
};

/// Kernels of two NPUs in one folder were summed up as those of the rank.
void TestKernelRows::eachDeviceOfARankIsAPart() {
    auto made = std::make_shared<CaptureStore>();
    addRank(*made, {{"a", 5, 1, 1, -1, 1, 7}, {"b", 5, 2, 1, -1, 1, 3}, {"c", 5, 3, 1, -1, 1, 7}}, "aiv_time");
    addRank(*made, {{"d", 5, 1, 1, -1, 1, 7}}, "aiv_time");
    const auto parts = filteredKernels(*made, {}, {}, {});
    QCOMPARE(parts.size(), std::size_t{3});
    QCOMPARE(*parts[0].device, 3);
    QCOMPARE(*parts[1].device, 7);
    QCOMPARE(parts[1].rows.size(), std::size_t{2});
    QVERIFY(!parts[2].device);
    const auto rows = KernelRows::make(made, {}, {}, TimeNs{0}, {});
    QCOMPARE(namesOf(*rows), std::string("0b 0a 0c 1d "));
    const std::size_t device = 1 + fixedColumn(RowKind::Kernel, "device_id");
    QCOMPARE(rows->columns()[device].name, std::string("device_id"));
    QCOMPARE(rows->cell(device, 0), 3);
    QCOMPARE(rows->columns()[device + 1].name, std::string("aiv_time"));
    QCOMPARE(std::bit_cast<double>(rows->cell(device + 1, 3)), 1.0);
    QCOMPARE(namesOf(*rows->only({parts[1]})), std::string("0a 0c "));
}

void TestKernelRows::theContextSaysWhichRows() {
    QCOMPARE(selected({}), std::string("0MatMul 0Add 1Relu 1Add "));
    QCOMPARE(selected(contextOf({1}, {})), std::string("1Relu 1Add "));
    QCOMPARE(selected(contextOf({}, {6})), std::string("0Add 1Add "));
    QCOMPARE(selected({}, TimeRange{{55}, {111}}), std::string("0Add 1Relu "));
    QCOMPARE(selected(contextOf({}, {}, TimeRange{{0}, {60}}), TimeRange{{55}, {111}}), std::string("1Relu "));
    QCOMPARE(selected(contextOf({7}, {})), std::string());
}

void TestKernelRows::everyColumnIsThere() {
    const auto rows = KernelRows::make(capture(), {}, {}, TimeNs{0}, {});
    QCOMPARE(rows->columns().size(), rowColumns(RowKind::Kernel).size() + 2);
    const std::size_t time = rows->columns().size() - 2, ratio = time + 1;
    QCOMPARE(rows->columns()[time].name, std::string("aiv_time"));
    QVERIFY(rows->columns()[time].unit == CellUnit::Duration && rows->columns()[ratio].unit == CellUnit::None);
    QCOMPARE(std::bit_cast<double>(rows->cell(time, 0)), 1.5);
    QCOMPARE(std::bit_cast<double>(rows->cell(ratio, 3)), 7.0);
    for (const auto& [column, row] : {std::pair(time, 1), std::pair(time, 3), std::pair(ratio, 0)})
        QCOMPARE(rows->cell(column, static_cast<std::size_t>(row)), kAbsentCell);
    // Read in one go over both ranks, it is the same.
    std::vector<std::int64_t> steps(4);
    rows->read(1 + fixedColumn(RowKind::Kernel, "step"), 0, steps);
    QCOMPARE(steps, (std::vector<std::int64_t>{5, 6, 5, 6}));
}

void TestKernelRows::textsSortAcrossRanks() {
    const auto rows = KernelRows::make(capture(), {}, {}, TimeNs{0}, {});
    const std::size_t name = 1 + fixedColumn(RowKind::Kernel, "name");
    for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b)
            QCOMPARE(rows->cell(name, a) < rows->cell(name, b),
                     rows->text(name, rows->cell(name, a)) < rows->text(name, rows->cell(name, b)));
    }
}

void TestKernelRows::rowsLeadToSlicesAndBack() {
    const auto store = capture();
    const auto rows = KernelRows::make(store, contextOf({}, {5}), {}, TimeNs{0}, {});
    QCOMPARE(rows->slice(0), std::optional(SliceRef{0, {1}}));
    QCOMPARE(rows->cell(1, 0), store->ranks[0].trace->id({1}).value);
    QVERIFY(!rows->slice(1));
    QCOMPARE(rows->time(1), std::optional(TimeRange{{50}, {60}}));
    QCOMPARE(rows->rowOf({0, {1}}), std::optional<std::size_t>(0));
    QVERIFY(!rows->rowOf({0, {0}}));
}

void TestKernelRows::ranksAreSelectedWithTheirTimes() {
    const auto store = capture();
    QCOMPARE(rankWindows(*store, {}, {}), (std::vector<RankWindow>{{0, std::nullopt}, {1, std::nullopt}}));
    QCOMPARE(rankWindows(*store, contextOf({1}, {6}), MarkedTime{TimeRange{{50}, {150}}}),
             (std::vector<RankWindow>{{1, std::vector{TimeRange{{100}, {150}}}}}));
    QVERIFY(rankWindows(*store, contextOf({}, {6}), MarkedTime{TimeRange{{10}, {20}}}).empty());
}

void TestKernelRows::markedTimeIsTheOneThatIsDrawn() {
    const auto store = capture();
    // Rank 1 is drawn 100 later than it was recorded.
    const MarkedTime marked{TimeRange{{100}, {165}},
                            std::make_shared<const std::vector<DurationNs>>(std::vector<DurationNs>{{0}, {100}})};
    QCOMPARE(marked.on({0}), (TimeRange{{100}, {165}}));
    QCOMPARE(marked.on({1}), (TimeRange{{0}, {65}}));
    QCOMPARE(marked.on({2}), (TimeRange{{100}, {165}}));
    QCOMPARE(rankWindows(*store, {}, marked), (std::vector<RankWindow>{{0, std::vector{TimeRange{{100}, {165}}}},
                                                                       {1, std::vector{TimeRange{{0}, {65}}}}}));
    QCOMPARE(namesOf(*KernelRows::make(store, {}, marked, TimeNs{0}, {})), std::string("0Add 1Relu "));
}

void TestKernelRows::withoutATimelineTimesCountFromTheFirstKernel() {
    const std::size_t begin = 1 + fixedColumn(RowKind::Kernel, "ts");
    QCOMPARE(KernelRows::make(capture(), contextOf({1}, {}), {}, std::nullopt, {})->columns()[begin].origin, 10);
    QCOMPARE(KernelRows::make(capture(), {}, {}, TimeNs{3}, {})->columns()[begin].origin, 3);
}

ALTI_TEST(TestKernelRows)
#include "tst_kernel_rows.moc"
