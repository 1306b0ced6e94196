#include "app/gui/window_pages.h"
#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "tests/views/report/report_stage.h"
#include "views/common/support/evidence_spots.h"
#include "views/findings/evidence_bar.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/memory_page.h"
#include "views/memory/panels/allocation_panel.h"
#include "views/overview/tree/capture_tree.h"
#include "views/sql/editor/editor_tabs.h"
#include "views/sql/results/result_panel.h"
#include "views/sql/sql_page.h"
#include "views/timeline/page/timeline_page.h"

#include <cstddef>
#include <string_view>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Goes to the evidence of the first finding of a rule.
void showRule(WindowPages& pages, std::string_view rule) {
    const EvidenceBar& bar = pages.evidenceBar();
    for (std::size_t finding = 0;; ++finding) {
        pages.showEvidence(finding);
        QVERIFY2(bar.finding() != nullptr && bar.index() == finding, "there is no such finding");
        if (bar.finding()->rule == rule) return;
    }
}

}  // namespace

/// What all pages show is of one capture, and findings lead to their proof on the page that shows it.
class TestCurrentCapture : public QObject {
    Q_OBJECT
private slots:
    void aSecondCaptureBeginsWithoutTheStepsOfTheFirst();
    void whatIsSelectedIsOfTheCurrentCapture();
    void aLeakOpensTheCurvesOfItsGrowth();
    void rowsOfAFindingAreThoseOfItsStatement();
    void whatHasNoPlaceIsShownInFull();
};

void TestCurrentCapture::aSecondCaptureBeginsWithoutTheStepsOfTheFirst() {
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s)});
    QVERIFY(program.waitUntilIdle());
    ContextFilter context;
    context.steps = {12345};
    program.selection.setContext(context);
    program.window->open({goldenCapture(u"interrupted"_s)});
    QVERIFY(program.waitUntilIdle());
    QVERIFY(program.selection.current().context.empty());
    auto* tree = program.window->findChild<CaptureTree*>();
    tree->setCurrentCapture(program.session.captures().front().id);
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.selection.current().context, context);
}

void TestCurrentCapture::whatIsSelectedIsOfTheCurrentCapture() {
    const GeneratedRun other({"--ranks", "1", "--steps", "2", "--layers", "1"});
    QVERIFY(other.isMade);
    Program program;
    program.window->open({goldenCapture(u"torch_two_ranks"_s), other.path()});
    QVERIFY(program.waitUntilIdle());
    const CaptureId first = program.session.captures()[0].id, second = program.session.captures()[1].id;
    program.window->showView(ViewId::Timeline);
    QVERIFY(program.waitUntilIdle());
    const auto& timeline = *program.window->findChild<TimelinePage*>();
    // Not recorded at the same time.
    QCOMPARE(program.selection.shownCapture(), second);
    QVERIFY(timeline.shows(second) && !timeline.shows(first));
    // A link, a search or a comparison leads to a slice of the other one.
    const SliceKey slice{.rank = {0}, .id = program.session.captures()[0].store->ranks[0].trace->id({2})};
    program.selection.selectSlice(first, slice);
    program.selection.reveal(first, slice);
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(program.selection.shownCapture(), first);
    QCOMPARE(program.window->findChild<CaptureTree*>()->currentCapture(), first);
    QVERIFY(timeline.shows(first) && !timeline.shows(second));
    // And back.
    program.selection.undo();
    QVERIFY(program.waitUntilIdle());
}

/// The finding of a leak led to a step of the timeline, in which nothing of it is seen.
void TestCurrentCapture::aLeakOpensTheCurvesOfItsGrowth() {
    const GeneratedRun leaking(
        {"--ranks", "2", "--steps", "6", "--layers", "2", "--seed", "9", "--plant", "leak=8388608"});
    QVERIFY(leaking.isMade);
    Program program;
    program.window->open({leaking.path()});
    QVERIFY(program.waitUntilIdle());
    auto& pages = *program.window->findChild<WindowPages*>();
    showRule(pages, "memory_leak");
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(pages.currentView(), ViewId::Memory);
    auto& memory = *program.window->findChild<MemoryPage*>();
    QVERIFY(memory.shown() != nullptr);
    // All steps over which it grows are in sight.
    const TimeRange window = memory.window().window().range();
    const auto& steps = memory.shown()->entry().steps;
    QVERIFY(steps.size() == 6);
    for (const Step& step : steps) QVERIFY(window.begin <= step.range->begin && step.range->end <= window.end);
    // Growth of a thousandth of the memory was below a pixel.
    const auto levels = pages.evidenceBar().finding()->evidence.levels;
    QVERIFY(levels && levels->first < levels->second);
    memory.grab();
    QVERIFY(memory.curves().yOf(levels->first) - memory.curves().yOf(levels->second) >
            memory.curves().plotRect().height() / 2);
    QVERIFY(memory.allocations().isVisible());
    memory.curves().showAll();
    memory.grab();
    QVERIFY(memory.curves().yOf(levels->first) - memory.curves().yOf(levels->second) <
            memory.curves().plotRect().height() / 10);
    const auto marked = program.selection.current().range;
    QVERIFY(marked && overlaps(*marked, *steps.front().range) && overlaps(*marked, *steps.back().range));
}

/// Evidence made of rows opened a page without filter, with the cursor on another rank.
void TestCurrentCapture::rowsOfAFindingAreThoseOfItsStatement() {
    const GeneratedRun run(
        {"--ranks", "2", "--steps", "4", "--layers", "2", "--seed", "9", "--plant", "small-packets"});
    QVERIFY(run.isMade);
    Program program;
    program.window->open({run.path()});
    QVERIFY(program.waitUntilIdle());
    auto& pages = *program.window->findChild<WindowPages*>();
    showRule(pages, "small_packets");
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(pages.currentView(), ViewId::Sql);
    const auto& rows = pages.evidenceBar().finding()->evidence.rows;
    QVERIFY(!rows.empty());
    QCOMPARE(pages.sql().tabs().tab().text.toStdString(), statementOf(rows.front()));
    const auto& shown = pages.sql().results().shown();
    QVERIFY(shown != nullptr && shown->rowCount() > 0);
}

/// Enter did nothing where there is no place to go to.
void TestCurrentCapture::whatHasNoPlaceIsShownInFull() {
    const GeneratedRun run({"--ranks", "1", "--steps", "2", "--layers", "1"});
    QVERIFY(run.isMade);
    Program program;
    program.window->open({run.path()});
    QVERIFY(program.waitUntilIdle());
    auto& pages = *program.window->findChild<WindowPages*>();
    showRule(pages, "missing_data");
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(pages.currentView(), ViewId::Findings);
}

ALTI_TEST(TestCurrentCapture)
#include "tst_current_capture.moc"
