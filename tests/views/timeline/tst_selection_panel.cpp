#include "core/session/session.h"
#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/tables/table_panel.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/panels/selection_panel.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>

using namespace altiscope;

namespace {

/// A canvas of 1000 x 400 pixels over 100,000 ns, and the panel that tells of what is chosen in it. Rows: rank,
/// process, t1, t2.
struct Bench {
    explicit Bench(std::initializer_list<std::string_view> ranks = {"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                                                    "p1/t2: B[50000,60000) E[70000,70010)"})
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected),
          panel(session, scene, selected, {}) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        canvas.resize(1000, 400);
        canvas.show();
        panel.resize(1000, 400);
        panel.show();
        capture = test::captureFromTexts(ranks);
        test::showIn(scene, {{1, capture}});
        scene.change([](ViewWindow& w) { w.show({{0}, {100'000}}, HistoryMark::NewStep); });
        settle();
    }
    ~Bench() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle() && scene.idle() && panel.idle(); }));
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, (from + to) / 2);
        QTest::mouseMove(&canvas, to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
        settle();
    }
    int y(std::size_t row, int lane = 0) const {
        return static_cast<int>(scene.model().rows()[row].top) + 2 + lane * 20 + 10;
    }
    QTabWidget& pages() { return *panel.findChild<QTabWidget*>(); }
    DataTable& table(int page) { return static_cast<TablePanel*>(pages().widget(page))->table(); }
    /// The first two cells of each row that is shown.
    QString rows(int page) {
        const auto& loader = table(page).loader();
        if (loader.source() == nullptr) return QStringLiteral("nothing");
        const TableSource& source = *loader.source();
        QStringList lines;
        for (std::size_t place = 0; place < loader.rows()->count; ++place) {
            const std::uint32_t row = loader.rows()->row(place);
            QStringList cells;
            for (std::size_t column = 0; column < source.columns().size(); ++column) {
                const std::string& name = source.columns()[column].name;
                if (name != "name" && name != "track" && name != "rank_id" && name != "count" && name != "sum" &&
                    name != "ts")
                    continue;
                const std::int64_t cell = source.cell(column, row);
                cells << (source.columns()[column].type == CellType::Text ? QString::fromUtf8(source.text(column, cell))
                                                                          : QString::number(cell));
            }
            lines << cells.join(u' ');
        }
        return lines.join(u';');
    }
    QString words() const {
        QStringList texts;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            if (!label->isVisibleTo(&panel)) continue;
            texts << QString(label->text()).replace(QChar(QChar::Nbsp), QChar(u' '));
        }
        return texts.join(u'\n');
    }

    JobRunner runner;
    Session session{runner};
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    SelectionPanel panel;
    std::shared_ptr<CaptureStore> capture;
};

enum Page { Names, Tracks, Ranks, Slices };

}  // namespace

class TestSelectionPanel : public QObject {
    Q_OBJECT
private slots:
    void nothingChosenSaysWhatToDo();
    void boxTellsOfItsTracksAndTime();
    void onlyDepthsOfTheBox();
    void rangeOfTheRulerIsOfAllTracks();
    void tracksAloneAreAtAllTimes();
    void rowsLeadToSlices();
    void findAllLikeThis();
    void closedCaptureIsForgotten();
    void hiddenPanelAsksNothing();
};

void TestSelectionPanel::nothingChosenSaysWhatToDo() {
    Bench bench;
    QVERIFY(bench.words().contains(QStringLiteral("Drag a box")));
    QVERIFY(!bench.pages().isVisible());
}

void TestSelectionPanel::boxTellsOfItsTracksAndTime() {
    Bench bench;
    bench.drag({100, bench.y(2, 1)}, {300, bench.y(2, 2)});
    QCOMPARE(bench.rows(Names), QStringLiteral("A 1 20000;B 1 20000;C 1 10000"));
    QCOMPARE(bench.rows(Tracks), QStringLiteral("0 Thread 1 3 50000"));
    QCOMPARE(bench.rows(Slices), QStringLiteral("0 Thread 1 A 0;0 Thread 1 B 10000;0 Thread 1 C 20000"));
    QVERIFY2(bench.words().contains(QStringLiteral("3 slices (2 reach beyond the range)")), qPrintable(bench.words()));
    bench.drag({100, bench.y(2, 2)}, {700, bench.y(3)});
    QCOMPARE(bench.rows(Names), QStringLiteral("A 1 60000;B 2 40000;C 1 10000"));
    QCOMPARE(bench.rows(Tracks), QStringLiteral("0 Thread 1 3 100000;0 Thread 2 1 10000"));
    // Without its range there is no box.
    bench.canvas.perform(TimelineAction::ClearSelection);
    bench.settle();
    QVERIFY(bench.selected.tracks() == nullptr);
    QVERIFY(bench.words().contains(QStringLiteral("Drag a box")));
}

void TestSelectionPanel::onlyDepthsOfTheBox() {
    Bench bench;
    bench.drag({100, bench.y(2, 1)}, {300, bench.y(2, 2)});
    bench.panel.findChild<QCheckBox*>()->setChecked(true);
    bench.settle();
    QCOMPARE(bench.rows(Names), QStringLiteral("B 1 20000;C 1 10000"));
}

void TestSelectionPanel::rangeOfTheRulerIsOfAllTracks() {
    Bench bench({"p1/t1: A[0,100000)", "p1/t1: A[50000,60000)"});
    bench.drag({100, bench.y(2)}, {300, bench.y(2)});
    QCOMPARE(bench.rows(Ranks), QStringLiteral("0 1 20000"));
    bench.canvas.dragRange(400, 550, true);
    bench.settle();
    QCOMPARE(bench.rows(Ranks), QStringLiteral("0 1 15000;1 1 5000"));
}

void TestSelectionPanel::tracksAloneAreAtAllTimes() {
    Bench bench;
    bench.selected.chooseTracks(tracksOf(bench.scene.model(), bench.scene.model().rows()[3]));
    bench.settle();
    QCOMPARE(bench.rows(Names), QStringLiteral("B 1 10000;E 1 10"));
    // A range does not change which tracks they are.
    bench.canvas.dragRange(650, 900, true);
    bench.settle();
    QCOMPARE(bench.rows(Names), QStringLiteral("E 1 10"));
    bench.selected.chooseAllTracks();
    bench.settle();
    QCOMPARE(bench.rows(Names), QStringLiteral("A 1 25000;E 1 10"));
}

void TestSelectionPanel::rowsLeadToSlices() {
    Bench bench;
    bench.canvas.dragRange(0, 1000, true);
    bench.settle();
    emit bench.table(Names).activated(1);
    QVERIFY(
        QTest::qWaitFor([&] { return bench.rows(Slices) == QStringLiteral("0 Thread 1 B 10000;0 Thread 2 B 50000"); }));
    QCOMPARE(bench.pages().currentIndex(), static_cast<int>(Slices));
    emit bench.table(Slices).activated(bench.table(Slices).loader().rows()->row(1));
    bench.settle();
    QVERIFY(bench.selected.slice());
    QCOMPARE(bench.selected.slice()->place.range, (TimeRange{{50'000}, {60'000}}));
}

void TestSelectionPanel::findAllLikeThis() {
    Bench bench({"p1/t1: A[0,100) say\"hi\"[200,300)", "p1/t1: B[0,100) say\"hi\"[400,500)"});
    bench.selected.markRange({{0}, {50}}, 0);
    bench.panel.listLike({1}, "say\"hi\"");
    QVERIFY(QTest::qWaitFor(
        [&] { return bench.rows(Slices) == QStringLiteral("0 Thread 1 say\"hi\" 200;1 Thread 1 say\"hi\" 400"); }));
    // Until something else is selected.
    bench.selected.markRange({{0}, {500}}, 0);
    bench.settle();
    QCOMPARE(bench.rows(Slices),
             QStringLiteral("0 Thread 1 A 0;1 Thread 1 B 0;0 Thread 1 say\"hi\" 200;1 Thread 1 say\"hi\" 400"));
}

void TestSelectionPanel::closedCaptureIsForgotten() {
    Bench bench;
    bench.canvas.dragRange(0, 1000, true);
    bench.settle();
    const std::weak_ptr<const CaptureStore> store = bench.capture;
    bench.capture.reset();
    test::showIn(bench.scene, {});
    bench.settle();
    QVERIFY(QTest::qWaitFor([&] { return store.expired(); }));
}

void TestSelectionPanel::hiddenPanelAsksNothing() {
    Bench bench;
    bench.panel.hide();
    bench.canvas.dragRange(0, 1000, true);
    QTest::qWait(150);
    QCOMPARE(bench.rows(Names), QStringLiteral("nothing"));
    bench.panel.show();
    bench.settle();
    QCOMPARE(bench.rows(Names), QStringLiteral("A 1 100000;B 2 40000;C 1 10000;E 1 10"));
}

ALTI_TEST(TestSelectionPanel)
#include "tst_selection_panel.moc"
