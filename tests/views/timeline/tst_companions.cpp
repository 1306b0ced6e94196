#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/session/marks.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/page/timeline_companions.h"
#include "views/timeline/page/timeline_marks.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <map>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

bool generateAt(const QString& path, std::vector<std::string> words) {
    words.insert(words.begin(), path.toStdString());
    ProgressSlot progress;
    const auto options = generate::parseGenerateOptions(words);
    return options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
}

/// What the page does, without its widgets.
struct CompanionDesk {
    CompanionDesk() : runner(2), session(runner), scene(runner), selected(scene, selection) {}
    ~CompanionDesk() { runner.shutdown(); }
    void show() {
        std::vector<SceneCapture> captures;
        for (const OpenCapture& open : session.captures())
            captures.push_back({open.id, open.store, open.times.origin(), nullptr, nullptr});
        addCompanions(captures, session, selection);
        test::showIn(scene, std::move(captures));
    }
    const TimelineSources& sources() const { return scene.model().sources(); }
    /// Where a step of the first rank begins on the axis.
    TimeNs begin(std::uint32_t source, std::size_t step) const {
        const RankEntry& rank = sources()[source].store->ranks[0];
        return {rank.steps[step].range->begin.value + sources().shiftOf(source, {0}).value};
    }
    QStringList captureTitles() const {
        QStringList titles;
        for (const TimelineRow& row : scene.model().rows())
            if (row.kind == TimelineRowKind::Capture) titles << rowTitle(sources(), row);
        return titles;
    }

    JobRunner runner;
    Session session;
    Selection selection;
    TimelineScene scene;
    TimelineSelection selected;
};

/// A track with one slice on each rank, where the first step of that rank begins.
ComputedTrack trackOnSteps(const CaptureStore& store, CaptureId capture) {
    auto computed = std::make_shared<CaptureStore>();
    computed->sealed = true;
    for (const RankEntry& rank : store.ranks) {
        RankEntry& own = computed->ranks.emplace_back();
        own.info = rank.info;
        const std::int64_t begin = rank.steps.front().range->begin.value;
        own.trace = test::traceFromText("pquery/trows: found[" + std::to_string(begin) + ',' +
                                        std::to_string(begin + 7) + ")\n");
    }
    return {.id = 0, .capture = capture, .title = "Query: mine", .store = std::move(computed)};
}

}  // namespace

/// What stands beside captures in the timeline: a base, rows of statements.
class TestCompanions : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(generateAt(path("now"), {"--ranks", "2", "--steps", "3", "--layers", "1", "--seed", "1"}));
        QVERIFY(generateAt(path("before"), {"--ranks", "2", "--steps", "3", "--layers", "2", "--seed", "7"}));
    }
    void baseLiesBelowWithItsSteps();
    void stepOfOneCaptureIsDrawnOverAnother();
    void whatIsNoCaptureLeavesWindowAndMarksAlone();
    void slicesOfABaseAreThoseOfItsCapture();
    void rowsOfAStatementLieAtTheirTimes();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString path(const char* name) const { return path(QString::fromLatin1(name)); }
    QTemporaryDir m_folder;
};

void TestCompanions::baseLiesBelowWithItsSteps() {
    CompanionDesk desk;
    const auto before = test::openAndWait(desk.session, path("before"));
    const auto now = test::openAndWait(desk.session, path("now"));
    desk.selection.showCapture(now);
    desk.show();
    QCOMPARE(desk.sources()[0].capture, before);
    const TimeNs origin = desk.scene.origin();
    desk.selection.setBase(BaseChoice{.capture = before, .ranks = {}, .steps = {}});
    desk.show();
    // Below what is shown, once.
    QCOMPARE(desk.sources().size(), 2U);
    QCOMPARE(desk.sources()[0].capture, now);
    QCOMPARE(desk.sources()[1].capture, before);
    QCOMPARE(desk.begin(0, 0).value, desk.begin(1, 0).value);
    // What is aligned is one step: the others begin where they were recorded from it.
    const auto& steps = desk.sources()[1].store->ranks[0].steps;
    QCOMPARE((desk.begin(1, 1) - desk.begin(1, 0)).value, (steps[1].range->begin - steps[0].range->begin).value);
    QVERIFY(desk.captureTitles()[1].contains(u"before"));
    // Times of what is shown count from where they did.
    const auto alone = desk.scene.origin() - desk.sources()[0].shift;
    QCOMPARE(alone.value, desk.session.capture(now)->times.origin()->value);
    desk.selection.setBase(std::nullopt);
    desk.show();
    QCOMPARE(desk.sources()[0].capture, before);
    QCOMPARE(desk.scene.origin().value, origin.value);
}

void TestCompanions::stepOfOneCaptureIsDrawnOverAnother() {
    CompanionDesk desk;
    const auto id = test::openAndWait(desk.session, path("now"));
    const auto& steps = desk.session.capture(id)->store->ranks[0].steps;
    ContextFilter context;
    context.steps = {steps[2].number};
    desk.selection.setContext(context);
    desk.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {steps[0].number}});
    desk.show();
    QCOMPARE(desk.sources().size(), 2U);
    QVERIFY(!isOpenCapture(desk.sources()[1].capture));
    QCOMPARE(desk.sources().ownerOf(1), 0U);
    QCOMPARE(desk.begin(0, 2).value, desk.begin(1, 0).value);
    // Its rows are there once more, of their own.
    std::size_t own = 0, base = 0;
    for (const TimelineRow& row : desk.scene.model().rows()) ++(row.source == 0 ? own : base);
    QCOMPARE(own, base);
    // A rank of the same capture beside another.
    desk.selection.setBase(BaseChoice{.capture = id, .ranks = {1}, .steps = {}});
    desk.show();
    for (const TimelineRow& row : desk.scene.model().rows())
        if (row.source == 1 && row.kind == TimelineRowKind::Rank) QCOMPARE(row.rank.value, 1U);
}

void TestCompanions::whatIsNoCaptureLeavesWindowAndMarksAlone() {
    CompanionDesk desk;
    const auto id = test::openAndWait(desk.session, path("now"));
    desk.show();
    desk.scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
    const TimeRange home = desk.scene.window().range();
    const auto number = desk.session.capture(id)->store->ranks[0].steps[1].number;
    ContextFilter context;
    context.steps = {number + 1};
    desk.selection.setContext(context);
    desk.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {number}});
    desk.show();
    QVERIFY(desk.scene.window().range().begin <= home.begin);
    QVERIFY(desk.scene.steps(id).size() == 3);
    // A mark over the rows of the base is one of the capture at the same place of the axis.
    Marks marks(desk.session, {});
    const TimeNs at{home.begin.value + 1000};
    QVERIFY(addMark(marks, desk.selection.current(), desk.selected, desk.sources(), at, 1));
    QCOMPARE(marks.of(id).size(), 1U);
    QCOMPARE(marks.of(id)[0].range.begin.value, at.value - desk.sources()[0].shift.value);
    // So is a range; tracks of it cannot be chosen, and that is said.
    desk.selected.markRange({at, {at.value + 10}}, 1);
    QCOMPARE(desk.selection.current().capture, id);
    QCOMPARE(desk.selected.markedRange()->begin.value, at.value);
    QSignalSpy said(&desk.selected, &TimelineSelection::statusMessage);
    desk.selected.chooseTracks({.capture = desk.sources()[1].capture, .parts = {}});
    QVERIFY(desk.selected.tracks() == nullptr);
    QCOMPARE(said.size(), 1);
}

void TestCompanions::slicesOfABaseAreThoseOfItsCapture() {
    CompanionDesk desk;
    const auto id = test::openAndWait(desk.session, path("now"));
    const auto& steps = desk.session.capture(id)->store->ranks[0].steps;
    ContextFilter context;
    context.steps = {steps[1].number};
    desk.selection.setContext(context);
    desk.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {steps[0].number}});
    desk.show();
    const auto& trace = desk.sources()[1].store->ranks[0].trace;
    desk.selected.select(desk.sources()[1].capture, {0}, trace, {0});
    QCOMPARE(desk.selection.current().capture, id);
    QVERIFY(desk.selection.current().slice->id == trace->id({0}));
}

void TestCompanions::rowsOfAStatementLieAtTheirTimes() {
    CompanionDesk desk;
    const auto before = test::openAndWait(desk.session, path("before"));
    const auto now = test::openAndWait(desk.session, path("now"));
    const auto track = desk.selection.addTrack(trackOnSteps(*desk.session.capture(now)->store, now));
    desk.selection.addTrack(trackOnSteps(*desk.session.capture(before)->store, before));
    desk.selection.showCapture(now);
    desk.selection.setBase(BaseChoice{.capture = before, .ranks = {}, .steps = {}});
    desk.show();
    // Each below its own capture, on its clock, the base's with it.
    QCOMPARE(desk.sources().size(), 4U);
    for (const std::uint32_t source : {1U, 3U}) {
        const TraceStore& rows = *desk.sources()[source].store->ranks[0].trace;
        QCOMPARE(rows.begin({0}).value + desk.sources().shiftOf(source, {0}).value, desk.begin(source - 1, 0).value);
    }
    QVERIFY(desk.captureTitles().contains(u"Query: mine"));
    // It is no slice of a capture: what it is, is said.
    QSignalSpy said(&desk.selected, &TimelineSelection::statusMessage);
    desk.selected.select(desk.sources()[1].capture, {0}, desk.sources()[1].store->ranks[0].trace, {0});
    QVERIFY(!desk.selection.current().slice);
    QVERIFY(said.at(0).at(0).toString().contains(u"found"));
    desk.selection.removeTrack(track);
    desk.show();
    QCOMPARE(desk.sources().size(), 3U);
    desk.session.close(before);
    desk.selection.forget(before);
    desk.show();
    QCOMPARE(desk.sources().size(), 1U);
}

ALTI_TEST(TestCompanions)
#include "tst_companions.moc"
