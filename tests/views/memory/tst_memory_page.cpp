#include "core/tables/filters/filter_expression.h"
#include "tests/views/memory/memory_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/canvas/curve_legend.h"
#include "views/memory/data/memory_tables.h"
#include "views/memory/panels/allocation_panel.h"
#include "views/memory/panels/holder_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSignalSpy>
#include <QWheelEvent>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

std::size_t rowsOf(TablePanel& panel) { return panel.table().loader().rows()->count; }

}  // namespace

/// The memory page with captures' files: what it shows, and where it leads.
class TestMemoryPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void curvesOfEachGrouping();
    void peakIsWhatTheFileSays();
    void clickedMomentAndHolder();
    void allocationsOfATime();
    void rowMarksItsEndsAndLeadsToTheTimeline();
    void windowsAreLinked();
    void markedTimeIsShared();
    void contextNarrows();
    void stepsMarksAndPeaksAreDrawn();
    void curvesAreHidden();
    void picturesAreNotSavedIntoTheCapture();
    void examplesOfFiltersFitTheirTables();
    void headingsFitTheirTables();
    void plantedLeakStandsFirst_data();
    void plantedLeakStandsFirst();
    void nothingIsReadOutOfSight();
    void closedCaptureLeavesTheMemory();
    void menuOfAClosedCaptureDoesNothing();
    void keysAndWheelMoveTheWindow();

private:
    LeakingCapture m_capture;
};

void TestMemoryPage::curvesOfEachGrouping() {
    MemoryFixture fixture(m_capture.path());
    const auto names = [&fixture] {
        QStringList list;
        for (const CurveLine& line : fixture.page.curves().lines()) list << line.name;
        return list;
    };
    QCOMPARE(names(),
             (QStringList{u"APP reserved"_s, u"PTA+GE reserved"_s, u"PTA+GE active"_s, u"PTA+GE allocated"_s}));
    auto* groups = fixture.page.findChildren<QComboBox*>()[1];
    QCOMPARE(groups->count(), 3);
    const auto choose = [&](int index) {
        groups->setCurrentIndex(index);
        emit groups->activated(index);
        fixture.settle();
    };
    choose(1);
    QVERIFY(names().contains(u"PTA allocated"_s) && !names().contains(u"PTA+GE allocated"_s));
    choose(2);
    const auto stream = textRows(m_capture.file(0, u"memory_record.csv"_s)).back()[u"Stream Ptr"_s];
    QVERIFY2(names().contains(u"PTA, stream %1 allocated"_s.arg(stream)), qPrintable(names().join(u'|')));
    // It is remembered.
    QCOMPARE(fixture.kept.value(u"memory/grouping"_s).toInt(), 2);
}

void TestMemoryPage::peakIsWhatTheFileSays() {
    MemoryFixture fixture(m_capture.path());
    std::int64_t peak = -1, at = 0;
    for (const TextRow& row : textRows(m_capture.file(0, u"memory_record.csv"_s))) {
        const auto allocated = bytesOf(row[u"Total Allocated(MB)"_s], kMiB);
        if (row[u"Component"_s] != u"PTA+GE"_s || !allocated || *allocated <= peak) continue;
        peak = *allocated;
        at = *nsOf(row[u"Timestamp(us)"_s]);
    }
    QVERIFY(fixture.page.shown()->peak.has_value());
    QCOMPARE(fixture.page.shown()->peak->value, peak);
    QCOMPARE(fixture.page.shown()->peak->at.value, at);
    QCOMPARE(fixture.page.holders().moment(), std::optional(TimeNs{at}));
    std::int64_t alive = 0;
    std::uint64_t count = 0;
    for (const TextRow& row : textRows(m_capture.file(0, u"operator_memory.csv"_s))) {
        const auto begin = nsOf(row[u"Allocation Time(us)"_s]), end = nsOf(row[u"Release Time(us)"_s]);
        if (!begin || *begin > at || (end && *end <= at)) continue;
        alive += *bytesOf(row[u"Size(KB)"_s], kKiB);
        ++count;
    }
    QVERIFY(count > 0);
    QCOMPARE(fixture.page.holders().alive()->bytes, alive);
    QCOMPARE(fixture.page.holders().alive()->count, count);
    QVERIFY(fixture.page.holders().sentence().startsWith(u"Peak at "_s));
    QVERIFY(fixture.page.holders().table().isVisible());
}

void TestMemoryPage::clickedMomentAndHolder() {
    MemoryFixture fixture(m_capture.path());
    CurveCanvas& canvas = fixture.page.curves();
    const QPoint at(canvas.plotRect().left() + canvas.plotRect().width() / 2, canvas.plotRect().center().y());
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    fixture.settle();
    QCOMPARE(fixture.page.holders().moment(), canvas.timeAt(at.x()));
    QCOMPARE(canvas.overlay().moment, canvas.timeAt(at.x()));
    QVERIFY(fixture.page.holders().sentence().startsWith(u"At "_s));
    // By keys: on by a hundredth of the width, and back.
    const int clickedX = *canvas.xOf(*fixture.page.holders().moment());
    QTest::keyClick(&canvas, Qt::Key_Period);
    fixture.settle();
    const TimeNs later = *fixture.page.holders().moment();
    QCOMPARE(std::optional(later), canvas.timeAt(clickedX + canvas.plotRect().width() / 100));
    QTest::keyClick(&canvas, Qt::Key_Comma);
    fixture.settle();
    QVERIFY(*fixture.page.holders().moment() < later);
    // The moment of the click, for what follows.
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    fixture.settle();
    const AliveMemory alive = *fixture.page.holders().alive();
    QVERIFY(!alive.holders.empty());
    // A row lists the allocations that it counts.
    emit fixture.page.holders().table().table().activated(0);
    fixture.settle();
    QTRY_COMPARE(rowsOf(fixture.page.allocations().table()), alive.holders.front().count);
    QCOMPARE(fixture.page.allocations().table().filterBar().chips(),
             QStringList{u"name = \"%1\""_s.arg(QString::fromStdString(alive.holders.front().name))});
    emit fixture.page.holders().peakRequested();
    fixture.settle();
    // Times count from the begin of the run, here as in the sentence above.
    const QString when = fixture.page.allocations().findChild<QComboBox*>()->itemText(2);
    QVERIFY2(when.startsWith(u"Alive at 0."_s), qPrintable(when));
    QCOMPARE(fixture.page.holders().moment(), std::optional(fixture.page.shown()->peak->at));
}

void TestMemoryPage::allocationsOfATime() {
    MemoryFixture fixture(m_capture.path());
    const auto rows = textRows(m_capture.file(0, u"operator_memory.csv"_s));
    QCOMPARE(rowsOf(fixture.page.allocations().table()), rows.size());
    auto* onlyUnreleased = fixture.page.allocations().findChild<QCheckBox*>(u"unreleased"_s);
    onlyUnreleased->click();
    fixture.settle();
    const auto unreleased = std::count_if(rows.begin(), rows.end(),
                                          [](const TextRow& row) { return row[u"Release Time(us)"_s].isEmpty(); });
    // One of each step was planted.
    QVERIFY(unreleased >= 3);
    QCOMPARE(rowsOf(fixture.page.allocations().table()), static_cast<std::size_t>(unreleased));
    onlyUnreleased->click();
    fixture.page.allocations().setWhen(AllocationPanel::When::Touched);
    fixture.settle();
    const auto touched = [&rows](TimeRange range) {
        const auto within = [range](const QString& text) { return nsOf(text) && range.contains({*nsOf(text)}); };
        return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const TextRow& row) {
            return within(row[u"Allocation Time(us)"_s]) || within(row[u"Release Time(us)"_s]);
        }));
    };
    const TimeRange home = fixture.page.window().window().range();
    const TimeRange middle{home.begin + DurationNs{home.length().value / 3},
                           home.begin + DurationNs{home.length().value / 2}};
    QVERIFY(touched(middle) > 0 && touched(middle) < rows.size());
    // First what is in sight, and then the marked time.
    fixture.page.window().change([&](ViewWindow& window) { window.show(middle, HistoryMark::NewStep); });
    fixture.settle();
    QTRY_COMPARE(rowsOf(fixture.page.allocations().table()), touched(fixture.page.window().window().range()));
    const TimeRange marked{middle.begin, middle.begin + DurationNs{middle.length().value / 2}};
    emit fixture.page.curves().rangeMarked(marked);
    fixture.settle();
    QTRY_COMPARE(rowsOf(fixture.page.allocations().table()), touched(marked));
}

void TestMemoryPage::rowMarksItsEndsAndLeadsToTheTimeline() {
    MemoryFixture fixture(m_capture.path());
    const auto rows = textRows(m_capture.file(0, u"operator_memory.csv"_s));
    // One whose operator stands in the timeline.
    std::size_t row = 0;
    const TraceStore& trace = *fixture.page.shown()->entry().trace;
    while (row + 1 < rows.size() && !trace.texts().find(rows[row][u"Name"_s].toStdString())) ++row;
    fixture.page.allocations().table().table().setCurrent(row, 0);
    QCOMPARE(fixture.page.curves().overlay().allocated,
             std::optional(TimeNs{*nsOf(rows[row][u"Allocation Time(us)"_s])}));
    const auto released = nsOf(rows[row][u"Release Time(us)"_s]);
    QCOMPARE(fixture.page.curves().overlay().released, released ? std::optional(TimeNs{*released}) : std::nullopt);
    QSignalSpy slices(&fixture.page, &MemoryPage::sliceRequested);
    emit fixture.page.allocations().timelineRequested(static_cast<std::uint32_t>(row));
    QTRY_COMPARE(slices.size(), 1);
    const auto slice = trace.findSlice(slices[0][0].value<SliceId>());
    QVERIFY(slice.has_value());
    QCOMPARE(QString::fromUtf8(trace.name(*slice).data(), static_cast<qsizetype>(trace.name(*slice).size())),
             rows[row][u"Name"_s]);
    const TimeNs at{*nsOf(rows[row][u"Allocation Time(us)"_s])};
    QVERIFY(trace.begin(*slice) <= at && at < trace.end(*slice));
    // A peak has no slice, but a time.
    QSignalSpy places(&fixture.page, &MemoryPage::placeRequested);
    emit fixture.page.peaks().table().activated(0);
    QCOMPARE(places.size(), 1);
    QCOMPARE(places[0][0].value<RankIndex>().value, 0U);
    QVERIFY(places[0][1].value<TimeRange>().contains(fixture.page.shown()->peaks[0].reserved->at));
}

void TestMemoryPage::windowsAreLinked() {
    MemoryFixture fixture(m_capture.path());
    CurveWindow& window = fixture.page.window();
    const TimeRange home = window.window().home(), part{home.begin + DurationNs{home.length().value / 4},
                                                        home.begin + DurationNs{home.length().value / 2}};
    QVERIFY(!fixture.page.takeWindow());
    fixture.page.followTimeline(part, false);
    QCOMPARE(window.window().range(), part);
    QVERIFY(!fixture.page.takeWindow());
    // Where the user goes, the timeline is to follow, once.
    window.change([](ViewWindow& view) { view.panBy(0.5, HistoryMark::NewStep); });
    const TimeRange moved = window.window().range();
    QCOMPARE(fixture.page.takeWindow(), std::optional(moved));
    QVERIFY(!fixture.page.takeWindow());
    // It gets there within its own limits, which is no reason to move the curves.
    fixture.page.followTimeline({moved.begin, moved.end - DurationNs{5}}, false);
    QCOMPARE(window.window().range(), moved);
    fixture.page.followTimeline({home.begin - DurationNs{100}, home.end + DurationNs{100}}, true);
    QCOMPARE(window.window().range(), home);
    fixture.page.findChildren<QCheckBox*>()[1]->setChecked(false);
    QVERIFY(!fixture.page.isLinked());
    fixture.page.followTimeline(part, false);
    QCOMPARE(window.window().range(), home);
    QCOMPARE(fixture.kept.value(u"memory/linked"_s), QVariant(false));
}

void TestMemoryPage::markedTimeIsShared() {
    MemoryFixture fixture(m_capture.path());
    CurveCanvas& canvas = fixture.page.curves();
    const QRect plot = canvas.plotRect();
    const QPoint from(plot.left() + 100, plot.center().y()), to(plot.left() + 200, plot.center().y());
    QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
    QTest::mouseMove(&canvas, to);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
    const SelectionState& state = fixture.selection.current();
    QVERIFY(state.range.has_value());
    QCOMPARE(state.capture, fixture.id);
    QCOMPARE(state.range->begin, *canvas.timeAt(from.x()));
    QCOMPARE(canvas.overlay().marked, state.range);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QVERIFY(!fixture.selection.current().range);
    // With Shift it is zoomed to.
    const TimeNs begin = *canvas.timeAt(from.x());
    QTest::mousePress(&canvas, Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&canvas, &move);
    QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(fixture.page.window().window().range().begin, begin);
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QVERIFY(fixture.page.window().window().atHome());
}

void TestMemoryPage::contextNarrows() {
    MemoryFixture fixture(m_capture.path());
    const std::uint64_t all = fixture.page.shown()->peaks.front().samples;
    ContextFilter context;
    context.ranks = {1};
    context.steps = {fixture.page.shown()->entry().steps[1].number};
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(fixture.page.shown()->entry().info.rankId, std::optional<std::int64_t>(1));
    const TimeRange step = *fixture.page.shown()->entry().steps[1].range;
    std::uint64_t samples = 0;
    for (const TextRow& row : textRows(m_capture.file(1, u"memory_record.csv"_s)))
        samples += row[u"Component"_s] == u"APP"_s && step.contains({*nsOf(row[u"Timestamp(us)"_s])}) ? 1 : 0;
    QVERIFY(samples > 0 && samples < all);
    QCOMPARE(fixture.page.shown()->peaks.front().owner.component, std::string("APP"));
    QCOMPARE(fixture.page.shown()->peaks.front().samples, samples);
    QVERIFY(step.contains(fixture.page.shown()->peak->at));
}

void TestMemoryPage::stepsMarksAndPeaksAreDrawn() {
    MemoryFixture fixture(m_capture.path());
    const CurveOverlay& overlay = fixture.page.curves().overlay();
    QCOMPARE(overlay.sections.size(), std::size_t{3});
    QCOMPARE(overlay.points.size(), std::size_t{4});
    const TimeNs at = fixture.page.shown()->peak->at;
    QVERIFY(std::any_of(overlay.points.begin(), overlay.points.end(), [&](const CurvePoint& point) {
        return point.at == at && point.value == fixture.page.shown()->peak->value;
    }));
    fixture.marks.add(fixture.id, {{at, at}, u"here"_s, {}, 2});
    QCOMPARE(overlay.ranges.size(), std::size_t{1});
    CurveCanvas& canvas = fixture.page.curves();
    const QString tip = canvas.tipAt({*canvas.xOf(at), canvas.plotRect().center().y()});
    QVERIFY2(tip.contains(u"here"_s) && tip.contains(u"Peak of PTA+GE allocated"_s), qPrintable(tip));
    // The mark's line is where its time is.
    const QImage picture = canvas.grab().toImage();
    const int x = *canvas.xOf(at);
    QVERIFY(picture.pixelColor(x, canvas.plotRect().bottom() - 3) !=
            picture.pixelColor(x + 30, canvas.plotRect().bottom() - 3));
}

void TestMemoryPage::curvesAreHidden() {
    MemoryFixture fixture(m_capture.path());
    auto* legend = fixture.page.findChild<CurveLegend*>();
    QCOMPARE(legend->count(), 4);
    CurveCanvas& canvas = fixture.page.curves();
    QVERIFY(pixelsOf(canvas, 0) > 0);
    const std::int64_t value = fixture.page.shown()->peak->value / 2;
    const int before = canvas.yOf(value);
    legend->item(0)->setCheckState(Qt::Unchecked);
    legend->item(1)->setCheckState(Qt::Unchecked);
    QVERIFY(!canvas.lines()[0].shown);
    QCOMPARE(pixelsOf(canvas, 0), 0);
    // The lower ones have all of the height.
    QVERIFY(canvas.yOf(value) < before);
    QCOMPARE(canvas.overlay().points.size(), std::size_t{2});
}

void TestMemoryPage::picturesAreNotSavedIntoTheCapture() {
    MemoryFixture fixture(m_capture.path());
    QVERIFY(!fixture.page.curves().savePicture(m_capture.file(0, u"picture.png"_s)).isEmpty());
    QVERIFY(!QFile::exists(m_capture.file(0, u"picture.png"_s)));
    const QTemporaryDir folder;
    for (const char* name : {"picture.png", "picture.svg"}) {
        QCOMPARE(fixture.page.curves().savePicture(folder.filePath(QLatin1String(name))), QString());
        QVERIFY(QFileInfo(folder.filePath(QLatin1String(name))).size() > 1000);
    }
}

void TestMemoryPage::examplesOfFiltersFitTheirTables() {
    MemoryFixture fixture(m_capture.path());
    for (TablePanel* panel :
         {&fixture.page.peaks(), &fixture.page.allocations().table(), &fixture.page.holders().table()}) {
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        QVERIFY(!example.isEmpty());
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().loader().source()->columns());
        QVERIFY2(parsed.root && !parsed.problem, qPrintable(example));
    }
}

void TestMemoryPage::headingsFitTheirTables() {
    QCOMPARE(componentPeakTable({}, {})->columns().size(), componentPeakHeadings({}).size());
    QCOMPARE(holderTable({}, {})->columns().size(), holderHeadings().size());
    const AllocationRows none(nullptr, {});
    QCOMPARE(none.columns().size(), allocationHeadings(none).size());
}

void TestMemoryPage::plantedLeakStandsFirst_data() {
    QTest::addColumn<int>("seed");
    for (const int seed : {2, 6, 11}) QTest::addRow("seed %d", seed) << seed;
}

/// The operator that was planted to keep 256 MiB of each step, and nothing else, tops what is held at the end and what
/// was never released.
void TestMemoryPage::plantedLeakStandsFirst() {
    QFETCH(int, seed);
    const LeakingCapture leaking(1, seed);
    MemoryFixture fixture(leaking.path());
    constexpr std::int64_t kLeak = 268435456;
    constexpr std::uint64_t kSteps = 3;
    QHash<QString, int> leaks;
    for (const TextRow& row : textRows(leaking.file(0, u"operator_memory.csv"_s))) {
        if (row[u"Release Time(us)"_s].isEmpty() && bytesOf(row[u"Size(KB)"_s], kKiB) == kLeak) ++leaks[row[u"Name"_s]];
    }
    QCOMPARE(leaks.size(), 1);
    QCOMPARE(leaks.begin().value(), static_cast<int>(kSteps));
    const QRect plot = fixture.page.curves().plotRect();
    QTest::mouseClick(&fixture.page.curves(), Qt::LeftButton, {}, QPoint(plot.right() - 1, plot.center().y()));
    fixture.settle();
    const AliveMemory alive = *fixture.page.holders().alive();
    QCOMPARE(QString::fromStdString(alive.holders.front().name), leaks.begin().key());
    QCOMPARE(alive.holders.front().bytes, static_cast<std::int64_t>(kSteps) * kLeak);
    AllocationPanel& allocations = fixture.page.allocations();
    allocations.findChild<QCheckBox*>(u"unreleased"_s)->click();
    fixture.settle();
    TableLoader& loader = allocations.table().table().loader();
    const auto columns = loader.source()->columns();
    const auto columnOf = [&](std::string_view name) {
        return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(),
                                                     [&](const TableColumn& column) { return column.name == name; }) -
                                        columns.begin());
    };
    loader.setSort({{.column = columnOf("size"), .descending = true}});
    fixture.settle();
    for (std::size_t place = 0; place < kSteps; ++place) {
        const std::uint32_t row = loader.rows()->row(place);
        QCOMPARE(loader.source()->cell(columnOf("size"), row), kLeak);
        QCOMPARE(
            QString::fromUtf8(loader.source()->text(columnOf("name"), loader.source()->cell(columnOf("name"), row))),
            leaks.begin().key());
    }
    QVERIFY(loader.source()->cell(columnOf("size"), loader.rows()->row(kSteps)) < kLeak);
}

void TestMemoryPage::nothingIsReadOutOfSight() {
    MemoryFixture fixture;
    fixture.page.hide();
    fixture.open(m_capture.path());
    QVERIFY(fixture.page.shown() == nullptr);
    fixture.page.show();
    fixture.settle();
    QVERIFY(fixture.page.shown() != nullptr);
}

void TestMemoryPage::closedCaptureLeavesTheMemory() {
    MemoryFixture fixture(m_capture.path());
    fixture.page.allocations().table().table().setCurrent(0, 0);
    const std::weak_ptr<const CaptureStore> store = fixture.session.capture(fixture.id)->store;
    const std::weak_ptr<const RowTables> rows = store.lock()->ranks[0].rows;
    fixture.session.close(fixture.id);
    QTRY_VERIFY(store.expired() && rows.expired());
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(fixture.page.curves().lines().empty());
}

void TestMemoryPage::menuOfAClosedCaptureDoesNothing() {
    MemoryFixture fixture(m_capture.path());
    const QSignalSpy requested(&fixture.page, &MemoryPage::placeRequested);
    QMenu menu;
    emit fixture.page.curves().menuOpens(&menu, fixture.page.window().window().range().begin);
    QVERIFY(menu.actions().size() >= 2);
    fixture.session.close(fixture.id);
    QVERIFY(fixture.page.shown() == nullptr);
    for (QAction* action : menu.actions()) action->trigger();
    QCOMPARE(requested.size(), 0);
}

void TestMemoryPage::keysAndWheelMoveTheWindow() {
    MemoryFixture fixture(m_capture.path());
    CurveCanvas& canvas = fixture.page.curves();
    const auto range = [&fixture] { return fixture.page.window().window().range(); };
    const TimeRange home = range();
    QTest::keyClick(&canvas, Qt::Key_W);
    QVERIFY(range().length() < home.length());
    const TimeRange zoomed = range();
    QTest::keyClick(&canvas, Qt::Key_D);
    QVERIFY(range().begin > zoomed.begin && range().length() == zoomed.length());
    QTest::keyClick(&canvas, Qt::Key_Backspace);
    QCOMPARE(range(), zoomed);
    QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(range(), home);
    // The wheel keeps the time below the pointer where it is.
    const QPoint at(canvas.plotRect().left() + canvas.plotRect().width() / 4, canvas.plotRect().center().y());
    const TimeNs below = *canvas.timeAt(at.x());
    QWheelEvent wheel(at, canvas.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&canvas, &wheel);
    QVERIFY(range().length() < home.length());
    const DurationNs pixel{home.length().value / canvas.plotRect().width() + 1};
    QVERIFY(std::abs((*canvas.timeAt(at.x()) - below).value) <= pixel.value);
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, at);
    QCOMPARE(range(), home);
}

ALTI_TEST(TestMemoryPage)
#include "tst_memory_page.moc"
