#include "views/overview/page/overview_page.h"

#include "core/session/marks.h"
#include "core/store/rows/row_builder.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/plots/plot_view.h"
#include "views/common/tables/table_panel.h"
#include "views/overview/context_bar.h"
#include "views/overview/facts/overview_facts.h"
#include "views/overview/facts/report_model.h"
#include "views/overview/page/findings_list.h"
#include "views/overview/page/overview_tables.h"

#include <QLineEdit>
#include <QTemporaryDir>

#include <cmath>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Three ranks with two steps each, as step_trace_time.csv tells them; rank 2 has no device number and is slower.
std::shared_ptr<const CaptureStore> capture() {
    auto store = std::make_shared<CaptureStore>();
    for (std::int64_t rank = 0; rank < 3; ++rank) {
        RowTablesBuilder builder;
        constexpr RowKind kKind = RowKind::StepBreakdown;
        RowBatch batch = builder.batch(kKind);
        for (std::int64_t step = 5; step <= 6; ++step) {
            batch.addRow();
            const auto set = [&batch](std::string_view column, std::int64_t value) {
                batch.setInteger(rowColumn(kKind, column), value);
            };
            set("step", step);
            batch.setText(fixedColumn(kKind, "origin"), "recorded");
            set("computing", 100 + 10 * rank + step);
            set("overlapped", 20);
            set("not_overlapped", 30);
            set("not_overlapped_excl_receive", 25);
            set("free", 7);
            if (rank != 2) set("preparing", 3);
        }
        builder.commit(batch);
        RankEntry& entry = store->ranks.emplace_back();
        entry.info.rankId = rank;
        if (rank != 2) entry.info.deviceId = rank;
        entry.info.missing = {{"memory", "profile_memory"}};
        entry.rows = builder.seal({}).value();
    }
    store->ranks.front().info.missing.clear();
    return store;
}

OverviewNumbers numbers() { return *recordedOverview(capture(), {}, {}); }

}  // namespace

class TestOverviewPage : public QObject {
    Q_OBJECT
private slots:
    void partsAddUpToTheStep();
    void barsAreMeans();
    void stepsThatAreNotWholeAreNoPartOfAMean();
    void phasesOfSteps();
    void stepsWithoutPartsAreShownWhole();
    void aBarForEachDevice();
    void recordedAndComputedStandInOneRow();
    void contextLeavesOut();
    void variationAndHeat();
    void spreadOfSteps();
    void whatIsMissing();
    void mutedFindingsStayMuted();
    void contextBarAndUndo();
    void picturesAreSaved();
    void examplesOfFiltersFitTheirTables();
};

void TestOverviewPage::partsAddUpToTheStep() {
    const OverviewNumbers all = numbers();
    QCOMPARE(all.steps.size(), std::size_t{6});
    const StepTime& first = all.steps.front();
    QCOMPARE(first.part(StepPart::ComputingAlone), 105 - 20);
    QCOMPARE(first.part(StepPart::Exposed), 25);
    QCOMPARE(first.part(StepPart::Bubble), 5);
    QCOMPARE(first.part(StepPart::Preparing), 3);
    // computing + not_overlapped + free
    QCOMPARE(first.total(), 105 + 30 + 7);
    QVERIFY(!all.steps.back().part(StepPart::Preparing));
    const auto table = stepTable(all, selectedSteps(all, {}));
    QCOMPARE(table->rowCount(), std::size_t{6});
    QCOMPARE(table->cell(5, 0), 142);
    QCOMPARE(table->columns().size(), stepHeadings().size());
    QCOMPARE(consumerTable(all)->columns().size(), consumerHeadings().size());
    QCOMPARE(peakTable(all, {})->columns().size(), peakHeadings().size());
}

void TestOverviewPage::barsAreMeans() {
    const StackedBars bars = barsByRank(stepSheet(numbers(), {}));
    QCOMPARE(bars.labels, (QStringList{u"0"_s, u"1"_s, u"2"_s}));
    const auto computing = std::find_if(bars.series.begin(), bars.series.end(),
                                        [](const BarSeries& series) { return series.colour == &Theme::computing; });
    QVERIFY(computing != bars.series.end());
    // (105 + 106) / 2 - 20, and ten more by rank
    QCOMPARE(computing->values, (std::vector<double>{85.5, 95.5, 105.5}));
    QVERIFY(bars.tip(1, 2).contains(u"Rank 1"_s));
    QCOMPARE(barsByStep(stepSheet(numbers(), {})).labels, (QStringList{u"5"_s, u"6"_s}));
}

void TestOverviewPage::stepsThatAreNotWholeAreNoPartOfAMean() {
    OverviewNumbers all = numbers();
    for (const StepUse doubtful : {StepUse::NoKernels, StepUse::Differs}) {
        all.steps.front().use = doubtful;  // step 5 of rank 0
        const StackedBars bars = barsByRank(stepSheet(all, {}));
        QCOMPARE(bars.labels.size(), 3);
        // 106 - 20 alone
        QCOMPARE(bars.series.front().values, (std::vector<double>{86, 95.5, 105.5}));
        QVERIFY(bars.bottomTitle.endsWith(u"not whole: 1"_s));
    }
}

/// Means over ranks; beside them the reduces, which run meanwhile, unless there are too many steps.
void TestOverviewPage::phasesOfSteps() {
    OverviewNumbers all = numbers();
    QVERIFY(phasesByStep(all, {}).series.empty());
    all.phases = {{.rank = {0}, .device = {}, .step = 5, .durations = {10, 100, 20, 40}},
                  {.rank = {1}, .device = {}, .step = 5, .durations = {20, 200, 40, {}}},
                  {.rank = {0}, .device = {}, .step = 6, .durations = {1, 2, 3, 4}},
                  {.rank = {0}, .device = {}, .step = {}, .durations = {7, 7, 7, 7}}};
    StackedBars bars = phasesByStep(all, {});
    QCOMPARE(bars.labels, (QStringList{u"5"_s, {}, {}, u"6"_s, {}, {}}));
    QCOMPARE(bars.series.size(), kStepPhases);
    QCOMPARE(bars.series[0].values, (std::vector<double>{15, 0, 0, 1, 0, 0}));
    QCOMPARE(bars.series[1].values, (std::vector<double>{150, 0, 0, 2, 0, 0}));
    QCOMPARE(bars.series[3].values, (std::vector<double>{0, 20, 0, 0, 4, 0}));
    for (const std::size_t place : {3U, 4U})
        QVERIFY2(bars.tip(place, place + 1).startsWith(u"Step 6\nIteration interval: 1"_s),
                 qPrintable(bars.tip(place, place + 1)));
    ContextFilter context;
    context.steps = {6};
    QCOMPARE(phasesByStep(all, context).labels, (QStringList{u"6"_s, {}, {}}));
    for (std::int64_t step = 7; step <= 100; ++step)
        all.phases.push_back({.rank = {0}, .device = {}, .step = step, .durations = {1, 2, 3, 4}});
    bars = phasesByStep(all, {});
    QCOMPARE(bars.labels.size(), qsizetype{96});
    QCOMPARE(bars.series.size(), kStepPhases - 1);
    QVERIFY(bars.tip(0, 3).startsWith(u"Step 5 – 7\n"_s));
}

void TestOverviewPage::stepsWithoutPartsAreShownWhole() {
    auto store = std::make_shared<CaptureStore>();
    RankEntry& rank = store->ranks.emplace_back();
    rank.steps = {{3, TimeRange{{0}, {95}}}, {4, TimeRange{{100}, {185}}}, {5, std::nullopt}};
    OverviewNumbers all = *recordedOverview(store, {}, {});
    QVERIFY(all.steps.empty());
    QVERIFY(addComputed(all, CaptureAnalysis(store), {}));
    const StackedBars bars = barsByStep(stepSheet(all, {}));
    QCOMPARE(bars.labels, (QStringList{u"3"_s, u"4"_s}));
    QCOMPARE(bars.series.size(), std::size_t{1});
    QCOMPARE(bars.series.front().values, (std::vector<double>{95, 85}));
    QVERIFY(bars.series.front().name.contains(u"not recorded"_s));
    const auto table = stepTable(all, selectedSteps(all, {}));
    QCOMPARE(table->rowCount(), std::size_t{2});
    QCOMPARE(table->text(4, table->cell(4, 0)), std::string_view("recorded"));
    // Between marks of the timeline.
    rank.trace = test::rankTrace("Python/MainThread: ProfilerStep#3[0,95)\n");
    all = *recordedOverview(store, {}, {});
    QVERIFY(addComputed(all, CaptureAnalysis(store), {}));
    const auto ofHost = stepTable(all, selectedSteps(all, {}));
    QCOMPARE(ofHost->rowCount(), std::size_t{2});
    QCOMPARE(ofHost->text(4, ofHost->cell(4, 0)), std::string_view("host"));
}

/// Four devices that were recorded into one folder were one bar, the mean of the four.
void TestOverviewPage::aBarForEachDevice() {
    constexpr RowKind kKind = RowKind::StepBreakdown;
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(kKind);
    for (std::int64_t device = 0; device < 4; ++device) {
        batch.addRow();
        batch.setText(fixedColumn(kKind, "origin"), "recorded");
        batch.setInteger(fixedColumn(kKind, "step"), 5);
        batch.setInteger(fixedColumn(kKind, "computing"), 100 * (device + 1));
        batch.setInteger(fixedColumn(kKind, "device_id"), device);
    }
    builder.commit(batch);
    auto store = std::make_shared<CaptureStore>();
    store->ranks.emplace_back().rows = builder.seal({}).value();
    const OverviewNumbers all = *recordedOverview(store, {}, {});
    const StackedBars bars = barsByRank(stepSheet(all, {}));
    QCOMPARE(bars.labels, (QStringList{u"NPU 0"_s, u"NPU 1"_s, u"NPU 2"_s, u"NPU 3"_s}));
    QCOMPARE(bars.series.front().values, (std::vector<double>{100, 200, 300, 400}));
    const auto table = stepTable(all, selectedSteps(all, {}));
    QCOMPARE(table->rowCount(), std::size_t{4});
    for (std::size_t row = 0; row < 4; ++row) QCOMPARE(table->cell(1, row), static_cast<std::int64_t>(row));
}

/// A step had two rows, whose numbers nobody could compare.
void TestOverviewPage::recordedAndComputedStandInOneRow() {
    OverviewNumbers all;
    auto store = std::make_shared<CaptureStore>();
    store->ranks.resize(2);
    all.capture = store;
    const auto add = [&all](std::uint32_t rank, std::int64_t step, Origin origin, std::int64_t computing) {
        StepTime time{.rank = {rank}, .device = {}, .step = step, .origin = origin};
        for (const StepPart part : {StepPart::Computing, StepPart::ComputingAlone, StepPart::Step})
            time.parts[static_cast<std::size_t>(part)] = computing;
        all.steps.push_back(time);
    };
    add(0, 5, Origin::Recorded, 1000);
    add(0, 6, Origin::Recorded, 1000);
    add(0, 6, Origin::Recorded, 900);  // once more
    add(1, 5, Origin::Computed, 700);
    add(0, 5, Origin::Computed, 1010);
    add(0, 6, Origin::Computed, 1011);
    const auto rows = selectedSteps(all, {});
    const auto table = stepTable(all, rows);
    const auto line = [&](std::size_t row) {
        std::vector<std::int64_t> cells;
        for (const char* name : {"step", "total", "computed_total", "difference", "computing_only",
                                 "computed_computing_only", "computed_free"}) {
            const auto columns = table->columns();
            const auto column =
                std::find_if(columns.begin(), columns.end(), [name](const auto& one) { return one.name == name; });
            cells.push_back(table->cell(static_cast<std::size_t>(column - columns.begin()), row));
        }
        return cells;
    };
    using Line = std::vector<std::int64_t>;
    QCOMPARE(table->rowCount(), std::size_t{4});
    QCOMPARE(line(0), (Line{5, 1000, 1010, 10, 1000, 1010, kAbsentCell}));
    QCOMPARE(line(1), (Line{6, 1000, kAbsentCell, kAbsentCell, 1000, kAbsentCell, kAbsentCell}));
    QCOMPARE(line(2), (Line{6, 900, 1011, 111, 900, 1011, kAbsentCell}));
    QCOMPARE(line(3), (Line{5, 700, 700, kAbsentCell, 700, 700, kAbsentCell}));
    QVERIFY(!rows[0].isDifferent(all));  // 1 %
    QVERIFY(rows[2].isDifferent(all));
    QVERIFY(!rows[3].isDifferent(all));
}

void TestOverviewPage::contextLeavesOut() {
    const ContextFilter one{.ranks = {1}, .devices = {}, .steps = {6}, .range = {}};
    QCOMPARE(selectedSteps(numbers(), one).size(), std::size_t{1});
    // What has no number is in no list.
    const ContextFilter devices{.ranks = {}, .devices = {0, 1, 2}, .steps = {}, .range = {}};
    QCOMPARE(selectedSteps(numbers(), devices).size(), std::size_t{4});
    QCOMPARE(contextText(one, {}), u"rank 1, step 6"_s);
    QVERIFY(stepSheet(numbers(), {.ranks = {9}, .devices = {}, .steps = {}, .range = {}}).times.empty());
}

void TestOverviewPage::variationAndHeat() {
    // nothing is computed: what is recorded stands in
    const StepSheet sheet = stepSheet(numbers(), {});
    const EnvelopeLine line = variationOverSteps(sheet);
    QCOMPARE(line.min, (std::vector<double>{142, 143}));
    QCOMPARE(line.max, (std::vector<double>{162, 163}));
    const HeatMap heat = heatOfRanksAndSteps(sheet);
    QCOMPARE(heat.values, (std::vector<double>{142, 143, 152, 153, 162, 163}));
}

void TestOverviewPage::spreadOfSteps() {
    const StepSheet sheet = stepSheet(numbers(), {});
    const BoxPlot boxes = boxesByRank(sheet);
    QCOMPARE(boxes.labels, (QStringList{u"0"_s, u"1"_s, u"2"_s}));
    // Steps of 142 and 143 ns.
    QCOMPARE(boxes.boxes[0].median, 142.5);
    QCOMPARE(boxes.boxes[2].max, 163.0);
    QVERIFY2(boxes.tip(2, 0, 3).contains(u"Slowest: 163 ns"_s) && boxes.tip(2, 0, 3).contains(u"Of 3 ranks"_s),
             qPrintable(boxes.tip(2, 0, 3)));
    const Histogram times = histogramOfSteps(sheet);
    QCOMPARE(times.first, 142);
    QCOMPARE(times.count(0, 2), std::uint64_t{2});
    QCOMPARE(times.counts.size(), std::size_t{163 - 142 + 1});
    QCOMPARE(times.tip(0, 2), u"2 of 6 (33 %)\nfrom 142 ns to 143 ns"_s);
    QVERIFY(histogramOfKernels(u"Add"_s, {}).counts.empty());
}

void TestOverviewPage::whatIsMissing() {
    const auto items = missingItems(*capture());
    QCOMPARE(items.size(), std::size_t{1});
    QCOMPARE(items.front().title, u"1 kind(s) of data not recorded"_s);
    QVERIFY2(items.front().detail.contains(u"(rank 1, 2)"_s), qPrintable(items.front().detail));
    QVERIFY(items.front().detail.contains(u"profile_memory"_s));
    // One line, which unfolds by the keyboard, and folds again.
    FindingSettings settings({});
    FindingsList list(settings);
    list.resize(400, 300);
    list.setItems(items);
    list.show();
    const auto height = [&list] { return list.sizeHintForRow(0); };
    const int folded = height();
    list.setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Return);
    QVERIFY2(height() > folded, qPrintable(u"%1 > %2"_s.arg(height()).arg(folded)));
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(height(), folded);
}

void TestOverviewPage::mutedFindingsStayMuted() {
    QVariantMap kept;
    const ViewMemory memory{[&](const QString& name) { return kept.value(name); },
                            [&](const QString& name, const QVariant& value) { kept[name] = value; }};
    const std::vector<FindingItem> items{{.weight = FindingItem::Weight::High,
                                          .key = u"a"_s,
                                          .title = u"Slow"_s,
                                          .detail = u"Why."_s,
                                          .severityReason = {},
                                          .formula = {},
                                          .recoverable = DurationNs{1'250'000},
                                          .hasEvidence = true},
                                         {.weight = FindingItem::Weight::Low,
                                          .key = u"b"_s,
                                          .title = u"Small"_s,
                                          .detail = {},
                                          .severityReason = {},
                                          .formula = {},
                                          .recoverable = {}}};
    {
        FindingSettings settings(memory);
        FindingsList list(settings);
        list.setItems(items);
        QCOMPARE(list.asText(), u"Slow (High · 1.25 ms per step)\nWhy.\n\nSmall (Low)\n\n"_s);
        settings.setMuted(u"a"_s, true);
        QCOMPARE(list.model()->rowCount(), 1);
    }
    FindingSettings settings(memory);
    FindingsList list(settings);
    list.setItems(items);
    QCOMPARE(list.mutedCount(), std::size_t{1});
    QCOMPARE(list.model()->rowCount(), 1);
    list.setMutedShown(true);
    QCOMPARE(list.model()->rowCount(), 2);
    std::optional<std::size_t> requested;
    connect(&list, &FindingsList::evidenceRequested, this, [&](std::size_t item) { requested = item; });
    list.setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Return);
    QCOMPARE(requested, std::optional<std::size_t>(0));
}

void TestOverviewPage::contextBarAndUndo() {
    JobRunner jobs;
    Session session(jobs);
    Selection selection;
    ContextBar bar(session, selection);
    selection.setRange(TimeRange{{1}, {2}});
    selection.setContext({.ranks = {3}, .devices = {}, .steps = {}, .range = {}});
    selection.setContext({.ranks = {3}, .devices = {}, .steps = {5}, .range = {}});
    QVERIFY(!bar.isHidden());
    selection.undo();
    QCOMPARE(selection.current().context.steps, std::vector<std::int64_t>());
    QCOMPARE(selection.current().context.ranks, (std::vector<std::int64_t>{3}));
    selection.clear();
    QVERIFY(!selection.current().range);
    QCOMPARE(selection.current().context.ranks, (std::vector<std::int64_t>{3}));
}

void TestOverviewPage::picturesAreSaved() {
    const QTemporaryDir folder;
    JobRunner jobs;
    Session session(jobs);
    PlotView plot(session);
    plot.resize(400, 300);
    const StepSheet sheet = stepSheet(numbers(), {});
    const auto saves = [&](const QString& name) {
        return plot.savePicture(folder.filePath(name)).isEmpty() && QFileInfo(folder.filePath(name)).size() > 500;
    };
    plot.show(barsByRank(sheet));
    QVERIFY(saves(u"bars.png"_s) && saves(u"bars.svg"_s));
    plot.show(variationOverSteps(sheet));
    QVERIFY(saves(u"line.svg"_s));
    plot.show(heatOfRanksAndSteps(sheet));
    QVERIFY(saves(u"heat.svg"_s));
    plot.showNothing(u"nothing"_s);
    QCOMPARE(plot.savePicture(folder.filePath(u"nothing.png"_s)), QString());
}

void TestOverviewPage::examplesOfFiltersFitTheirTables() {
    JobRunner jobs;
    Session session(jobs);
    Selection selection;
    FindingsLoader loader(session);
    FindingSettings settings({});
    ReportModel report(session);
    Marks marks(session, {});
    const OverviewPage page(session, selection, loader, settings, report, marks, {});
    QVERIFY(test::openAndWait(session, test::goldenCapture(u"interrupted"_s)) != kNoCapture);
    QTRY_VERIFY(page.idle());
    const auto panels = page.findChildren<TablePanel*>();
    QCOMPARE(panels.size(), 6);
    for (TablePanel* panel : panels) {
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        QVERIFY(!example.isEmpty());
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().loader().source()->columns());
        QVERIFY2(parsed.root && !parsed.problem, qPrintable(example));
    }
}

ALTI_TEST(TestOverviewPage)
#include "tst_overview_page.moc"
