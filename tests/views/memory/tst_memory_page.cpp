#include "views/memory/memory_page.h"

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/tables/filter_expression.h"
#include "tests/support/test_main.h"
#include "tests/views/memory/memory_files.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/page.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/allocation_panel.h"
#include "views/memory/curve_canvas.h"
#include "views/memory/curve_legend.h"
#include "views/memory/holder_panel.h"
#include "views/memory/memory_tables.h"
#include "views/memory/static_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <algorithm>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr const char* kOutput = "/ASCEND_PROFILER_OUTPUT/";

/// Two ranks with a leak, as files that a test may change before they are opened.
struct LeakingCapture {
    explicit LeakingCapture(int ranks = 2, int seed = 1) {
        const std::vector<std::string> words{path().toStdString(),
                                             "--ranks",
                                             std::to_string(ranks),
                                             "--seed",
                                             std::to_string(seed),
                                             "--steps",
                                             "3",
                                             "--layers",
                                             "2",
                                             "--plant",
                                             "leak=268435456"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(u"capture"_s); }
    QString file(int rank, const QString& name) const {
        return path() + u"/rank%1_ascend_pt"_s.arg(rank) + QLatin1String(kOutput) + name;
    }
    void write(int rank, const QString& name, const QByteArray& content) const {
        QFile out(file(rank, name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(content);
    }

    QTemporaryDir folder;
    bool made = false;
};

struct PageFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    Marks marks{session, {}};
    MemoryPage page{session, selection, marks, memory};
    std::uint32_t id = 0;

    explicit PageFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != 0);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000));
    }
    QString message() const {
        return page.findChild<MessagePage*>()->message().title + u'|' +
               page.findChild<MessagePage*>()->message().remedy;
    }
};

std::size_t rowsOf(TablePanel& panel) { return panel.table().feed().rows()->count; }

}  // namespace

/// The memory page with real captures' files: what it shows, where it leads, and what it says is missing.
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
    void nothingRecorded();
    void oneRankWithout();
    void plantedLeakStandsFirst_data();
    void plantedLeakStandsFirst();
    void ranksThatAreNotInTheCapture_data();
    void ranksThatAreNotInTheCapture();
    void oneFileOnly_data();
    void oneFileOnly();
    void oneSampleOnly();
    void stampsThatAreAllTheSame();
    void hugeValuesEnd();
    void staticGraphs();
    void nothingIsReadOutOfSight();
    void closedCaptureLeavesTheMemory();
    void menuOfAClosedCaptureDoesNothing();
    void keysAndWheelMoveTheWindow();

private:
    LeakingCapture m_capture;
};

void TestMemoryPage::curvesOfEachGrouping() {
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
    CurveCanvas& canvas = fixture.page.curves();
    const QPoint at(canvas.plotRect().left() + canvas.plotRect().width() / 2, canvas.plotRect().center().y());
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
    fixture.settle();
    QCOMPARE(fixture.page.holders().moment(), canvas.timeAt(at.x()));
    QCOMPARE(canvas.overlay().moment, canvas.timeAt(at.x()));
    QVERIFY(fixture.page.holders().sentence().startsWith(u"At "_s));
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
    PageFixture fixture(m_capture.path());
    const auto rows = textRows(m_capture.file(0, u"operator_memory.csv"_s));
    QCOMPARE(rowsOf(fixture.page.allocations().table()), rows.size());
    fixture.page.allocations().setUnreleasedOnly(true);
    fixture.settle();
    const auto unreleased = std::count_if(rows.begin(), rows.end(),
                                          [](const TextRow& row) { return row[u"Release Time(us)"_s].isEmpty(); });
    // One of each step was planted.
    QVERIFY(unreleased >= 3);
    QCOMPARE(rowsOf(fixture.page.allocations().table()), static_cast<std::size_t>(unreleased));
    fixture.page.allocations().setUnreleasedOnly(false);
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
    PageFixture fixture(m_capture.path());
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
    QCOMPARE(places[0][0].toUInt(), 0U);
    QVERIFY(places[0][1].value<TimeRange>().contains(fixture.page.shown()->peaks[0].reserved->at));
}

void TestMemoryPage::windowsAreLinked() {
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
    auto* legend = fixture.page.findChild<CurveLegend*>();
    QCOMPARE(legend->count(), 4);
    const auto before = fixture.page.curves().frame().all;
    legend->item(0)->setCheckState(Qt::Unchecked);
    legend->item(1)->setCheckState(Qt::Unchecked);
    QVERIFY(!fixture.page.curves().lines()[0].shown);
    QVERIFY(fixture.page.curves().frame().lines[0].empty());
    QVERIFY(fixture.page.curves().frame().all.greatest < before.greatest);
    QCOMPARE(fixture.page.curves().overlay().points.size(), std::size_t{2});
}

void TestMemoryPage::picturesAreNotSavedIntoTheCapture() {
    PageFixture fixture(m_capture.path());
    QVERIFY(!fixture.page.curves().savePicture(m_capture.file(0, u"picture.png"_s)).isEmpty());
    QVERIFY(!QFile::exists(m_capture.file(0, u"picture.png"_s)));
    const QTemporaryDir folder;
    for (const char* name : {"picture.png", "picture.svg"}) {
        QCOMPARE(fixture.page.curves().savePicture(folder.filePath(QLatin1String(name))), QString());
        QVERIFY(QFileInfo(folder.filePath(QLatin1String(name))).size() > 1000);
    }
}

void TestMemoryPage::examplesOfFiltersFitTheirTables() {
    PageFixture fixture(m_capture.path());
    for (TablePanel* panel :
         {&fixture.page.peaks(), &fixture.page.allocations().table(), &fixture.page.holders().table()}) {
        const QString example = panel->filterBar().line()->placeholderText().section(u": "_s, 1);
        QVERIFY(!example.isEmpty());
        const ParsedFilter parsed = parseFilter(example.toStdString(), panel->table().feed().source()->columns());
        QVERIFY2(parsed.root && !parsed.problem, qPrintable(example));
    }
}

void TestMemoryPage::headingsFitTheirTables() {
    QCOMPARE(componentPeakTable({}, {})->columns().size(), componentPeakHeadings({}).size());
    QCOMPARE(holderTable({}, {})->columns().size(), holderHeadings().size());
    const AllocationRows none(nullptr, {});
    QCOMPARE(none.columns().size(), allocationHeadings(none).size());
}

void TestMemoryPage::nothingRecorded() {
    PageFixture fixture;
    QVERIFY(fixture.page.findChild<MessagePage*>()->isVisible());
    const LeakingCapture bare;
    for (const int rank : {0, 1}) {
        for (const char* name : {"memory_record.csv", "operator_memory.csv", "npu_module_mem.csv"})
            QVERIFY(QFile::remove(bare.file(rank, QLatin1String(name))));
    }
    fixture.open(bare.path());
    QVERIFY(fixture.page.findChild<MessagePage*>()->isVisible());
    QVERIFY2(fixture.message().startsWith(u"No memory data|"_s), qPrintable(fixture.message()));
    // It names the switch.
    QVERIFY2(fixture.message().contains(u"profile_memory"_s), qPrintable(fixture.message()));
}

void TestMemoryPage::oneRankWithout() {
    const LeakingCapture half;
    for (const char* name : {"memory_record.csv", "operator_memory.csv", "npu_module_mem.csv"})
        QVERIFY(QFile::remove(half.file(0, QLatin1String(name))));
    PageFixture fixture(half.path());
    QVERIFY(fixture.page.shown() != nullptr);
    QCOMPARE(fixture.page.shown()->entry().info.rankId, std::optional<std::int64_t>(1));
    QVERIFY2(fixture.page.gaps().contains(u"No memory data: rank 0."_s) &&
                 fixture.page.gaps().contains(u"profile_memory"_s),
             qPrintable(fixture.page.gaps()));
    ContextFilter context;
    context.ranks = {0};
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY2(fixture.message().startsWith(u"No memory data|"_s), qPrintable(fixture.message()));
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
    PageFixture fixture(leaking.path());
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
    allocations.setUnreleasedOnly(true);
    fixture.settle();
    TableFeed& feed = allocations.table().table().feed();
    const auto columns = feed.source()->columns();
    const auto columnOf = [&](std::string_view name) {
        return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(),
                                                     [&](const TableColumn& column) { return column.name == name; }) -
                                        columns.begin());
    };
    feed.setSort({{.column = columnOf("size"), .descending = true}});
    fixture.settle();
    for (std::size_t place = 0; place < kSteps; ++place) {
        const std::uint32_t row = feed.rows()->row(place);
        QCOMPARE(feed.source()->cell(columnOf("size"), row), kLeak);
        QCOMPARE(QString::fromUtf8(feed.source()->text(columnOf("name"), feed.source()->cell(columnOf("name"), row))),
                 leaks.begin().key());
    }
    QVERIFY(feed.source()->cell(columnOf("size"), feed.rows()->row(kSteps)) < kLeak);
}

void TestMemoryPage::ranksThatAreNotInTheCapture_data() {
    QTest::addColumn<QList<int>>("removed");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("rank 0") << QList<int>{0} << u"Not in this capture: rank 0 of 4."_s;
    QTest::newRow("half of them") << QList<int>{1, 3} << u"Not in this capture: ranks 1, 3 of 4."_s;
}

void TestMemoryPage::ranksThatAreNotInTheCapture() {
    QFETCH(QList<int>, removed);
    QFETCH(QString, sentence);
    const LeakingCapture some(4);
    for (const int rank : removed) QVERIFY(QDir(some.path() + u"/rank%1_ascend_pt"_s.arg(rank)).removeRecursively());
    PageFixture fixture(some.path());
    QVERIFY2(fixture.page.gaps().contains(sentence), qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.shown() != nullptr && fixture.page.shown()->samples > 0);
    PageFixture whole(m_capture.path());
    QVERIFY2(whole.page.gaps().isEmpty(), qPrintable(whole.page.gaps()));
}

void TestMemoryPage::oneFileOnly_data() {
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QStringList>("sentences");
    const QString
        samples = u"No samples over time: memory_record (MEMORY_RECORD) is not there. profile_memory records it"_s,
        allocations = u"No single allocations: operator_memory (OP_MEMORY) is not there. profile_memory records it"_s,
        modules = u"No memory of modules: npu_module_mem (NPU_MODULE_MEM) is not there. profile_memory records it"_s;
    QTest::newRow("memory_record") << u"memory_record.csv"_s << QStringList{allocations, modules};
    QTest::newRow("operator_memory") << u"operator_memory.csv"_s << QStringList{samples, modules};
    QTest::newRow("npu_module_mem") << u"npu_module_mem.csv"_s << QStringList{samples, allocations};
}

void TestMemoryPage::oneFileOnly() {
    QFETCH(QString, kept);
    QFETCH(QStringList, sentences);
    const LeakingCapture some;
    for (const QString& name : {u"memory_record.csv"_s, u"operator_memory.csv"_s, u"npu_module_mem.csv"_s}) {
        if (name != kept) QVERIFY(QFile::remove(some.file(0, name)));
    }
    PageFixture fixture(some.path());
    QVERIFY(fixture.page.shown() != nullptr);
    const QString gaps = fixture.page.gaps();
    for (const QString& sentence : sentences) QVERIFY2(gaps.contains(sentence), qPrintable(gaps));
    QCOMPARE(gaps.split(u'\n').size(), sentences.size());
    QCOMPARE(fixture.page.shown()->samples > 0, kept == u"memory_record.csv"_s);
    QCOMPARE(fixture.page.shown()->allocations > 0, kept == u"operator_memory.csv"_s);
    if (kept != u"operator_memory.csv"_s) return;
    // What is there can be looked at: a moment is chosen by hand.
    QVERIFY2(fixture.page.holders().sentence().contains(u"Click a moment"_s),
             qPrintable(fixture.page.holders().sentence()));
    CurveCanvas& canvas = fixture.page.curves();
    // Times stand below the plot.
    const QImage picture = canvas.grab().toImage();
    std::set<QRgb> below;
    for (int y = canvas.plotRect().bottom() + 6; y < picture.height(); ++y) {
        for (int x = canvas.plotRect().left(); x < canvas.plotRect().right(); ++x) below.insert(picture.pixel(x, y));
    }
    QVERIFY(below.size() > 1);
    QTest::mouseClick(
        &canvas, Qt::LeftButton, {},
        QPoint(canvas.plotRect().left() + canvas.plotRect().width() * 9 / 10, canvas.plotRect().center().y()));
    fixture.settle();
    QVERIFY(fixture.page.holders().alive().has_value());
    QVERIFY(!fixture.page.holders().alive()->holders.empty());
    QVERIFY(fixture.page.holders().sentence().startsWith(u"At "_s));
}

void TestMemoryPage::oneSampleOnly() {
    const LeakingCapture single;
    single.write(0, u"memory_record.csv"_s,
                 "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device "
                 "Type\nPTA,1736428567686592.550,10.5,20,,1,NPU:0\n");
    QVERIFY(QFile::remove(single.file(0, u"operator_memory.csv"_s)));
    PageFixture fixture(single.path());
    QCOMPARE(fixture.page.shown()->samples, std::uint64_t{1});
    QVERIFY2(fixture.page.gaps().contains(u"One sample only: PTA."_s) &&
                 fixture.page.gaps().contains(u"operator_memory (OP_MEMORY) is not there"_s) &&
                 fixture.page.gaps().contains(u"No active memory"_s),
             qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->peak->value, std::int64_t{11010048});
    QVERIFY(!fixture.page.gaps().contains(u"same time"_s));
    QVERIFY(!fixture.page.holders().table().isVisible());
    // It is seen, as a point.
    const CurveFrame& frame = fixture.page.curves().frame();
    QVERIFY(frame.all.any());
}

void TestMemoryPage::stampsThatAreAllTheSame() {
    const LeakingCapture damaged;
    damaged.write(0, u"memory_record.csv"_s,
                  "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device "
                  "Type\nPTA,1.73643E+15,10.5,20,10,1,NPU:0\n"
                  "PTA,1.73643E+15,11.5,20,10,1,NPU:0\nPTA,1.73643E+15,9.5,20,10,1,NPU:0\n");
    PageFixture fixture(damaged.path());
    QVERIFY2(fixture.page.gaps().contains(u"All samples have the same time"_s), qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->peak->value, std::int64_t{12058624});
}

void TestMemoryPage::hugeValuesEnd() {
    JobRunner jobs;
    Session session(jobs);
    CurveWindow window;
    CurveCanvas canvas(session, window, CurveCanvas::Values::Bytes, CurveCanvas::Axis::Time);
    canvas.resize(800, 300);
    const std::int64_t huge = 9'000'000'000'000'000'000;
    const auto series =
        std::make_shared<const MemorySeries>(MemoryQuantity::Allocated, std::vector<std::int64_t>{0, 10, 20},
                                             std::vector<std::int64_t>{huge, huge + 2048, huge + 1});
    const TimeRange all{{0}, {30}};
    window.setExtent(all, all, all, {});
    canvas.setLines({{.name = u"huge"_s, .series = series}});
    for (const bool fromZero : {true, false}) {
        canvas.setFromZero(fromZero);
        QVERIFY(!canvas.grab().isNull());
    }
}

void TestMemoryPage::staticGraphs() {
    const LeakingCapture withGraph;
    withGraph.write(0, u"static_op_mem.csv"_s,
                    "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index "
                    "End,Size(KB)\nhost,a,0,3,0,2,1\nhost,b,0,3,2,4294967295,2\nhost,TOTAL,0,3,0,4294967295,3\n");
    PageFixture fixture(withGraph.path());
    auto* panel = fixture.page.findChild<StaticPanel*>();
    QCOMPARE(fixture.page.shown()->graphs.size(), std::size_t{1});
    QCOMPARE(panel->facts(), u"2 operator(s), at most 3.00 KiB in use at a node. The file says 3.00 KiB in total."_s);
    panel->table().table().setCurrent(0, 0);
    QCOMPARE(panel->canvas().overlay().marked, std::optional(TimeRange{{0}, {3}}));
    const QString example = panel->table().filterBar().line()->placeholderText().section(u": "_s, 1);
    QVERIFY(parseFilter(example.toStdString(), panel->table().table().feed().source()->columns()).root);
}

void TestMemoryPage::nothingIsReadOutOfSight() {
    PageFixture fixture;
    fixture.page.hide();
    fixture.open(m_capture.path());
    QVERIFY(fixture.page.shown() == nullptr);
    fixture.page.show();
    fixture.settle();
    QVERIFY(fixture.page.shown() != nullptr);
}

void TestMemoryPage::closedCaptureLeavesTheMemory() {
    PageFixture fixture(m_capture.path());
    fixture.page.allocations().table().table().setCurrent(0, 0);
    const std::weak_ptr<const CaptureStore> store = fixture.session.capture(fixture.id)->store;
    const std::weak_ptr<const RowTables> rows = store.lock()->ranks[0].rows;
    fixture.session.close(fixture.id);
    QTRY_VERIFY(store.expired() && rows.expired());
    QVERIFY(fixture.page.shown() == nullptr);
    QVERIFY(fixture.page.curves().lines().empty());
}

void TestMemoryPage::menuOfAClosedCaptureDoesNothing() {
    PageFixture fixture(m_capture.path());
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
    PageFixture fixture(m_capture.path());
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
