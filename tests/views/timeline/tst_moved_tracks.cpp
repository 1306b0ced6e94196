#include "core/analysis/slices/selection_statistics.h"
#include "core/session/marks.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/page/shift_dialog.h"
#include "views/timeline/page/timeline_page.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/scene/timeline_clocks.h"
#include "views/timeline/times/shift_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <set>

using namespace altiscope;
using namespace Qt::StringLiterals;

/// Tracks of a process that are drawn elsewhere than their rank: only the picture moves.
class TestMovedTracks : public QObject {
    Q_OBJECT
private slots:
    void onlyTracksOfTheProcessMove();
    void whatIsMarkedCountsAsItIsDrawn();
    void aCollapsedRankShowsItsTracksWhereTheyAreDrawn();
    void theDialogMovesAlignsAndResets();
    void aShiftIsKeptInAWorkspace();
};

namespace {

constexpr std::int64_t kLater = 5'000;

struct MovedRank {
    MovedRank() : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        canvas.resize(1000, 400);
        canvas.show();
        capture = test::captureFromTexts({"p1/t1: A[1000,2000)\np2/t1: B[1000,2000)"});
        const TraceStore& trace = *capture->ranks[0].trace;
        auto moved = std::make_shared<MovedTracks>();
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (trace.track({t}).pid == "2") (*moved)[{t}] = kLater;
        }
        RankShifts shifts;
        shifts.tracks = {std::move(moved)};
        test::showIn(scene, {{.capture = {1},
                              .store = capture,
                              .origin = {},
                              .rankShifts = std::make_shared<const RankShifts>(std::move(shifts))}});
    }
    ~MovedRank() { runner.shutdown(); }
    const TraceStore& trace() const { return *capture->ranks[0].trace; }
    TimeRange drawn(std::string_view name) {
        for (std::uint32_t i = 0; i < trace().sliceCount(); ++i) {
            if (trace().name({i}) == name) selected.select({1}, {0}, capture->ranks[0].trace, {i});
        }
        return selected.sliceRange().value_or(TimeRange{});
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

/// The page with a capture of one rank: a process on the host, and one on the device.
struct PageWithTwoProcesses {
    PageWithTwoProcesses() : runner(2), session(runner), marks(session, {}), page(session, selection, marks) {
        QDir(folder.path()).mkdir(u"capture"_s);
        QFile file(folder.filePath(u"capture/trace.json"_s));
        if (!file.open(QIODevice::WriteOnly)) return;
        file.write(R"([{"ph":"X","name":"A","pid":1,"tid":1,"ts":"1000.000","dur":10},
                       {"ph":"X","name":"B","pid":2,"tid":1,"ts":"1000.000","dur":10}])");
        file.close();
        page.resize(1000, 500);
        page.show();
        session.open(folder.filePath(u"capture"_s));
        settle();
        header = page.findChild<TrackHeader*>();
    }
    ~PageWithTwoProcesses() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return runner.idle() && page.idle(); }, 20'000));
    }
    CaptureId capture() const { return session.captures().front().id; }
    const TraceStore& trace() const { return *session.captures().front().store->ranks[0].trace; }
    TrackId trackOf(const char* pid) const {
        for (std::uint32_t t = 0; t < trace().tracks().size(); ++t) {
            if (trace().track({t}).pid == pid) return trace().track({t}).id;
        }
        return {};
    }
    ShiftDialog* openDialog(const RowKey& row) {
        emit header->shiftRequested(row);
        ShiftDialog* shown = nullptr;
        for (auto* dialog : page.findChildren<ShiftDialog*>()) {
            if (dialog->isVisible()) shown = dialog;
        }
        return shown;
    }
    void apply(const RowKey& row, const QString& by) {
        ShiftDialog* dialog = openDialog(row);
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit*>()->setText(by);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        settle();
    }
    std::int64_t shiftOf(const char* pid) const {
        const auto shown = page.shownAt(capture(), {0}, trackOf(pid));
        return shown ? shown->by.value : 0;
    }
    RowKey process(const char* pid) const { return {capture(), {0}, TimelineRowKind::Process, trackOf(pid).value}; }

    QTemporaryDir folder;
    JobRunner runner;
    Session session;
    Selection selection;
    Marks marks;
    TimelinePage page;
    TrackHeader* header = nullptr;
};

}  // namespace

void TestMovedTracks::onlyTracksOfTheProcessMove() {
    MovedRank rank;
    QCOMPARE(rank.drawn("A"), (TimeRange{{1'000}, {2'000}}));
    QCOMPARE(rank.drawn("B"), (TimeRange{{6'000}, {7'000}}));
    // What is recorded stays.
    QCOMPARE(rank.trace().begin(rank.selected.slice()->place.slice).value, std::int64_t{1'000});
    QVERIFY(rank.scene.window().home().end.value >= 7'000);
    const auto& shifts = rank.scene.model().sources()[0].rankShifts;
    QCOMPARE(shiftText(shifts.get(), {0}), QString());
    const TrackIndex track = rank.selected.slice()->place.track;
    QCOMPARE(trackShiftText(shifts.get(), {0}, track), u"Drawn 5,000 ns later than its rank, by hand"_s);
}

void TestMovedTracks::whatIsMarkedCountsAsItIsDrawn() {
    MovedRank rank;
    const auto count = [&](TimeRange range) {
        std::uint64_t slices = 0;
        for (const SliceSpan& span : spansOf(selectionOf(rank.scene.model(), 0, nullptr, range, false)))
            slices += span.count();
        return slices;
    };
    QCOMPARE(count({{0}, {3'000}}), std::uint64_t{1});
    QCOMPARE(count({{5'000}, {8'000}}), std::uint64_t{1});
    QCOMPARE(count({{0}, {8'000}}), std::uint64_t{2});
    QCOMPARE(count({{3'000}, {5'000}}), std::uint64_t{0});
    // One rank, with the time in which either ran.
    const SliceSelection both = selectionOf(rank.scene.model(), 0, nullptr, TimeRange{{0}, {8'000}}, false);
    const auto sums = selectionStatistics(both, {}, {}).value();
    QCOMPARE(sums.ranks.size(), std::size_t{1});
    QCOMPARE(sums.ranks[0].sums.together, std::int64_t{2'000});
}

void TestMovedTracks::aCollapsedRankShowsItsTracksWhereTheyAreDrawn() {
    MovedRank rank;
    const TrackNode node{.kind = TimelineRowKind::Rank,
                         .source = 0,
                         .rank = {0},
                         .firstTrack = 0,
                         .trackCount = static_cast<std::uint32_t>(rank.trace().tracks().size())};
    const auto moved = rank.scene.model().sources().movedIn(node);
    QVERIFY(moved != nullptr);
    PictureRequest request{.window = {{0}, {10'000}}, .widthPx = 100, .rows = {}};
    request.rows.push_back({.key = {{1}, {0}, TimelineRowKind::Rank, 0},
                            .kind = PictureKind::Preview,
                            .colours = rank.scene.coloursOf(node),
                            .shift = rank.scene.model().sources().shiftOf(node),
                            .trackCount = node.trackCount,
                            .laneCount = 2,
                            .moved = moved});
    const auto result = queryPicture(request, {});
    const RowPicture& picture = *result.rows[0].second;
    std::set<int> lefts;
    for (const auto& slices : picture.slices) {
        for (std::uint32_t lane = 0; lane < slices.laneCount(); ++lane) {
            for (const LaneRect& rect : slices.lane(lane)) lefts.insert(static_cast<int>(rect.left));
        }
    }
    QVERIFY(lefts.contains(10) && lefts.contains(60));
    // Another shift is another picture.
    QVERIFY(picture.results(request.rows[0], request.window, 100));
    request.rows[0].moved = nullptr;
    QVERIFY(!picture.results(request.rows[0], request.window, 100));
}

void TestMovedTracks::theDialogMovesAlignsAndResets() {
    PageWithTwoProcesses shown;
    QVERIFY(shown.header != nullptr);
    shown.apply(shown.process("2"), u"-1.5 us"_s);
    QCOMPARE(shown.shiftOf("2"), std::int64_t{-1'500});
    QCOMPARE(shown.shiftOf("1"), std::int64_t{0});
    // On top of what its rank is moved by.
    shown.apply({shown.capture(), {0}, TimelineRowKind::Rank, 0}, u"2 ms"_s);
    QCOMPARE(shown.shiftOf("1"), std::int64_t{2'000'000});
    QCOMPARE(shown.shiftOf("2"), std::int64_t{1'998'500});
    // A wrong text is not applied, and what does not move is said.
    ShiftDialog* dialog = shown.openDialog(shown.process("2"));
    QVERIFY(dialog != nullptr);
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    dialog->findChild<QLineEdit*>()->setText(u"soon"_s);
    QVERIFY(!ok->isEnabled());
    bool isSaid = false;
    for (const auto* label : dialog->findChildren<QLabel*>())
        isSaid |= label->text().contains(u"keep the recorded times"_s);
    QVERIFY(isSaid);
    dialog->reject();
    // With the marked time.
    SelectionState state = shown.selection.current();
    state.capture = shown.capture();
    state.range = TimeRange{{1'007'000}, {1'009'000}};
    shown.selection.set(state);
    shown.settle();
    dialog = shown.openDialog(shown.process("2"));
    auto* anchors = dialog->findChild<QComboBox*>();
    QVERIFY2(anchors->count() == 2 && anchors->itemText(1).startsWith(u"the marked time"_s),
             qPrintable(anchors->itemText(1)));
    anchors->setCurrentIndex(1);
    emit anchors->activated(1);
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    shown.settle();
    QCOMPARE(1'000'000 + shown.shiftOf("2"), std::int64_t{1'007'000});
    for (auto* button : shown.openDialog(shown.process("2"))->findChildren<QPushButton*>()) {
        if (button->text() == u"&Reset"_s) button->click();
    }
    for (auto* open : shown.page.findChildren<ShiftDialog*>()) {
        if (open->isVisible()) open->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    }
    shown.settle();
    QCOMPARE(shown.shiftOf("2"), std::int64_t{2'000'000});
}

void TestMovedTracks::aShiftIsKeptInAWorkspace() {
    PageWithTwoProcesses shown;
    shown.apply(shown.process("2"), u"12"_s);
    const WorkspaceIds ids{{shown.capture()}};
    const QJsonObject state = shown.page.state(ids);
    QVERIFY(QString::fromUtf8(QJsonDocument(state).toJson()).contains(u"\"process\": \"2\""_s));
    shown.apply(shown.process("2"), u"0"_s);
    QCOMPARE(shown.shiftOf("2"), std::int64_t{0});
    shown.page.restore(state, ids);
    shown.settle();
    QCOMPARE(shown.shiftOf("2"), std::int64_t{12});
    QCOMPARE(shown.shiftOf("1"), std::int64_t{0});
}

ALTI_TEST(TestMovedTracks)
#include "tst_moved_tracks.moc"
