#include "core/analysis/steps/step_breakdown.h"
#include "tests/views/operators/operators_stage.h"
#include "views/common/support/formatters.h"
#include "views/operators/overall_panel.h"

#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidget>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;

/// The overall metrics of the operators page with a generated capture.
class TestOperatorsOverall : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void aStepIsThatOfTheBreakdown();
    void linesListWhatTheyConsistOf();
    void sharesAndFormulasAreShown();

private:
    static void showOverall(OperatorsFixture& fixture) {
        fixture.page.tabs().setCurrentWidget(&fixture.page.overall());
        fixture.settle();
    }
    static const OverallLine& lineOf(OperatorsFixture& fixture, OverallKind kind) {
        const auto& lines = fixture.page.overall().metrics()->lines;
        return *std::find_if(lines.begin(), lines.end(), [&](const OverallLine& line) { return line.kind == kind; });
    }

    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsOverall::aStepIsThatOfTheBreakdown() {
    OperatorsFixture fixture(m_capture.path());
    showOverall(fixture);
    const auto store = fixture.page.shown()->scope.store;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        const auto activity = readDeviceActivity(store->ranks[rank], {});
        QVERIFY(activity.has_value());
        for (const StepBreakdown& row : computeBreakdown(*activity)) {
            QVERIFY(row.step.has_value());
            fixture.selection.setContext(
                {.ranks = {*store->ranks[rank].info.rankId}, .devices = {}, .steps = {*row.step}, .range = {}});
            fixture.settle();
            QCOMPARE(fixture.page.overall().metrics()->counted, 1U);
            QCOMPARE(lineOf(fixture, OverallKind::Computing).time, *row.computing);
            QCOMPARE(lineOf(fixture, OverallKind::Communication).time, *row.exposed);
            QCOMPARE(lineOf(fixture, OverallKind::Free).time, *row.free);
        }
    }
}

void TestOperatorsOverall::linesListWhatTheyConsistOf() {
    OperatorsFixture fixture(m_capture.path());
    showOverall(fixture);
    OverallPanel& panel = fixture.page.overall();
    const auto& lines = panel.metrics()->lines;
    QVERIFY(lines.size() > 6);
    std::size_t kernels = 0;
    QVERIFY2(panel.instances().isHidden(), "no empty table beside the metrics");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        panel.chooseLine(i);
        fixture.settle();
        QVERIFY(!panel.instances().isHidden());
        const auto& rows = panel.instances().table().loader().source();
        QVERIFY(rows != nullptr);
        QCOMPARE(rows->rowCount(), static_cast<std::size_t>(lines[i].count));
        std::int64_t sum = 0;
        for (std::size_t row = 0; row < rows->rowCount(); ++row) sum += rows->cell(4, row);
        QCOMPARE(sum, lines[i].time);
        if (lines[i].kind == OverallKind::Work) kernels += rows->rowCount();
    }
    QCOMPARE(kernels, static_cast<std::size_t>(lineOf(fixture, OverallKind::Computing).count));
    // A kernel leads to its slice, a gap to its time.
    QSignalSpy slices(&fixture.page, &OperatorsPage::sliceRequested),
        places(&fixture.page, &OperatorsPage::placeRequested);
    panel.chooseLine(1);
    fixture.settle();
    emit panel.instances().table().activated(0);
    QCOMPARE(slices.count(), 1);
    panel.chooseLine(lines.size() - 1);
    fixture.settle();
    emit panel.instances().table().activated(0);
    QCOMPARE(places.count(), 1);
}

void TestOperatorsOverall::sharesAndFormulasAreShown() {
    OperatorsFixture fixture(m_capture.path());
    showOverall(fixture);
    OverallPanel& panel = fixture.page.overall();
    QTreeWidget& tree = panel.lines();
    QCOMPARE(tree.topLevelItemCount(), 1);
    const QTreeWidgetItem& all = *tree.topLevelItem(0);
    QCOMPARE(all.childCount(), 3);
    QCOMPARE(all.text(1), formatDuration({panel.metrics()->lines[0].time}));
    for (int i = 0; i < 3; ++i) {
        const OverallLine& line = panel.metrics()->lines[all.child(i)->data(0, Qt::UserRole).toUInt()];
        QCOMPARE(all.child(i)->text(0), overallTitle(line));
        QCOMPARE(all.child(i)->text(2),
                 formatPercent(static_cast<double>(line.time) / static_cast<double>(panel.metrics()->lines[0].time)));
        QVERIFY(all.child(i)->toolTip(1).contains(formatExactNs({line.time})));
        QVERIFY(all.child(i)->toolTip(0) == overallFormula(line));
    }
    fixture.session.close(fixture.id);
    fixture.settle();
    QVERIFY(!panel.metrics());
}

ALTI_TEST(TestOperatorsOverall)
#include "tst_operators_overall.moc"
