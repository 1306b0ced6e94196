#include "core/tables/filters/filter_expression.h"
#include "core/tables/rows/snapshot_rows.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/views/snapshot/snapshot_stage.h"
#include "views/common/plots/frame_canvas.h"
#include "views/common/tables/table_panel.h"
#include "views/snapshot/canvas/block_canvas.h"
#include "views/snapshot/canvas/pool_canvas.h"
#include "views/snapshot/data/block_details.h"
#include "views/snapshot/data/snapshot_tables.h"
#include "views/snapshot/panels/difference_panel.h"
#include "views/snapshot/panels/growth_panel.h"
#include "views/snapshot/panels/shortage_panel.h"
#include "views/snapshot/panels/snapshot_bar.h"
#include "views/snapshot/panels/stack_panel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QWheelEvent>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

std::size_t rowsOf(TablePanel& panel) { return panel.table().loader().rows()->count; }

/// A pixel at which the picture shows a block; null: nowhere.
QPoint pixelOfAnyBlock(BlockCanvas& canvas) {
    const QRect plot = canvas.plotRect();
    for (int y = plot.top(); y < plot.bottom(); ++y) {
        for (int x = plot.left(); x < plot.right(); ++x) {
            if (canvas.blockAt({x, y}) != kNoBlock) return {x, y};
        }
    }
    return {};
}

}  // namespace

/// The page of memory snapshots with generated ones: what it shows, and how its parts lead to each other.
class TestSnapshotPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }

    void thePeakIsSelectedAtFirst() {
        SnapshotFixture fixture(m_capture.path());
        QVERIFY(fixture.page.shown() != nullptr);
        std::int64_t most = 0;
        for (EventNumber at = kBeforeHistory; at < fixture.device().events; ++at)
            most = std::max(most, fixture.device().allocatedAt(at));
        QCOMPARE(fixture.device().allocatedAt(fixture.page.selection().eventNumber()), most);
        QCOMPARE(rowsOf(fixture.page.blocks()), fixture.device().blocks.size());
        QCOMPARE(rowsOf(fixture.page.events()), static_cast<std::size_t>(fixture.device().events));
        QVERIFY(rowsOf(fixture.page.segments()) > 0);
    }

    void devicesAreShownApart() {
        SnapshotFixture fixture(m_capture.path());
        auto* devices = fixture.page.bar().findChild<QComboBox*>();
        QCOMPARE(devices->count(), 2);
        const auto first = fixture.page.shown();
        devices->setCurrentIndex(1);
        emit devices->activated(1);
        fixture.settle();
        QVERIFY(fixture.page.shown() != first);
        QVERIFY(fixture.page.shown()->choice.rows != first->choice.rows);
    }

    void usesOfTheSelectedBlockAreMarked_data() {
        QTest::addColumn<QString>("name");
        QTest::addRow("database") << u"memscope_dump_1.db"_s;
        QTest::addRow("csv") << u"memscope_dump_1.csv"_s;
    }
    void usesOfTheSelectedBlockAreMarked() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString file = folder.filePath(name);
        QVERIFY(runScript("make_memscope.py", {file.toStdString(), "--events", "300", "--seed", "4"}));
        SnapshotFixture fixture(file);
        auto* devices = fixture.page.bar().findChild<QComboBox*>();
        devices->setCurrentIndex(devices->count() - 1);
        emit devices->activated(devices->count() - 1);
        fixture.settle();
        BlockCanvas& canvas = fixture.page.canvas();
        QVERIFY(!canvas.uses());
        // The largest block with a use between others is high enough to be seen.
        BlockNumber wanted = kNoBlock;
        for (BlockNumber number = 0; number < fixture.device().blocks.size(); ++number) {
            const auto uses = blockUses(fixture.device(), number, {});
            if (!uses || uses->count < 2 || !canvas.frame().picture) continue;
            if (blockIdleness(*canvas.frame().picture, number, *uses, 0xFF000000).isNull()) continue;
            if (wanted == kNoBlock || fixture.device().blocks[number].bytes > fixture.device().blocks[wanted].bytes)
                wanted = number;
        }
        QVERIFY(wanted != kNoBlock);
        const QImage before = canvas.grab().toImage();
        fixture.page.selection().setBlock(wanted);
        fixture.settle();
        QVERIFY(canvas.uses());
        QVERIFY(fixture.page.details().toPlainText().contains(u"First use"_s));
        QVERIFY(fixture.page.details().toPlainText().contains(u"Longest idle"_s));
        QVERIFY(canvas.grab().toImage() != before);
        // Hatched where nobody used it, and nowhere else.
        const BlockPicture& picture = *canvas.frame().picture;
        const QImage idle = blockIdleness(picture, wanted, *canvas.uses(), 0xFF000000);
        for (int column = 0; column < idle.width(); ++column) {
            const EventNumber at = picture.moments[static_cast<std::size_t>(column)];
            const bool isUsed = at >= canvas.uses()->first && at < canvas.uses()->last &&
                                !(at >= canvas.uses()->idle.begin && at < canvas.uses()->idle.end);
            for (int row = 0; row < idle.height(); ++row) {
                if (qAlpha(idle.pixel(column, row)) != 0) QVERIFY(!isUsed && picture.at(column, row) == wanted);
            }
        }
        fixture.page.selection().setBlock(kNoBlock);
        fixture.settle();
        QVERIFY(!canvas.uses() && !fixture.page.details().toPlainText().contains(u"First use"_s));
    }

    void aClickSelectsTheBlockEverywhere() {
        SnapshotFixture fixture(m_capture.path());
        BlockCanvas& canvas = fixture.page.canvas();
        const QPoint at = pixelOfAnyBlock(canvas);
        QVERIFY(!at.isNull());
        const BlockNumber block = canvas.blockAt(at);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        fixture.settle();
        QCOMPARE(fixture.page.selection().block(), block);
        // The event is one at which it is there.
        QVERIFY(fixture.device().blocks[block].isThereAt(fixture.page.selection().eventNumber()));
        QCOMPARE(fixture.page.blocks().table().currentRow(), block);
        const QString address = u"0x"_s + QString::number(fixture.device().blocks[block].address, 16);
        QVERIFY(fixture.page.details().toPlainText().contains(address));
        QVERIFY(canvas.tipAt(at).contains(address));
        // Its neighbours and its segment are known.
        QVERIFY(fixture.page.details().toPlainText().contains(u"Segment"_s));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QCOMPARE(fixture.page.selection().block(), kNoBlock);
    }

    void tablesLeadToTheBlockAndTheEvent() {
        SnapshotFixture fixture(m_capture.path());
        fixture.page.tabs().setCurrentWidget(&fixture.page.events());
        fixture.page.activateWindow();
        DataTable& events = fixture.page.events().table();
        events.setFocus();
        QVERIFY(QTest::qWaitFor([&] { return events.hasFocus(); }, 2000));
        events.setCurrent(7, SnapshotEventRows::Event);
        QCOMPARE(fixture.page.selection().eventNumber(), 7);
        fixture.page.tabs().setCurrentWidget(&fixture.page.blocks());
        DataTable& blocks = fixture.page.blocks().table();
        blocks.setFocus();
        blocks.setCurrent(3, SnapshotBlockRows::Address);
        QCOMPARE(fixture.page.selection().block(), 3u);
        QVERIFY(fixture.device().blocks[3].isThereAt(fixture.page.selection().eventNumber()));
    }

    void keysStepAndPlay() {
        SnapshotFixture fixture(m_capture.path());
        fixture.page.selection().setEvent(10);
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_Period);
        QCOMPARE(fixture.page.selection().eventNumber(), 11);
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_Comma);
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_Comma);
        QCOMPARE(fixture.page.selection().eventNumber(), 9);
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_Space);
        QVERIFY(fixture.page.bar().isPlaying());
        QVERIFY(QTest::qWaitFor([&] { return fixture.page.selection().eventNumber() > 10; }, 3000));
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_Space);
        QVERIFY(!fixture.page.bar().isPlaying());
        // Neither before the history nor after its end.
        fixture.page.bar().step(-1'000'000);
        QCOMPARE(fixture.page.selection().eventNumber(), kBeforeHistory);
        fixture.page.bar().step(1'000'000'000);
        QCOMPARE(fixture.page.selection().eventNumber(), fixture.device().last());
        QTest::keyClick(&fixture.page.canvas(), Qt::Key_P);
        QCOMPARE(fixture.page.selection().eventNumber(), fixture.page.shown()->peak);
    }

    void keysAndWheelMoveTheWindow() {
        SnapshotFixture fixture(m_capture.path());
        EventWindow& window = fixture.page.window();
        BlockCanvas& canvas = fixture.page.canvas();
        const std::int64_t whole = window.end() - window.begin(), height = window.high() - window.low();
        QTest::keyClick(&canvas, Qt::Key_W);
        QVERIFY(window.end() - window.begin() < whole);
        QCOMPARE(window.high() - window.low(), height);
        QTest::keyClick(&canvas, Qt::Key_W, Qt::ShiftModifier);
        QVERIFY(window.high() - window.low() < height);
        QTest::keyClick(&canvas, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(window.end() - window.begin(), whole);
        QCOMPARE(window.high() - window.low(), height);
        const QPointF middle = canvas.plotRect().center();
        QWheelEvent wheel(middle, canvas.mapToGlobal(middle), {}, {0, 120}, {}, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &wheel);
        QVERIFY(window.end() - window.begin() < whole);
        // Turns of the wheel are a step of their own.
        QTest::keyClick(&canvas, Qt::Key_Backspace);
        QCOMPARE(window.end() - window.begin(), whole);
        // A box zooms in both directions.
        const QRect plot = canvas.plotRect();
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::AltModifier, plot.center());
        QMouseEvent move(QEvent::MouseMove, QPointF(plot.center() + QPoint(60, 40)),
                         canvas.mapToGlobal(QPointF(plot.center())), Qt::NoButton, Qt::LeftButton, Qt::AltModifier);
        QApplication::sendEvent(&canvas, &move);
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::AltModifier, plot.center() + QPoint(60, 40));
        QVERIFY(window.end() - window.begin() < whole / 4);
        QVERIFY(window.high() - window.low() < height / 2);
        fixture.settle();
        QVERIFY(canvas.frame().picture->query.begin == window.begin());
    }

    void aMarkedRangeIsWhatChurnSumsUp() {
        SnapshotFixture fixture(m_capture.path());
        fixture.page.selection().setMarked(EventRange{5, 25});
        fixture.page.stacks().setWhen(StackPanel::When::Churn);
        fixture.settle();
        std::int64_t bytes = 0;
        for (EventNumber at = 5; at < 25; ++at) {
            const SnapshotEntryView entry = fixture.device().entry(at);
            if (entry.action == SnapshotAction::Alloc) bytes += entry.size;
        }
        QVERIFY(bytes > 0);
        QCOMPARE(fixture.page.stacks().canvas().source()->tree().nodes.front().weight, bytes);
        fixture.page.stacks().setWhen(StackPanel::When::Peak);
        fixture.settle();
        QCOMPARE(fixture.page.stacks().canvas().source()->tree().nodes.front().weight,
                 fixture.device().activeAt(fixture.page.shown()->peak));
    }

    void icicleZoomsSearchesAndLists() {
        SnapshotFixture fixture(m_capture.path());
        fixture.page.tabs().setCurrentWidget(&fixture.page.stacks());
        fixture.settle();
        FrameCanvas& canvas = fixture.page.stacks().canvas();
        QVERIFY(canvas.source()->tree().nodes.size() > 3);
        const int row = canvas.minimumSizeHint().height() / static_cast<int>(canvas.source()->tree().depth + 2);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, {5, row + row / 2});
        QCOMPARE(canvas.root(), 1u);
        QVERIFY(canvas.tipAt({5, row + row / 2}).contains(u"(100 %)"_s) || !canvas.tipAt({5, row + row / 2}).isEmpty());
        QTest::keyClick(&canvas, Qt::Key_Backspace);
        QCOMPARE(canvas.root(), 0u);
        fixture.page.stacks().findChild<QLineEdit*>()->setText(u"FORWARD"_s);
        QVERIFY(canvas.found()->frames > 0);
        const std::string_view frame = canvas.source()->text(1);
        emit fixture.page.stacks().frameRequested(
            QString::fromUtf8(frame.data(), static_cast<qsizetype>(frame.size())));
        fixture.settle();
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&fixture.page.blocks()));
        std::size_t expected = 0;
        for (const BlockLife& block : fixture.device().blocks)
            expected += fixture.device().stackText(block.stack).find(frame) != std::string_view::npos ? 1 : 0;
        QVERIFY(expected > 0);
        QCOMPARE(rowsOf(fixture.page.blocks()), expected);
    }

    void differenceOfTwoMomentsAndOfTwoSnapshots() {
        SnapshotFixture fixture(m_capture.path());
        const auto sumOf = [&] {
            TablePanel& table = fixture.page.difference().table();
            const auto& source = table.table().loader().source();
            std::int64_t sum = 0;
            for (std::size_t row = 0; source != nullptr && row < source->rowCount(); ++row)
                sum += source->cell(static_cast<std::size_t>(StackChangeColumn::Change), row);
            return sum;
        };
        fixture.page.difference().setBase(20);
        fixture.page.selection().setEvent(fixture.page.shown()->peak);
        fixture.settle();
        QCOMPARE(sumOf(), fixture.device().activeAt(fixture.page.shown()->peak) - fixture.device().activeAt(20));
        auto* sides = fixture.page.difference().findChild<QComboBox*>();
        QCOMPARE(sides->count(), 2);
        sides->setCurrentIndex(1);
        emit sides->activated(1);
        fixture.page.selection().setEvent(fixture.device().last());
        fixture.settle();
        // The other rank of the generated run holds as much at its end, or the change says how much more.
        const auto choices = snapshotChoices(fixture.id, *fixture.session.capture(fixture.id)->store, {});
        const auto other = deviceSnapshot(choices[1].rows, choices[1].device.device, nullptr, {});
        QCOMPARE(sumOf(), fixture.device().activeAt(fixture.device().last()) - other->activeAt(other->last()));
    }

    void allSnapshotsOfARankCanBeChosen() {
        const SeriesCapture series;
        QVERIFY(series.made);
        SnapshotFixture fixture(series.path());
        auto* choices = fixture.page.bar().findChild<QComboBox*>();
        QStringList titles;
        for (int i = 0; i < choices->count(); ++i) titles << choices->itemText(i).section(u" · "_s, -1);
        QCOMPARE(titles, QStringList({u"rank0_iteration_10.pickle"_s, u"rank0_iteration_9.pickle"_s,
                                      u"rank0_iteration_8.pickle"_s}));
        const EventNumber last = fixture.device().last();
        const auto choose = [&](int row) {
            choices->setCurrentIndex(row);
            emit choices->activated(row);
            fixture.settle();
        };
        choose(1);
        QVERIFY(fixture.page.shown() != nullptr);
        // Two steps have a shorter history than three, and it is the file's own.
        QVERIFY(fixture.device().last() < last);
        SnapshotFixture alone(series.fileOf(9));
        QCOMPARE(fixture.device().events, alone.device().events);
        QCOMPARE(fixture.device().active, alone.device().active);
        // A snapshot that cannot be read is said, and the others are there still.
        choose(2);
        QVERIFY(fixture.page.shown() == nullptr);
        QVERIFY2(fixture.message().contains(u"rank0_iteration_8.pickle"_s), qPrintable(fixture.message()));
        QCOMPARE(choices->count(), 3);
        choose(0);
        QVERIFY(fixture.page.shown() != nullptr);
        QCOMPARE(fixture.device().last(), last);
    }

    void differenceOfTwoSnapshotsOfOneRank() {
        const SeriesCapture series;
        QVERIFY(series.made);
        SnapshotFixture fixture(series.path());
        DifferencePanel& panel = fixture.page.difference();
        auto* sides = panel.findChild<QComboBox*>();
        QCOMPARE(sides->count(), 3);
        sides->setCurrentIndex(1);
        emit sides->activated(1);
        fixture.settle();
        // The ends of both are compared at once.
        QCOMPARE(fixture.page.selection().eventNumber(), fixture.device().last());
        SnapshotFixture alone(series.fileOf(9));
        const std::int64_t before = alone.device().activeAt(alone.device().last()),
                           after = fixture.device().activeAt(fixture.device().last());
        const auto sumOf = [&](TablePanel& table, std::size_t column, const char* word) {
            const auto& source = table.table().loader().source();
            std::int64_t sum = 0;
            for (std::size_t row = 0; source != nullptr && row < source->rowCount(); ++row)
                if (word == nullptr || source->text(0, source->cell(0, row)) == word) sum += source->cell(column, row);
            return sum;
        };
        QCOMPARE(sumOf(panel.table(), static_cast<std::size_t>(StackChangeColumn::Change), nullptr), after - before);
        QVERIFY(panel.sentence().contains(u"rank0_iteration_9.pickle"_s));
        panel.setWhat(DifferencePanel::What::Blocks);
        fixture.settle();
        constexpr auto kBytes = static_cast<std::size_t>(LoneBlockColumn::Bytes);
        QCOMPARE(sumOf(panel.blocks(), kBytes, "after") - sumOf(panel.blocks(), kBytes, "before"), after - before);
        panel.setWhat(DifferencePanel::What::Totals);
        fixture.settle();
        constexpr auto kAfter = static_cast<std::size_t>(PoolShareColumn::After);
        QCOMPARE(sumOf(panel.totals(), kAfter, "reserved"), fixture.device().reservedAt(fixture.device().last()));
        QCOMPARE(sumOf(panel.totals(), kAfter, nullptr), 2 * fixture.device().reservedAt(fixture.device().last()));
        sides->setCurrentIndex(2);
        emit sides->activated(2);
        fixture.settle();
        QVERIFY2(panel.sentence().contains(u"rank0_iteration_8.pickle"_s), qPrintable(panel.sentence()));
    }

    void whyOutOfMemorySaysWhatThePoolProves() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"oom.pkl"_s);
        const QByteArray script =
            "import pickle\nMB=1<<20\nB=1<<40\nt=[]\nsegments=[]\n"
            "for i in range(3):\n"
            " a=B+i*200*MB\n"
            " t.append(dict(action='segment_alloc',addr=a,size=40*MB,stream=0,frames=[]))\n"
            " f=[dict(filename='/src/model.py',line=i,name='pinned')]\n"
            " t.append(dict(action='alloc',addr=a,size=20*MB,stream=0,frames=f))\n"
            " segments.append(dict(device=0,address=a,total_size=40*MB,stream=0,blocks=[\n"
            "  dict(address=a,size=20*MB,requested_size=20*MB,state='active_allocated',frames=f),\n"
            "  dict(address=a+20*MB,size=20*MB,requested_size=0,state='inactive',frames=[])]))\n"
            "t.append(dict(action='oom',size=50*MB,stream=0,device_free=3*MB,frames=[]))\n"
            "import sys\n"
            "pickle.dump(dict(segments=segments,device_traces=[t]),open(sys.argv[1],'wb'))\n";
        const QString program = folder.filePath(u"make.py"_s);
        QFile out(program);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(script);
        out.close();
        QCOMPARE(std::system(("python3 '" + program.toStdString() + "' '" + file.toStdString() + "'").c_str()), 0);
        SnapshotFixture fixture(file);
        QVERIFY(fixture.page.shown() != nullptr);
        // What failed is what is looked at first.
        QCOMPARE(fixture.page.selection().eventNumber(), 6);
        const auto& shortage = fixture.page.shortage().shown();
        QVERIFY(shortage && shortage->isFailure);
        QCOMPARE(shortage->requested, std::int64_t{50} << 20);
        QCOMPARE(shortage->remedies.size(), std::size_t{1});
        const QString html = shortageHtml(*fixture.page.shown(), *shortage);
        QVERIFY2(html.contains(u"expandable_segments:True"_s) && html.contains(u"60.0 MiB"_s), qPrintable(html));
        QVERIFY2(html.contains(u"device_free"_s) && html.contains(u"3.00 MiB"_s), qPrintable(html));
    }

    void growthNamesTheStackAndItsStep() {
        const QTemporaryDir folder;
        const std::vector<std::string> words{folder.filePath(u"leak"_s).toStdString(),
                                             "--format",
                                             "snapshot",
                                             "--ranks",
                                             "1",
                                             "--steps",
                                             "6",
                                             "--layers",
                                             "2",
                                             "--plant",
                                             "leak=8000000"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        QVERIFY(options.ok() && generate::generateCapture(options.value(), progress, {}).ok());
        SnapshotFixture fixture(folder.filePath(u"leak"_s));
        fixture.page.tabs().setCurrentWidget(&fixture.page.growth());
        fixture.settle();
        const auto& source = fixture.page.growth().table().table().loader().source();
        QVERIFY(source != nullptr && source->rowCount() > 0);
        std::int64_t growth = 0, stack = 0;
        source->read(static_cast<std::size_t>(StackGrowthColumn::Growth), 0, {&growth, 1});
        source->read(static_cast<std::size_t>(StackGrowthColumn::Stack), 0, {&stack, 1});
        QVERIFY(source->text(static_cast<std::size_t>(StackGrowthColumn::Stack), stack).find("keep_outputs") !=
                std::string_view::npos);
        QVERIFY2(growth > 7'920'000 && growth < 8'080'000, qPrintable(QString::number(growth)));
        QVERIFY2(fixture.page.growth().text().contains(u"step"_s), qPrintable(fixture.page.growth().text()));
        emit fixture.page.growth().table().table().activated(0);
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&fixture.page.blocks()));
        // A finding leads to the growth of its stack.
        fixture.page.showPlace(
            {.capture = fixture.id,
             .rank = {0},
             .stack = QString::fromUtf8(source->text(static_cast<std::size_t>(StackGrowthColumn::Stack), stack))});
        fixture.settle();
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&fixture.page.growth()));
        QCOMPARE(fixture.page.growth().table().table().loader().rows()->count, std::size_t{1});
        QVERIFY(!fixture.page.growth().table().table().loader().problem());
    }

    /// Evidence opened the first rank of the list, whichever it was about.
    void aPlaceIsShownOfItsRank() {
        SnapshotFixture fixture(m_capture.path());
        const auto rankOf = [&] { return fixture.page.shown()->choice.rank; };
        QCOMPARE(rankOf(), RankIndex{0});
        const std::int64_t device = fixture.session.capture(fixture.id)->store->ranks[1].info.rankId.value();
        fixture.page.showPlace({.capture = fixture.id, .rank = {1}, .device = device, .event = 5});
        fixture.settle();
        QCOMPARE(rankOf(), RankIndex{1});
        QCOMPARE(fixture.page.selection().eventNumber(), 5);
        fixture.page.showPlace({.capture = fixture.id, .rank = {0}});
        fixture.settle();
        QCOMPARE(rankOf(), RankIndex{0});
        QCOMPARE(fixture.page.tabs().currentWidget(), static_cast<QWidget*>(&fixture.page.blocks()));
        // One that is not there changes nothing.
        fixture.page.showPlace({.capture = fixture.id, .rank = {7}, .event = 5});
        fixture.settle();
        QCOMPARE(rankOf(), RankIndex{0});
    }

    void filtersAndHeadingsFitTheirTables() {
        SnapshotFixture fixture(m_capture.path());
        const struct {
            TablePanel& panel;
            std::size_t headings;
        } all[] = {{fixture.page.blocks(), blockHeadings(fixture.device()).size()},
                   {fixture.page.events(), eventHeadings(fixture.device()).size()},
                   {fixture.page.segments(), segmentHeadings().size()},
                   {fixture.page.growth().table(), stackGrowthHeadings(StepSource::None).size()},
                   {fixture.page.difference().table(), stackChangeHeadings().size()}};
        for (const auto& each : all) {
            const auto& source = each.panel.table().loader().source();
            QVERIFY(source != nullptr);
            QCOMPARE(source->columns().size(), each.headings);
            const QString example = each.panel.filterBar().line()->placeholderText();
            const QString filter = example.mid(example.indexOf(u": "_s) < 0 ? 0 : example.indexOf(u": "_s) + 2);
            const ParsedFilter parsed = parseFilter(filter.toStdString(), source->columns());
            QVERIFY2(!parsed.problem, qPrintable(filter));
        }
    }

    void anEventSaysWhichRangesOfTheProgramItWasIn() {
        const QTemporaryDir folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path().toStdString()}));
        SnapshotFixture fixture(folder.filePath(u"ranges_at123456716.pkl"_s));
        QVERIFY(fixture.page.shown() != nullptr);
        const DeviceSnapshot& device = fixture.device();
        EventNumber within = 0;
        while (within < device.events && device.rangesAt(within, 9).size() < 2) ++within;
        QVERIFY(within < device.events);
        QStringList names;
        for (const std::string_view name : device.rangesAt(within, 9))
            names << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        fixture.page.selection().setBlock(kNoBlock);
        fixture.page.selection().setEvent(within);
        QVERIFY(fixture.page.details().toPlainText().contains(names.join(u" › "_s)));
    }

    /// The folders of files fill a cell before their names.
    void stacksInTablesLeaveTheFoldersOut() {
        const ColumnHeading heading = stackGrowthHeadings(StepSource::None).front();
        QCOMPARE(heading.word(u"/opt/torch/adam.py(7): step\nx.cpp(0): at::empty(int, /b)\nmain.py(1): f"_s),
                 u"adam.py(7): step ← x.cpp(0): at::empty(int, /b) ← main.py(1): f"_s);
    }

    void annotationsColourBlocksAndAreFound() {
        const QTemporaryDir folder;
        QVERIFY(runScript("make_snapshot.py", {folder.path().toStdString()}));
        SnapshotFixture fixture(folder.filePath(u"timed_at123456711.pkl"_s));
        QVERIFY(fixture.page.shown() != nullptr);
        const DeviceSnapshot& device = fixture.device();
        const auto allColours = fixture.page.bar().findChildren<QComboBox*>();
        auto* colours = *std::find_if(allColours.begin(), allColours.end(),
                                      [](QComboBox* box) { return box->findText(u"Annotation"_s) >= 0; });
        QCOMPARE(colours->count(), 5);
        colours->setCurrentIndex(4);
        emit colours->activated(4);
        fixture.settle();
        QVERIFY(fixture.page.bar().colouring() == BlockColouring::Annotation);
        // Blocks of one annotation have one colour, of the others another one.
        const BlockColours of(device, BlockColouring::Annotation, themeOf(fixture.page.palette()));
        std::map<std::string_view, QRgb> byText;
        for (BlockNumber i = 0; i < device.blocks.size(); ++i) {
            const BlockLife& block = device.blocks[i];
            const std::string_view text = block.begin < 0 ? std::string_view() : device.entryAnnotation(block.begin);
            QCOMPARE(device.annotationText(block.annotation), text);
            QCOMPARE(byText.try_emplace(text, of.of(i)).first->second, of.of(i));
        }
        QVERIFY(byText.size() > 3 && byText.contains(std::string_view()));
        std::set<QRgb> different;
        for (const auto& [text, colour] : byText) different.insert(colour);
        QCOMPARE(different.size(), byText.size());
        // What is shown of one that looks like markup is what was written.
        const auto marked = std::find_if(device.blocks.begin(), device.blocks.end(), [&](const BlockLife& block) {
            return device.annotationText(block.annotation) == "向前 <b>" && block.begin >= 0 &&
                   device.timeAt(block.begin);
        });
        QVERIFY(marked != device.blocks.end());
        fixture.page.selection().setBlock(static_cast<BlockNumber>(marked - device.blocks.begin()));
        QVERIFY(fixture.page.details().toPlainText().contains(u"向前 <b>"_s));
        // The document has other blanks in the time than the text.
        QVERIFY(blockDetailsHtml(*fixture.page.shown(), fixture.page.selection().block(), nullptr)
                    .contains(entryTimeText(device, marked->begin)));
        fixture.page.selection().setBlock(kNoBlock);
        fixture.page.selection().setEvent(marked->begin);
        QVERIFY(fixture.page.details().toPlainText().contains(u"向前 <b>"_s));
        // Found in both tables.
        std::size_t events = 0, blocks = 0, early = 0;
        for (EventNumber at = 0; at < device.events; ++at) {
            events += device.entryAnnotation(at).find("forward") != std::string_view::npos ? 1 : 0;
            const auto time = device.timeAt(at);
            early += time && time->value < device.firstTime->value + 500'000 ? 1 : 0;
        }
        for (const BlockLife& block : device.blocks)
            blocks += device.annotationText(block.annotation).find("forward") != std::string_view::npos ? 1 : 0;
        QVERIFY(events > 0 && blocks > 0 && early > 0);
        fixture.page.events().filterBar().addChip(u"annotation ~ \"forward\""_s);
        fixture.page.blocks().filterBar().addChip(u"annotation ~ \"forward\""_s);
        fixture.settle();
        QCOMPARE(rowsOf(fixture.page.events()), events);
        QCOMPARE(rowsOf(fixture.page.blocks()), blocks);
        fixture.page.events().filterBar().clear();
        fixture.page.events().filterBar().addChip(u"ts < 500us"_s);
        fixture.settle();
        QCOMPARE(rowsOf(fixture.page.events()), early);
        // A snapshot without any has nothing to choose; the choice is kept for the next.
        fixture.open(m_capture.path());
        QCOMPARE(colours->count(), 4);
        QVERIFY(fixture.page.bar().colouring() == BlockColouring::Stack);
        QCOMPARE(fixture.page.events().table().loader().source()->columns().size(),
                 std::size_t{SnapshotEventRows::Time});
        fixture.open(folder.filePath(u"annotated_at123456710.pkl"_s));
        QVERIFY(fixture.page.bar().colouring() == BlockColouring::Annotation);
    }

    void withoutASnapshotTheSwitchIsNamed() {
        SnapshotFixture fixture;
        QVERIFY(fixture.page.shown() == nullptr);
        const QTemporaryDir folder;
        const std::vector<std::string> words{folder.filePath(u"text"_s).toStdString(), "--steps", "1", "--layers", "1"};
        ProgressSlot progress;
        QVERIFY(generate::generateCapture(generate::parseGenerateOptions(words).value(), progress, {}).ok());
        fixture.open(folder.filePath(u"text"_s));
        QVERIFY(fixture.page.shown() == nullptr);
        QVERIFY2(fixture.message().contains(u"_record_memory_history"_s), qPrintable(fixture.message()));
    }

    void aClosedCaptureLeavesTheMemory() {
        SnapshotFixture fixture(m_capture.path());
        const std::weak_ptr<const LoadedSnapshot> shown = fixture.page.shown();
        fixture.session.close(fixture.id);
        fixture.settle();
        QVERIFY(fixture.page.shown() == nullptr);
        QVERIFY(QTest::qWaitFor([&] { return shown.expired(); }, 3000));
    }

    void samplesAreShown() {
        const auto folder = sharedData("snapshot");
        if (!folder) QSKIP(kNoSharedData);
        SnapshotFixture fixture(QString::fromStdString((*folder / "snapshot_expandable.pkl").string()));
        QVERIFY(fixture.page.shown() != nullptr);
        QCOMPARE(fixture.device().events, 8092);
        QVERIFY(!pixelOfAnyBlock(fixture.page.canvas()).isNull());
    }

private:
    SnapshotCapture m_capture;
};

ALTI_TEST(TestSnapshotPage)
#include "tst_snapshot_page.moc"
