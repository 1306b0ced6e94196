#include "tests/support/test_main.h"
#include "tests/views/timeline/canvas_stage.h"
#include "views/timeline/page/timeline_dialogs.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>

using namespace altiscope;
using altiscope::test::Stage;

/// The menu of the canvas.
class TestCanvasMenu : public QObject {
    Q_OBJECT
private slots:
    void linkedSliceOfTheMenuOutlivesTheStore();
    void whatLaunchedItIsFoundWhileTheMenuIsShown();
    void belowTheLastRowIsAMenuToo();
    void markOfTheMenuStandsWhereItWasOpened();
};

void TestCanvasMenu::linkedSliceOfTheMenuOutlivesTheStore() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(25'000, 2, 2));
    QMenu menu;
    CanvasHit hit;
    hit.slice = stage.selected.slice()->place;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    QAction* linked = nullptr;
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr && linked == nullptr) linked = action->menu()->actions().front();
    }
    QVERIFY(linked != nullptr);
    QVERIFY2(linked->text().contains(u'D'), qPrintable(linked->text()));
    // While the menu is open, another slice takes the number of D.
    test::showIn(stage.scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000) B[10000,40000) C[20000,30000)\n"
                                                           "p1/t2: D[50000,60000) E[70000,70010) N[45000,46000)"})}});
    linked->trigger();
    stage.settle();
    QCOMPARE(stage.name(), std::string("D"));
}

void TestCanvasMenu::whatLaunchedItIsFoundWhileTheMenuIsShown() {
    Stage stage;
    QTest::mouseClick(&stage.canvas, Qt::LeftButton, {}, stage.at(55'000, 3, 0));
    QCOMPARE(stage.name(), std::string("D"));
    QMenu menu;
    CanvasHit hit;
    hit.slice = stage.selected.slice()->place;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const auto linksOf = [&](const QString& title) {
        for (const QAction* action : menu.actions()) {
            if (action->text() == title) return action->menu();
        }
        return static_cast<QMenu*>(nullptr);
    };
    QMenu* causes = linksOf(QStringLiteral("La&unched by"));
    QVERIFY(causes != nullptr);
    QTRY_COMPARE(causes->actions().front()->text(), QStringLiteral("Flow: C"));
    // Nothing followed from it.
    QVERIFY(!linksOf(QStringLiteral("&Followed by"))->menuAction()->isEnabled());
    causes->actions().front()->trigger();
    stage.settle();
    QCOMPARE(stage.name(), std::string("C"));
}

void TestCanvasMenu::belowTheLastRowIsAMenuToo() {
    Stage stage;
    QSignalSpy requested(&stage.canvas, &TimelineCanvas::menuRequested);
    const QPoint below(300, stage.canvas.height() - 5);
    QContextMenuEvent event(QContextMenuEvent::Mouse, below, stage.canvas.mapToGlobal(below));
    QApplication::sendEvent(&stage.canvas, &event);
    QCOMPARE(requested.count(), 1);
    const auto hit = requested[0][0].value<std::optional<CanvasHit>>();
    QVERIFY(!hit);
    QMenu menu;
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const QList<QAction*> actions = menu.actions();
    QVERIFY(std::any_of(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text().startsWith(QStringLiteral("Show the &whole run"));
    }));
    QVERIFY(std::none_of(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text().startsWith(QStringLiteral("&List all slices"));
    }));
}

void TestCanvasMenu::markOfTheMenuStandsWhereItWasOpened() {
    Stage stage;
    QMenu menu;
    CanvasHit hit;
    hit.time = {30'000};
    hit.shift = {500};
    fillCanvasMenu(menu, hit, stage.canvas, stage.scene, stage.selected, {});
    const QList<QAction*> actions = menu.actions();
    const auto mark = std::find_if(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text().contains(QStringLiteral("\tK"));
    });
    QVERIFY(mark != actions.end());
    QSignalSpy requested(&stage.canvas, &TimelineCanvas::markRequested);
    (*mark)->trigger();
    QCOMPARE(requested.count(), 1);
    QVERIFY(requested[0][0].value<std::optional<TimeNs>>() == std::optional(TimeNs{30'500}));
}

ALTI_TEST(TestCanvasMenu)
#include "tst_canvas_menu.moc"
