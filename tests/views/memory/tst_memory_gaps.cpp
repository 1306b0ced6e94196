#include "core/tables/filters/filter_expression.h"
#include "tests/support/shared_data.h"
#include "tests/views/memory/memory_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/panels/allocation_panel.h"
#include "views/memory/panels/holder_panel.h"
#include "views/memory/panels/memory_curves.h"
#include "views/memory/panels/static_panel.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <set>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// Memory of captures that lack something: what the page says is missing, and what it shows all the same.
class TestMemoryGaps : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void nothingRecorded();
    void oneRankWithout();
    void ranksThatAreNotInTheCapture_data();
    void ranksThatAreNotInTheCapture();
    void oneFileOnly_data();
    void oneFileOnly();
    void oneSampleOnly();
    void stampsThatAreAllTheSame();
    void hugeValuesEnd();
    void aLowPageShowsRowsAndWholeTexts();
    void theNumberOfRowsDoesNotLieOverARow();
    void memoryOfAnotherYearIsNoLineAtTheEdgeOfFourMonths();
    void staticGraphs();

private:
    LeakingCapture m_capture;
};

void TestMemoryGaps::nothingRecorded() {
    MemoryFixture fixture;
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

void TestMemoryGaps::oneRankWithout() {
    const LeakingCapture half;
    for (const char* name : {"memory_record.csv", "operator_memory.csv", "npu_module_mem.csv"})
        QVERIFY(QFile::remove(half.file(0, QLatin1String(name))));
    MemoryFixture fixture(half.path());
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

void TestMemoryGaps::ranksThatAreNotInTheCapture_data() {
    QTest::addColumn<QList<int>>("removed");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("rank 0") << QList<int>{0} << u"Not in this capture: rank 0 of 4."_s;
    QTest::newRow("half of them") << QList<int>{1, 3} << u"Not in this capture: ranks 1, 3 of 4."_s;
}

void TestMemoryGaps::ranksThatAreNotInTheCapture() {
    QFETCH(QList<int>, removed);
    QFETCH(QString, sentence);
    const LeakingCapture some(4);
    for (const int rank : removed) QVERIFY(QDir(some.path() + u"/rank%1_ascend_pt"_s.arg(rank)).removeRecursively());
    MemoryFixture fixture(some.path());
    QVERIFY2(fixture.page.gaps().contains(sentence), qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.page.shown() != nullptr && fixture.page.shown()->samples > 0);
    MemoryFixture whole(m_capture.path());
    QVERIFY2(whole.page.gaps().isEmpty(), qPrintable(whole.page.gaps()));
}

void TestMemoryGaps::oneFileOnly_data() {
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QStringList>("sentences");
    const QString samples =
                      u"No samples over time: memory_record (MEMORY_RECORD) is missing. profile_memory records it"_s,
                  allocations =
                      u"No individual allocations: operator_memory (OP_MEMORY) is missing. profile_memory records it"_s,
                  modules =
                      u"No module memory: npu_module_mem (NPU_MODULE_MEM) is missing. profile_memory records it"_s;
    QTest::newRow("memory_record") << u"memory_record.csv"_s << QStringList{allocations, modules};
    QTest::newRow("operator_memory") << u"operator_memory.csv"_s << QStringList{samples, modules};
    QTest::newRow("npu_module_mem") << u"npu_module_mem.csv"_s << QStringList{samples, allocations};
}

void TestMemoryGaps::oneFileOnly() {
    QFETCH(QString, kept);
    QFETCH(QStringList, sentences);
    const LeakingCapture some;
    for (const QString& name : {u"memory_record.csv"_s, u"operator_memory.csv"_s, u"npu_module_mem.csv"_s}) {
        if (name != kept) QVERIFY(QFile::remove(some.file(0, name)));
    }
    MemoryFixture fixture(some.path());
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

void TestMemoryGaps::oneSampleOnly() {
    const LeakingCapture single;
    single.write(0, u"memory_record.csv"_s,
                 "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device "
                 "Type\nPTA,1736428567686592.550,10.5,20,,1,NPU:0\n");
    QVERIFY(QFile::remove(single.file(0, u"operator_memory.csv"_s)));
    MemoryFixture fixture(single.path());
    QCOMPARE(fixture.page.shown()->samples, std::uint64_t{1});
    QVERIFY2(fixture.page.gaps().contains(u"One sample only: PTA."_s) &&
                 fixture.page.gaps().contains(u"operator_memory (OP_MEMORY) is missing"_s) &&
                 fixture.page.gaps().contains(u"No active memory"_s),
             qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->peak->value, std::int64_t{11010048});
    QVERIFY(!fixture.page.gaps().contains(u"same time"_s));
    QVERIFY(!fixture.page.holders().table().isVisible());
    // It is seen, as a point.
    QVERIFY(pixelsOf(fixture.page.curves(), 0) > 0);
}

void TestMemoryGaps::stampsThatAreAllTheSame() {
    const LeakingCapture damaged;
    damaged.write(0, u"memory_record.csv"_s,
                  "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device "
                  "Type\nPTA,1.73643E+15,10.5,20,10,1,NPU:0\n"
                  "PTA,1.73643E+15,11.5,20,10,1,NPU:0\nPTA,1.73643E+15,9.5,20,10,1,NPU:0\n");
    MemoryFixture fixture(damaged.path());
    QVERIFY2(fixture.page.gaps().contains(u"All samples have the same time"_s), qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->peak->value, std::int64_t{12058624});
}

void TestMemoryGaps::hugeValuesEnd() {
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

void TestMemoryGaps::staticGraphs() {
    const LeakingCapture withGraph;
    withGraph.write(0, u"static_op_mem.csv"_s,
                    "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index "
                    "End,Size(KB)\nhost,a,0,3,0,2,1\nhost,b,0,3,2,4294967295,2\nhost,TOTAL,0,3,0,4294967295,3\n");
    MemoryFixture fixture(withGraph.path());
    auto* panel = fixture.page.findChild<StaticPanel*>();
    QCOMPARE(fixture.page.shown()->graphs.size(), std::size_t{1});
    QCOMPARE(panel->facts(), u"2 operator(s), at most 3.00 KiB in use at a node. The file says 3.00 KiB in total."_s);
    panel->table().table().setCurrent(0, 0);
    QCOMPARE(panel->canvas().overlay().marked, std::optional(TimeRange{{0}, {3}}));
    const QString example = panel->table().filterBar().line()->placeholderText().section(u": "_s, 1);
    QVERIFY(parseFilter(example.toStdString(), panel->table().table().loader().source()->columns()).root);
}

/// In a low window "14 rows" stood over the third of them, where the sentence above took two lines.
void TestMemoryGaps::theNumberOfRowsDoesNotLieOverARow() {
    MemoryFixture fixture(m_capture.path());
    auto& holders = *fixture.page.findChild<HolderPanel*>();
    for (int height = 600; height >= 320; height -= 10) {
        fixture.page.resize(600, height);
        QTest::qWait(1);
        const QLabel* sentence = holders.findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(sentence->height() >= sentence->heightForWidth(sentence->width()));
        const TablePanel& panel = holders.table();
        QVERIFY(sentence->geometry().bottom() < panel.geometry().top());
        QVERIFY2(panel.geometry().bottom() <= holders.rect().bottom(), qPrintable(QString::number(height)));
        const QLabel* status = panel.findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(!status->geometry().intersects(panel.table().geometry()));
        QVERIFY(panel.table().geometry().bottom() <= panel.rect().bottom());
    }
}

/// On a small screen of high density headings stood over no rows, and boxes said "Rank (" and "Overal".
void TestMemoryGaps::aLowPageShowsRowsAndWholeTexts() {
    MemoryFixture fixture(m_capture.path());
    fixture.page.resize(600, 320);
    QTest::qWait(20);
    QCOMPARE(fixture.page.size(), QSize(600, 320));
    const DataTable& table = fixture.page.findChild<HolderPanel*>()->table().table();
    QVERIFY(table.loader().rows()->count > 2);
    QVERIFY(table.viewport()->height() >= 2 * table.fontMetrics().height() * 13 / 10);
    for (const QComboBox* box : fixture.page.findChildren<QComboBox*>())
        QVERIFY2(!box->isVisible() || box->width() >= box->sizeHint().width(), qPrintable(box->currentText()));
    const auto shares = fixture.page.upper().findChildren<CurveCanvas*>();
    QCOMPARE(shares.size(), 2);
    QCOMPARE(std::count_if(shares.begin(), shares.end(), [](const CurveCanvas* one) { return one->isVisible(); }), 1);
    fixture.page.resize(1000, 800);
    QTest::qWait(20);
    QCOMPARE(std::count_if(shares.begin(), shares.end(), [](const CurveCanvas* one) { return one->isVisible(); }), 2);
}

/// Tasks of 2023 and memory of 2024 in one database: the plot opened on 12,000,000 s.
void TestMemoryGaps::memoryOfAnotherYearIsNoLineAtTheEdgeOfFourMonths() {
    const auto folder = sharedData("msprof_db");
    if (!folder) QSKIP(kNoSharedData);
    MemoryFixture fixture(QString::fromStdString((*folder / "msprof_0.db").string()));
    QVERIFY(fixture.page.shown() != nullptr && fixture.page.shown()->isOfAnotherRecording);
    fixture.page.followTimeline({{1'698'220'811'391'886'870}, {1'698'220'811'766'891'580}}, false);
    const TimeRange shown = fixture.page.window().window().range();
    QVERIFY(shown.begin.value >= 1'710'490'360'000'000'000 && shown.length().value < 10'000'000'000);
    QVERIFY(!fixture.page.takeWindow());
    QStringList texts;
    for (const QLabel* label : fixture.page.findChildren<QLabel*>()) texts << label->text();
    QVERIFY(texts.join(u'\n').contains(u"from a different recording than the timeline"_s));
    QVERIFY(!texts.join(u'\n').contains(u"12,269,5"_s));
}

ALTI_TEST(TestMemoryGaps)
#include "tst_memory_gaps.moc"
