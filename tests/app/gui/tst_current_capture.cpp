#include "app/gui/window_pages.h"
#include "tests/app/gui/window_program.h"
#include "tests/views/overview/golden_captures.h"
#include "tests/views/report/report_stage.h"
#include "views/findings/evidence_bar.h"
#include "views/memory/memory_page.h"
#include "views/overview/tree/capture_tree.h"
#include "views/timeline/page/timeline_page.h"

#include <cstddef>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// What all pages show is of one capture, and findings lead to their proof on the page that shows it.
class TestCurrentCapture : public QObject {
    Q_OBJECT
private slots:
    void aSecondCaptureBeginsWithoutTheStepsOfTheFirst();
    void whatIsSelectedIsOfTheCurrentCapture();
    void aLeakOpensTheCurvesOfItsGrowth();
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
        {"--ranks", "2", "--steps", "6", "--layers", "2", "--seed", "9", "--plant", "leak=67108864"});
    QVERIFY(leaking.isMade);
    Program program;
    program.window->open({leaking.path()});
    QVERIFY(program.waitUntilIdle());
    auto& pages = *program.window->findChild<WindowPages*>();
    EvidenceBar& bar = pages.evidenceBar();
    for (std::size_t finding = 0;; ++finding) {
        pages.showEvidence(finding);
        QVERIFY2(bar.finding() != nullptr && bar.index() == finding, "no leak is found");
        if (bar.finding()->rule == "memory_leak") break;
    }
    QVERIFY(program.waitUntilIdle());
    QCOMPARE(pages.currentView(), ViewId::Memory);
    auto& memory = *program.window->findChild<MemoryPage*>();
    QVERIFY(memory.shown() != nullptr);
    // All steps over which it grows are in sight.
    const TimeRange window = memory.window().window().range();
    const auto& steps = memory.shown()->entry().steps;
    QVERIFY(steps.size() == 6);
    for (const Step& step : steps) QVERIFY(window.begin <= step.range->begin && step.range->end <= window.end);
    const auto marked = program.selection.current().range;
    QVERIFY(marked && overlaps(*marked, *steps.front().range) && overlaps(*marked, *steps.back().range));
}

ALTI_TEST(TestCurrentCapture)
#include "tst_current_capture.moc"
