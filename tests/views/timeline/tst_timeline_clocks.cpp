#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/session/marks.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/overlay/wrapped_text.h"
#include "views/timeline/page/clocks_dialog.h"
#include "views/timeline/page/timeline_page.h"
#include "views/timeline/panels/details_panel.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/scene/timeline_clocks.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolTip>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// Three ranks whose clocks are off by up to half a millisecond; written once for all tests.
struct OffRanks {
    OffRanks() {
        const std::vector<std::string> words{path().toStdString(), "--ranks", "3", "--steps", "2", "--layers", "1",
                                             "--clock-offset-us",  "500"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
        std::ifstream file(path().toStdString() + "/truth.json");
        const auto truth = nlohmann::json::parse(file, nullptr, false);
        if (!truth.is_object()) return;
        for (const auto& rank : truth["ranks"]) offsets.push_back(rank["clock_offset_ns"].get<std::int64_t>());
    }
    QString path() const { return folder.filePath(u"capture"_s); }

    QTemporaryDir folder;
    bool made = false;
    std::vector<std::int64_t> offsets;  // to be added to what each rank recorded
};

/// The page with its canvas, as the window has them.
struct ClockFixture {
    explicit ClockFixture(const OffRanks& ranks)
        : runner(2), session(runner), marks(session, {}), page(session, selection, marks), details(session, selection) {
        details.setShownAt(
            [this](CaptureId capture, RankIndex rank, TrackId track) { return page.shownAt(capture, rank, track); });
        QObject::connect(&page, &TimelinePage::shiftsChanged, &details, &DetailsPanel::showTimes);
        page.resize(1200, 700);
        page.show();
        session.open(ranks.path());
        settle();
        canvas = page.findChild<TimelineCanvas*>();
        header = page.findChild<TrackHeader*>();
    }
    ~ClockFixture() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return runner.idle() && page.idle() && details.idle(); }, 60'000));
    }
    CaptureId capture() const { return session.captures().front().id; }
    const TraceStore& trace(std::uint32_t rank) const { return *session.captures().front().store->ranks[rank].trace; }
    /// The `number`-th slice of that name on communication tracks, by begin, of all slices of the rank.
    SliceIndex collective(std::uint32_t rank, std::string_view part, std::size_t number) const {
        std::vector<std::pair<std::int64_t, std::uint32_t>> found;
        for (std::uint32_t i = 0; i < trace(rank).sliceCount(); ++i) {
            const bool isMeant = trace(rank).track({trace(rank).runOf({i}).track}).kind == TrackKind::Communication;
            if (isMeant && trace(rank).name({i}).find(part) != std::string_view::npos)
                found.emplace_back(trace(rank).begin({i}).value, i);
        }
        std::sort(found.begin(), found.end());
        return {number < found.size() ? found[number].second : 0};
    }
    void select(std::uint32_t rank, SliceIndex slice) {
        selection.selectSlice(capture(), {{rank}, trace(rank).id(slice)});
        settle();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(canvas, key, modifiers);
        settle();
    }
    std::int64_t shiftOf(std::uint32_t rank) const {
        const auto shown = page.shownAt(capture(), {rank});
        return shown ? shown->by.value : 0;
    }
    QString texts() const {
        QStringList all;
        for (const auto* text : details.findChildren<WrappedText*>()) all << text->toPlainText();
        return all.join(u'\n');
    }

    JobRunner runner;
    Session session;
    Selection selection;
    Marks marks;
    TimelinePage page;
    DetailsPanel details;
    TimelineCanvas* canvas = nullptr;
    TrackHeader* header = nullptr;
};

}  // namespace

class TestTimelineClocks : public QObject {
    Q_OBJECT
private slots:
    void withoutABaseItIsSaidWhatToDo();
    void startsAndEndsMeetOnTheSamePixel_data();
    void startsAndEndsMeetOnTheSamePixel();
    void allRanksByAnOperatorWithinItsJitter();
    void byHandAndBackAgain();
    void aWrongTextIsNotApplied();
    void movedRanksShowItInHeaderAndDetails();
    void collectivesTakeOverAndAreTakenBack();
    void ranksOfTwoCapturesAreAligned();
    void theBaseIsFoundInANewStore();
    void theBaseGoesWithItsCapture();

private:
    OffRanks m_ranks;
};

void TestTimelineClocks::withoutABaseItIsSaidWhatToDo() {
    QVERIFY(m_ranks.made);
    ClockFixture fixture(m_ranks);
    QSignalSpy reported(&fixture.page, &TimelinePage::statusMessage);
    const auto last = [&] { return reported.isEmpty() ? QString() : reported.last()[0].toString(); };
    fixture.press(Qt::Key_B);
    QVERIFY(last().contains(u"becomes the base"_s));
    fixture.select(1, fixture.collective(1, "hcom", 0));
    fixture.press(Qt::Key_L);
    QVERIFY2(last().contains(u"There is no base slice"_s) && last().contains(u" B "_s), qPrintable(last()));
    QCOMPARE(fixture.shiftOf(1), std::int64_t{0});
    fixture.press(Qt::Key_B);
    QVERIFY(last().contains(u"This is the base slice"_s));
    fixture.press(Qt::Key_R);
    QVERIFY2(last().contains(u"on the rank of the base"_s), qPrintable(last()));
    fixture.press(Qt::Key_B);
    QVERIFY(!fixture.canvas->base());
}

void TestTimelineClocks::startsAndEndsMeetOnTheSamePixel_data() {
    QTest::addColumn<int>("key");
    QTest::addRow("L: starts") << static_cast<int>(Qt::Key_L);
    QTest::addRow("R: ends") << static_cast<int>(Qt::Key_R);
}

void TestTimelineClocks::startsAndEndsMeetOnTheSamePixel() {
    QFETCH(int, key);
    // The parts of a page, to see where things are drawn.
    JobRunner runner(2);
    Session session(runner);
    Selection selection;
    {
        TimelineScene scene(runner);
        TimelineSelection selected(scene, selection);
        TimelineCanvas canvas(scene, selected);
        TimelineClocks clocks(session, scene, selected);
        const auto show = [&] {
            scene.setCaptures({{session.captures().front().id,
                                session.captures().front().store,
                                {},
                                clocks.of(session.captures().front())}});
        };
        connect(&clocks, &TimelineClocks::changed, &canvas, show);
        connect(&clocks, &TimelineClocks::baseChanged, &canvas, [&] { canvas.setBase(clocks.base()); });
        connect(&canvas, &TimelineCanvas::clocksRequested, &clocks, &TimelineClocks::perform);
        canvas.resize(1000, 600);
        canvas.show();
        session.open(m_ranks.path());
        QVERIFY(QTest::qWaitFor([&] { return runner.idle(); }, 60'000));
        show();
        const auto settle = [&] {
            QVERIFY(QTest::qWaitFor([&] { return scene.idle() && canvas.idle() && selected.idle() && clocks.idle(); },
                                    20'000));
        };
        settle();
        const CaptureId capture = session.captures().front().id;
        const auto ranks = session.captures().front().store->ranks;
        const auto choose = [&](std::uint32_t rank, std::uint32_t slice) {
            selected.select(capture, {rank}, ranks[rank].trace, {slice});
            settle();
            return *selected.slice();
        };
        // Any two slices will do; the collectives' own lengths differ by rank.
        const SelectedSlice base = choose(0, static_cast<std::uint32_t>(ranks[0].trace->sliceCount() / 2));
        QTest::keyClick(&canvas, Qt::Key_B);
        const SelectedSlice other = choose(2, static_cast<std::uint32_t>(ranks[2].trace->sliceCount() / 3));
        QTest::keyClick(&canvas, static_cast<Qt::Key>(key));
        settle();
        const TimelineModel& model = scene.model();
        const TimeRange fixed = base.place.range, moved{other.place.range.begin + model.sources().shiftOf(0, {2}),
                                                        other.place.range.end + model.sources().shiftOf(0, {2})};
        QCOMPARE(model.sources().shiftOf(0, {0}).value, std::int64_t{0});
        QCOMPARE(model.sources().shiftOf(0, {1}).value, std::int64_t{0});
        QVERIFY(model.sources().shiftOf(0, {2}).value != 0);
        if (key == Qt::Key_L) QCOMPARE(moved.begin.value, fixed.begin.value);
        else QCOMPARE(moved.end.value, fixed.end.value);
        QCOMPARE(moved.length().value, other.place.range.length().value);
        scene.change([&](ViewWindow& window) {
            window.show({{fixed.begin.value - 5'000}, {fixed.end.value + 5'000}}, HistoryMark::NewStep);
        });
        settle();
        CanvasLayout layout(scene, canvas.loader());
        layout.setSize(canvas.size());
        const auto one = layout.rectOf(0, {0}, base.place), two = layout.rectOf(0, {2}, other.place);
        QVERIFY(one && two);
        if (key == Qt::Key_L) QCOMPARE(two->left(), one->left());
        else QCOMPARE(two->right(), one->right());
        // What the capture recorded is as it was.
        QCOMPARE(ranks[2].trace->begin(other.place.slice).value, other.place.range.begin.value);
    }
    runner.shutdown();
}

void TestTimelineClocks::allRanksByAnOperatorWithinItsJitter() {
    ClockFixture fixture(m_ranks);
    QCOMPARE(m_ranks.offsets.size(), std::size_t{3});
    QVERIFY(m_ranks.offsets[0] != m_ranks.offsets[1]);
    QSignalSpy reported(&fixture.page, &TimelinePage::statusMessage);
    fixture.select(0, fixture.collective(0, "hcom_", 2));
    fixture.press(Qt::Key_R, Qt::ShiftModifier);
    for (const std::uint32_t r : {1U, 2U}) {
        // A collective ends together on all its ranks but for less than a us.
        const std::int64_t wanted = m_ranks.offsets[r] - m_ranks.offsets[0];
        QVERIFY2(std::abs(fixture.shiftOf(r) - wanted) <= 1'000,
                 qPrintable(u"rank %1: %2, not %3"_s.arg(r).arg(fixture.shiftOf(r)).arg(wanted)));
    }
    QVERIFY2(reported.last()[0].toString().startsWith(u"3 of 3 ranks"_s), qPrintable(reported.last()[0].toString()));
    fixture.press(Qt::Key_0, Qt::ShiftModifier);
    for (const std::uint32_t r : {0U, 1U, 2U}) QCOMPARE(fixture.shiftOf(r), std::int64_t{0});
}

void TestTimelineClocks::byHandAndBackAgain() {
    ClockFixture fixture(m_ranks);
    const auto openDialog = [&] {
        QTest::keyClick(fixture.canvas, Qt::Key_C, Qt::ShiftModifier);
        ClocksDialog* dialog = nullptr;
        for (auto* found : fixture.page.findChildren<ClocksDialog*>()) {
            if (found->isVisible()) dialog = found;
        }
        return dialog;
    };
    const auto buttonOf = [](ClocksDialog& dialog, const QString& text) -> QPushButton* {
        for (auto* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == text) return button;
        }
        return nullptr;
    };
    auto* dialog = openDialog();
    QVERIFY(dialog != nullptr);
    auto* table = dialog->findChild<QTableWidget*>();
    auto* box = dialog->findChild<QDialogButtonBox*>();
    QCOMPARE(table->rowCount(), 3);
    table->item(1, 1)->setText(u"-1.5 us"_s);
    QCOMPARE(table->item(1, 1)->text(), u"-1500"_s);
    // A time with a sign broke in two lines.
    QVERIFY(!table->wordWrap() &&
            table->columnWidth(2) > table->fontMetrics().horizontalAdvance(table->item(1, 2)->text()));
    box->button(QDialogButtonBox::Apply)->click();
    fixture.settle();
    QCOMPARE(fixture.shiftOf(1), std::int64_t{-1500});
    QCOMPARE(fixture.shiftOf(0), std::int64_t{0});
    // First events come together.
    buttonOf(*dialog, u"Align to &start"_s)->click();
    box->button(QDialogButtonBox::Ok)->click();
    fixture.settle();
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t r : {0U, 1U, 2U}) first = std::min(first, fixture.trace(r).homeRange().begin.value);
    for (const std::uint32_t r : {0U, 1U, 2U})
        QCOMPARE(fixture.trace(r).homeRange().begin.value + fixture.shiftOf(r), first);
    // Cancel changes nothing; reset brings all back.
    dialog = openDialog();
    QVERIFY(dialog != nullptr);
    const std::int64_t before = fixture.shiftOf(2);
    buttonOf(*dialog, u"&Reset all"_s)->click();
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)->click();
    fixture.settle();
    QCOMPARE(fixture.shiftOf(2), before);
    dialog = openDialog();
    QVERIFY(dialog != nullptr);
    buttonOf(*dialog, u"&Reset all"_s)->click();
    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
    fixture.settle();
    for (const std::uint32_t r : {0U, 1U, 2U}) QCOMPARE(fixture.shiftOf(r), std::int64_t{0});
}

void TestTimelineClocks::aWrongTextIsNotApplied() {
    ClockFixture fixture(m_ranks);
    QTest::keyClick(fixture.canvas, Qt::Key_C, Qt::ShiftModifier);
    auto* dialog = fixture.page.findChild<ClocksDialog*>();
    QVERIFY(dialog != nullptr);
    auto* table = dialog->findChild<QTableWidget*>();
    auto* box = dialog->findChild<QDialogButtonBox*>();
    table->item(2, 1)->setText(u"soon"_s);
    QVERIFY(!box->button(QDialogButtonBox::Ok)->isEnabled() && !box->button(QDialogButtonBox::Apply)->isEnabled());
    bool isKnown = false;
    for (const auto* label : dialog->findChildren<QLabel*>())
        isKnown |= label->text().contains(u"not a time"_s) && label->text().contains(u"2"_s);
    QVERIFY(isKnown);
    table->item(2, 1)->setText(u"12"_s);
    QVERIFY(box->button(QDialogButtonBox::Ok)->isEnabled());
}

void TestTimelineClocks::movedRanksShowItInHeaderAndDetails() {
    ClockFixture fixture(m_ranks);
    fixture.select(1, fixture.collective(1, "hcom_", 0));
    QVERIFY(!fixture.texts().contains(u"shown at"_s));
    // The same line without and with its sign.
    const QRect line(0, 0, fixture.header->width(), 40);
    const QImage before = fixture.header->grab(line).toImage();
    const SliceIndex base = fixture.collective(1, "hcom_", 0);
    fixture.press(Qt::Key_B);
    fixture.select(0, fixture.collective(0, "hcom_", 1));
    const TimeNs recorded = fixture.trace(0).begin(fixture.collective(0, "hcom_", 1));
    fixture.press(Qt::Key_L);
    QCOMPARE(recorded.value + fixture.shiftOf(0), fixture.trace(1).begin(base).value);
    QVERIFY2(fixture.texts().contains(u"recorded"_s) && fixture.texts().contains(u"shown at"_s) &&
                 fixture.texts().contains(u"by operator hcom_"_s),
             qPrintable(fixture.texts()));
    QVERIFY(fixture.header->grab(line).toImage() != before);
    QString tip;
    for (int y = 2; y < 60 && !tip.contains(u"by operator"_s); y += 4) {
        QHelpEvent help(QEvent::ToolTip, {40, y}, fixture.header->mapToGlobal(QPoint(40, y)));
        QApplication::sendEvent(fixture.header, &help);
        tip = QToolTip::text();
    }
    QVERIFY2(tip.contains(u"than recorded, by operator hcom_"_s), qPrintable(tip));
    fixture.press(Qt::Key_0, Qt::ShiftModifier);
    QVERIFY(!fixture.texts().contains(u"shown at"_s));
}

void TestTimelineClocks::collectivesTakeOverAndAreTakenBack() {
    ClockFixture fixture(m_ranks);
    fixture.select(0, fixture.collective(0, "hcom_", 0));
    fixture.press(Qt::Key_L, Qt::ShiftModifier);
    QVERIFY(fixture.page.shownAt(fixture.capture(), {1}).has_value());
    QVERIFY(fixture.page.shownAt(fixture.capture(), {1})->reason.contains(u"operator"_s));
    fixture.press(Qt::Key_A, Qt::ShiftModifier);
    QCOMPARE(fixture.page.shownAt(fixture.capture(), {1})->reason, u"by collectives"_s);
    QVERIFY(std::abs(fixture.shiftOf(1) - fixture.shiftOf(2) - m_ranks.offsets[1] + m_ranks.offsets[2]) <= 1'000);
    // A rank that is moved by hand while the others lie by their collectives.
    const std::int64_t byCollectives = fixture.shiftOf(2);
    fixture.select(2, fixture.collective(2, "hcom_", 0));
    fixture.press(Qt::Key_B);
    fixture.select(1, fixture.collective(1, "hcom_", 1));
    fixture.press(Qt::Key_R);
    QCOMPARE(fixture.shiftOf(2), byCollectives);
    QCOMPARE(fixture.trace(1).end(fixture.collective(1, "hcom_", 1)).value + fixture.shiftOf(1),
             fixture.trace(2).end(fixture.collective(2, "hcom_", 0)).value + byCollectives);
    fixture.press(Qt::Key_A, Qt::ShiftModifier);
    for (const std::uint32_t r : {0U, 1U, 2U}) QCOMPARE(fixture.shiftOf(r), std::int64_t{0});
}

/// Captures of different times are put on one axis; where they stand there does not follow the ranks that are moved.
void TestTimelineClocks::ranksOfTwoCapturesAreAligned() {
    JobRunner runner(2);
    {
        TimelineScene scene(runner);
        const auto one = test::captureFromTexts({"p1/t1: A[1000,2000)", "p1/t1: A[1100,2100)"});
        const auto two =
            test::captureFromTexts({"p1/t1: A[900000,901000) B[901500,902000)", "p1/t1: A[900100,900200)"});
        for (const std::int64_t by :
             {std::int64_t{0}, std::int64_t{-500}, std::int64_t{5'000'000}, std::int64_t{-5'000'000}}) {
            auto moved = std::make_shared<RankShifts>();
            if (by != 0) moved->own.push_back(OwnShift{by});
            test::showIn(scene, {{.capture = {1}, .store = one},
                                 {.capture = {2}, .store = two, .origin = {}, .rankShifts = moved}});
            // Both begin together as recorded, and stay there.
            constexpr std::int64_t kApart = 1'000 - 900'000;
            QCOMPARE(scene.model().sources()[1].shift.value, kApart);
            QCOMPARE(scene.model().sources().shiftOf(1, {0}).value, kApart + by);
            QCOMPARE(scene.model().sources().shiftOf(1, {1}).value, kApart);
            QVERIFY2(scene.window().home().begin.value <= std::min<std::int64_t>(1'000, 1'000 + by),
                     "the whole run holds it where it is drawn");
        }
    }
    runner.shutdown();
}

void TestTimelineClocks::theBaseIsFoundInANewStore() {
    ClockFixture fixture(m_ranks);
    const SliceIndex slice = fixture.collective(0, "hcom_", 0);
    fixture.select(0, slice);
    fixture.press(Qt::Key_B);
    const auto old = fixture.canvas->base()->trace;
    const SliceId id = fixture.canvas->base()->key.id;
    fixture.session.reload(fixture.capture());
    fixture.settle();
    QTRY_VERIFY(fixture.canvas->base() && fixture.canvas->base()->trace != old);
    QVERIFY(fixture.canvas->base()->trace.get() == &fixture.trace(0));
    QVERIFY(fixture.trace(0).id(fixture.canvas->base()->place.slice) == id);
    fixture.select(1, fixture.collective(1, "hcom_", 1));
    fixture.press(Qt::Key_L);
    QCOMPARE(fixture.trace(1).begin(fixture.collective(1, "hcom_", 1)).value + fixture.shiftOf(1),
             fixture.trace(0).begin(fixture.collective(0, "hcom_", 0)).value);
}

void TestTimelineClocks::theBaseGoesWithItsCapture() {
    ClockFixture fixture(m_ranks);
    fixture.select(0, fixture.collective(0, "hcom_", 0));
    fixture.press(Qt::Key_B);
    QVERIFY(fixture.canvas->base().has_value());
    fixture.session.close(fixture.capture());
    QTRY_VERIFY(!fixture.canvas->base());
    QVERIFY(!fixture.page.shownAt({1}, {0}));
}

ALTI_TEST(TestTimelineClocks)
#include "tst_timeline_clocks.moc"
