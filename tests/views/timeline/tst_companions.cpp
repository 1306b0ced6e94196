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

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <map>
#include <string>
#include <vector>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

bool generateAt(const QString& path, std::vector<std::string> words) {
    words.insert(words.begin(), path.toStdString());
    ProgressSlot progress;
    const auto options = generate::parseGenerateOptions(words);
    return options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
}

/// What the page does, without its widgets.
struct CompanionFixture {
    CompanionFixture() : runner(2), session(runner), scene(runner), selected(scene, selection) {}
    ~CompanionFixture() { runner.shutdown(); }
    void show() {
        std::vector<SceneCapture> captures = capturesOnAxis(session, selection);
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
    void unrelatedCapturesAreNotOnOneAxis();
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
    CompanionFixture fixture;
    const auto before = test::openAndWait(fixture.session, path("before"));
    const auto now = test::openAndWait(fixture.session, path("now"));
    fixture.selection.showCapture(now);
    fixture.show();
    QCOMPARE(fixture.sources()[0].capture, now);
    const TimeNs origin = fixture.scene.origin();
    fixture.selection.setBase(BaseChoice{.capture = before, .ranks = {}, .steps = {}});
    fixture.show();
    // Below what is shown, once.
    QCOMPARE(fixture.sources().size(), 2U);
    QCOMPARE(fixture.sources()[0].capture, now);
    QCOMPARE(fixture.sources()[1].capture, before);
    QCOMPARE(fixture.begin(0, 0).value, fixture.begin(1, 0).value);
    // What is aligned is one step: the others begin where they were recorded from it.
    const auto& steps = fixture.sources()[1].store->ranks[0].steps;
    QCOMPARE((fixture.begin(1, 1) - fixture.begin(1, 0)).value, (steps[1].range->begin - steps[0].range->begin).value);
    QVERIFY(fixture.captureTitles()[1].contains(u"before"));
    // Times of what is shown count from where they did.
    const auto alone = fixture.scene.origin() - fixture.sources()[0].shift;
    QCOMPARE(alone.value, fixture.session.capture(now)->times.origin()->value);
    fixture.selection.setBase(std::nullopt);
    fixture.show();
    QCOMPARE(fixture.sources()[0].capture, now);
    QCOMPARE(fixture.scene.origin().value, origin.value);
}

namespace {

/// A trace of two slices, from this time (us) on.
QString recordedAt(const QTemporaryDir& folder, const QString& name, std::int64_t begin) {
    const QString path = folder.filePath(name + u".json"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    const std::string start = std::to_string(begin);
    file.write(QByteArray::fromStdString(R"([{"ph":"X","pid":1,"tid":1,"name":"A","ts":)" + start +
                                         R"(,"dur":1000},{"ph":"X","pid":1,"tid":1,"name":"B","ts":)" +
                                         std::to_string(begin + 2000) + R"(,"dur":1000}])"));
    return path;
}

}  // namespace

/// Two captures that had nothing to do with each other were drawn on one axis, as if they had run at once.
void TestCompanions::unrelatedCapturesAreNotOnOneAxis() {
    const QTemporaryDir folder;
    CompanionFixture fixture;
    const auto first = test::openAndWait(fixture.session, recordedAt(folder, u"first"_s, 1'000'000));
    const auto beside = test::openAndWait(fixture.session, recordedAt(folder, u"beside"_s, 1'001'000));
    const auto later = test::openAndWait(fixture.session, recordedAt(folder, u"later"_s, 900'000'000));
    const auto shown = [&fixture](CaptureId current) {
        fixture.selection.showCapture(current);
        fixture.show();
        std::vector<CaptureId> captures;
        for (const TimelineSource& source : fixture.sources()) captures.push_back(source.capture);
        return captures;
    };
    QCOMPARE(shown(later), std::vector{later});
    QVERIFY(fixture.scene.window().atHome());
    // What was recorded at the same time is of one job, and its parts lie where they were. Times are the current one's.
    QCOMPARE(shown(first), (std::vector{first, beside}));
    QCOMPARE(fixture.scene.origin().value, std::int64_t{1'000'000'000});
    QCOMPARE(fixture.sources()[1].shift.value, std::int64_t{0});
    QCOMPARE(shown(beside), (std::vector{beside, first}));
    QCOMPARE(fixture.scene.origin().value, std::int64_t{1'001'000'000});
    // The window is that of what is shown.
    QVERIFY(fixture.scene.window().home().begin.value < 1'000'100'000);
    QCOMPARE(shown(later), std::vector{later});
    QVERIFY(fixture.scene.window().range().begin.value > 800'000'000'000);
    // A base is beside it, whenever it was.
    fixture.selection.setBase(BaseChoice{.capture = first, .ranks = {}, .steps = {}});
    QCOMPARE(shown(later), (std::vector{later, first}));
}

void TestCompanions::stepOfOneCaptureIsDrawnOverAnother() {
    CompanionFixture fixture;
    const auto id = test::openAndWait(fixture.session, path("now"));
    const auto& steps = fixture.session.capture(id)->store->ranks[0].steps;
    ContextFilter context;
    context.steps = {steps[2].number};
    fixture.selection.setContext(context);
    fixture.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {steps[0].number}});
    fixture.show();
    QCOMPARE(fixture.sources().size(), 2U);
    QVERIFY(!isOpenCapture(fixture.sources()[1].capture));
    QCOMPARE(fixture.sources().ownerOf(1), 0U);
    QCOMPARE(fixture.begin(0, 2).value, fixture.begin(1, 0).value);
    // Its rows are there once more, of their own.
    std::size_t own = 0, base = 0;
    for (const TimelineRow& row : fixture.scene.model().rows()) ++(row.source == 0 ? own : base);
    QCOMPARE(own, base);
    // A rank of the same capture beside another.
    fixture.selection.setBase(BaseChoice{.capture = id, .ranks = {1}, .steps = {}});
    fixture.show();
    for (const TimelineRow& row : fixture.scene.model().rows())
        if (row.source == 1 && row.kind == TimelineRowKind::Rank) QCOMPARE(row.rank.value, 1U);
}

void TestCompanions::whatIsNoCaptureLeavesWindowAndMarksAlone() {
    CompanionFixture fixture;
    const auto id = test::openAndWait(fixture.session, path("now"));
    fixture.show();
    fixture.scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
    const TimeRange home = fixture.scene.window().range();
    const auto number = fixture.session.capture(id)->store->ranks[0].steps[1].number;
    ContextFilter context;
    context.steps = {number + 1};
    fixture.selection.setContext(context);
    fixture.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {number}});
    fixture.show();
    QVERIFY(fixture.scene.window().range().begin <= home.begin);
    QVERIFY(fixture.scene.steps({0, {0}}).size() == 3 && fixture.scene.steps({1, {0}}).empty());
    // A mark over the rows of the base is one of the capture at the same place of the axis.
    Marks marks(fixture.session, {});
    const TimeNs at{home.begin.value + 1000};
    QVERIFY(addMark(marks, fixture.selection.current(), fixture.selected, fixture.sources(), at, 1));
    QCOMPARE(marks.of(id).size(), 1U);
    QCOMPARE(marks.of(id)[0].range.begin.value, at.value - fixture.sources()[0].shift.value);
    // So is a range; tracks of it cannot be chosen, and that is said.
    fixture.selected.markRange({at, {at.value + 10}}, 1);
    QCOMPARE(fixture.selection.current().capture, id);
    QCOMPARE(fixture.selected.markedRange()->begin.value, at.value);
    QSignalSpy said(&fixture.selected, &TimelineSelection::statusMessage);
    fixture.selected.chooseTracks({.capture = fixture.sources()[1].capture, .parts = {}});
    QVERIFY(fixture.selected.tracks() == nullptr);
    QCOMPARE(said.size(), 1);
}

void TestCompanions::slicesOfABaseAreThoseOfItsCapture() {
    CompanionFixture fixture;
    const auto id = test::openAndWait(fixture.session, path("now"));
    const auto& steps = fixture.session.capture(id)->store->ranks[0].steps;
    ContextFilter context;
    context.steps = {steps[1].number};
    fixture.selection.setContext(context);
    fixture.selection.setBase(BaseChoice{.capture = id, .ranks = {}, .steps = {steps[0].number}});
    fixture.show();
    const auto& trace = fixture.sources()[1].store->ranks[0].trace;
    fixture.selected.select(fixture.sources()[1].capture, {0}, trace, {0});
    QCOMPARE(fixture.selection.current().capture, id);
    QVERIFY(fixture.selection.current().slice->id == trace->id({0}));
}

void TestCompanions::rowsOfAStatementLieAtTheirTimes() {
    CompanionFixture fixture;
    const auto before = test::openAndWait(fixture.session, path("before"));
    const auto now = test::openAndWait(fixture.session, path("now"));
    const auto track = fixture.selection.addTrack(trackOnSteps(*fixture.session.capture(now)->store, now));
    fixture.selection.addTrack(trackOnSteps(*fixture.session.capture(before)->store, before));
    fixture.selection.showCapture(now);
    fixture.selection.setBase(BaseChoice{.capture = before, .ranks = {}, .steps = {}});
    fixture.show();
    // Each below its own capture, on its clock, the base's with it.
    QCOMPARE(fixture.sources().size(), 4U);
    for (const std::uint32_t source : {1U, 3U}) {
        const TraceStore& rows = *fixture.sources()[source].store->ranks[0].trace;
        QCOMPARE(rows.begin({0}).value + fixture.sources().shiftOf(source, {0}).value,
                 fixture.begin(source - 1, 0).value);
    }
    QVERIFY(fixture.captureTitles().contains(u"Query: mine"));
    // It is no slice of a capture: what it is, is said.
    QSignalSpy said(&fixture.selected, &TimelineSelection::statusMessage);
    fixture.selected.select(fixture.sources()[1].capture, {0}, fixture.sources()[1].store->ranks[0].trace, {0});
    QVERIFY(!fixture.selection.current().slice);
    QVERIFY(said.at(0).at(0).toString().contains(u"found"));
    fixture.selection.removeTrack(track);
    fixture.show();
    QCOMPARE(fixture.sources().size(), 3U);
    fixture.session.close(before);
    fixture.selection.forget(before);
    fixture.show();
    QCOMPARE(fixture.sources().size(), 1U);
}

ALTI_TEST(TestCompanions)
#include "tst_companions.moc"
