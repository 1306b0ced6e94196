#include "tests/core/analysis/rank_text.h"
#include "tests/support/model_arguments.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/track_menu.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/rows/track_choice.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QMenu>

#include <algorithm>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

// Streams of graph 7 are no neighbours.
constexpr std::string_view kStreams = "Ascend Hardware/Stream 2: Add[0,10)\n"
                                      "Ascend Hardware/Stream 5: m7[20,30) m7[30,40)\n"
                                      "Ascend Hardware/Stream 6: Mul[40,50)\n"
                                      "Ascend Hardware/Stream 8: m7[60,70)\n"
                                      "Ascend Hardware/Stream 9: m8[80,90)";

std::shared_ptr<CaptureStore> captureOf(std::string_view text) {
    auto capture = std::make_shared<CaptureStore>();
    capture->path = "/captures/run1";
    capture->state = CaptureStore::State::Ok;
    capture->sealed = true;
    RankEntry entry;
    entry.info.rankId = 0;
    entry.trace = test::rankTrace(text);
    entry.arguments = std::make_shared<const test::ModelArguments>(entry.trace);
    capture->ranks.push_back(std::move(entry));
    return capture;
}

struct Shown {
    Shown() : scene(runner) {
        scene.setMetrics({.lane = 10, .group = 11, .counter = 20, .strip = 2, .gap = 2});
        test::showIn(scene, {{1, capture}});
    }
    ~Shown() { runner.shutdown(); }
    const TimelineModel& model() const { return scene.model(); }
    /// Titles of the rows below the process, with their levels.
    QString text() const {
        QStringList lines;
        for (const TimelineRow& row : model().rows()) {
            if (row.kind > TimelineRowKind::Process || row.pinned)
                lines << QString::number(row.level) + u' ' + rowTitle(model().sources(), row);
        }
        return lines.join(u", "_s);
    }
    std::size_t row(const QString& title) const {
        const auto& rows = model().rows();
        return static_cast<std::size_t>(
            std::find_if(rows.begin(), rows.end(),
                         [&](const TimelineRow& row) { return rowTitle(model().sources(), row) == title; }) -
            rows.begin());
    }
    std::uint32_t track(const std::string& name) const {
        const TraceStore& trace = *capture->ranks[0].trace;
        std::uint32_t t = 0;
        while (trace.track({t}).name != name) ++t;
        return t;
    }

    JobRunner runner{2};
    std::shared_ptr<CaptureStore> capture = captureOf(kStreams);
    TimelineScene scene;
};

}  // namespace

class TestModelRows : public QObject {
    Q_OBJECT
private slots:
    void streamsOfAModelAreOneRow();
    void selectingOpensIt();
    void itStandsForItsStreams();
    void hidingAndPinningConcernItsStreams();
    void itsStreamsAreMergedByItsMenu();
    void withoutModelsAllIsAsBefore();
};

void TestModelRows::streamsOfAModelAreOneRow() {
    Shown shown;
    QCOMPARE(shown.text(), u"2 Stream 2, 2 Model 7, 2 Stream 6, 2 Model 8"_s);
    QCOMPARE(rowNote(shown.model().sources(), shown.model().rows()[shown.row(u"Model 7"_s)]), u"2 stream(s)"_s);
    shown.scene.setExpanded(shown.row(u"Model 7"_s), true);
    QCOMPARE(shown.text(), u"2 Stream 2, 2 Model 7, 3 Stream 5, 3 Stream 8, 2 Stream 6, 2 Model 8"_s);
    shown.scene.setAllExpanded(false);
    shown.scene.setAllExpanded(true);
    QCOMPARE(shown.text(), u"2 Stream 2, 2 Model 7, 3 Stream 5, 3 Stream 8, 2 Stream 6, 2 Model 8, 3 Stream 9"_s);
    // A search by text leaves out what does not match, and groups without anything in them.
    TrackFilter filter;
    filter.text = u"Stream 8"_s;
    shown.scene.setFilter(filter);
    QCOMPARE(shown.text(), u"2 Model 7, 3 Stream 8"_s);
}

void TestModelRows::selectingOpensIt() {
    Shown shown;
    const TrackIndex track{shown.track("Stream 8")};
    const auto place = shown.model().placeOf(0, {0}, track);
    QVERIFY(place && place->hidden);
    QCOMPARE(rowTitle(shown.model().sources(), shown.model().rows()[place->row]), u"Model 7"_s);
    shown.scene.expandTo(0, {0}, track);
    const auto open = shown.model().placeOf(0, {0}, track);
    QVERIFY(open && !open->hidden);
    QCOMPARE(rowTitle(shown.model().sources(), shown.model().rows()[open->row]), u"Stream 8"_s);
}

void TestModelRows::itStandsForItsStreams() {
    Shown shown;
    const TimelineRow row = shown.model().rows()[shown.row(u"Model 7"_s)];
    const TrackChoice tracks = tracksOf(shown.model(), row);
    QCOMPARE(tracks.parts.size(), std::size_t{2});
    QCOMPARE(rowTitleOf(shown.model().sources(), shown.model().sources().keyOf(row)), u"Ascend Hardware / Model 7"_s);
    // Its preview shows the tasks of its streams, and none of the stream between them.
    RowRequest request{.key = shown.model().sources().keyOf(row),
                       .kind = PictureKind::Preview,
                       .colours = shown.scene.coloursOf(row),
                       .shift = {},
                       .firstTrack = row.firstTrack,
                       .trackCount = row.trackCount,
                       .streams = row.streams};
    const PictureResult result = queryPicture({{{0}, {100}}, 100, {request}}, {});
    const auto& picture = result.rows.front().second;
    QCOMPARE(picture->tracks, (std::vector<TrackIndex>{{shown.track("Stream 5")}, {shown.track("Stream 8")}}));
    QVERIFY(picture->results(request, {{0}, {100}}, 100));
    request.streams = std::make_shared<const std::vector<TrackIndex>>(*row.streams);
    QVERIFY(picture->results(request, {{0}, {100}}, 100));
    request.streams =
        std::make_shared<const std::vector<TrackIndex>>(std::vector<TrackIndex>{{shown.track("Stream 5")}});
    QVERIFY(!picture->results(request, {{0}, {100}}, 100));
}

void TestModelRows::hidingAndPinningConcernItsStreams() {
    Shown shown;
    const TimelineRow row = shown.model().rows()[shown.row(u"Model 7"_s)];
    QCOMPARE(shown.model().sources().keysOf(row).size(), std::size_t{2});
    TrackFilter filter;
    for (const RowKey& key : shown.model().sources().keysOf(row)) filter.hidden.insert(key);
    shown.scene.setFilter(filter);
    QCOMPARE(shown.text(), u"2 Stream 2, 2 Stream 6, 2 Model 8"_s);
    QCOMPARE(shown.model().hiddenTracks(), std::size_t{2});
    shown.scene.setFilter({});
    togglePin(shown.scene, row);
    QCOMPARE(shown.text(), u"0 Stream 5, 0 Stream 8, 2 Stream 2, 2 Stream 6, 2 Model 8"_s);
    QVERIFY(shown.model().siblingsOf(shown.model().rows()[shown.row(u"Model 8"_s)]).empty());
}

void TestModelRows::itsStreamsAreMergedByItsMenu() {
    Shown shown;
    QMenu menu;
    fillArrangementMenu(menu, shown.scene, shown.model().rows()[shown.row(u"Model 7"_s)], {});
    const auto actions = menu.actions();
    const auto merge = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text().startsWith(u"&Merge 2 thread(s)"_s);
    });
    QVERIFY(merge != actions.end());
    (*merge)->trigger();
    QVERIFY(QTest::qWaitFor([&] { return shown.scene.idle(); }));
    shown.scene.setExpanded(shown.row(u"Model 7"_s), true);
    QCOMPARE(shown.text(), u"2 Stream 2, 2 Model 7, 3 Stream 5 + 1 more, 2 Stream 6, 2 Model 8"_s);
    QCOMPARE(tracksOf(shown.model(), shown.model().rows()[shown.row(u"Model 7"_s)]).parts.size(), std::size_t{2});
    // With a stream of another one they are of none.
    TrackArrangement mixed;
    mixed = withMerged(
        std::move(mixed),
        std::vector<RowKey>{
            {1, 0, TimelineRowKind::Thread, shown.capture->ranks[0].trace->track({shown.track("Stream 2")}).id.value},
            {1, 0, TimelineRowKind::Thread, shown.capture->ranks[0].trace->track({shown.track("Stream 5")}).id.value}});
    shown.scene.arrange(mixed);
    QVERIFY(QTest::qWaitFor([&] { return shown.scene.idle(); }));
    QCOMPARE(shown.text(), u"2 Stream 2 + 1 more, 2 Stream 6, 2 Model 7, 3 Stream 8, 2 Model 8"_s);
}

void TestModelRows::withoutModelsAllIsAsBefore() {
    JobRunner runner(2);
    TimelineScene scene(runner);
    test::showIn(scene, {{1, captureOf("Ascend Hardware/Stream 2: Add[0,10)\nAscend Hardware/Stream 5: Mul[20,30)")}});
    const auto& rows = scene.model().rows();
    QVERIFY(std::none_of(rows.begin(), rows.end(),
                         [](const TimelineRow& row) { return row.kind == TimelineRowKind::Model; }));
    QCOMPARE(rows.size(), std::size_t{4});
    runner.shutdown();
}

ALTI_TEST(TestModelRows)
#include "tst_model_rows.moc"
