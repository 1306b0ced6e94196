#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/rows/row_titles.h"

#include <QSignalSpy>

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QTimer>

using namespace altiscope;

namespace {

/// The names of four threads of one process beside their canvas; groups and lanes are 20 high, threads 24.
struct Names {
    Names() : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected), header(scene) {
        scene.setMetrics({.lane = 20, .group = 20, .counter = 40, .strip = 3, .gap = 4});
        for (QWidget* widget : {static_cast<QWidget*>(&canvas), static_cast<QWidget*>(&header)}) {
            widget->resize(300, 200);
            widget->show();
        }
        capture = test::captureFromTexts({"p1/t1: A[0,100)\np1/t2: B[0,100)\np1/t3: C[0,100)\np1/t4: D[0,100)"});
        test::showIn(scene, {{1, capture}});
        settle();
    }
    ~Names() { runner.shutdown(); }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return canvas.idle() && selected.idle(); }));
    }
    QString order() const {
        QString text;
        for (const TimelineRow& row : scene.model().rows()) {
            if (row.pinned) text += u'^';
            if (row.kind == TimelineRowKind::Thread) text += rowTitle(scene.model().sources(), row).right(1);
        }
        return text;
    }
    RowKey key(QChar thread) const {
        for (const TimelineRow& row : scene.model().rows()) {
            if (row.kind == TimelineRowKind::Thread && rowTitle(scene.model().sources(), row).endsWith(thread))
                return scene.model().sources().keyOf(row);
        }
        return {};
    }
    /// In the middle of the row of this thread.
    QPoint at(QChar thread, int x = 100) const {
        for (const TimelineRow& row : scene.model().rows()) {
            if (row.kind == TimelineRowKind::Thread && rowTitle(scene.model().sources(), row).endsWith(thread))
                return {x, static_cast<int>(scene.viewport().yOf(row, row.top)) + row.height / 2};
        }
        return {};
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&header, Qt::LeftButton, {}, from);
        QTest::mouseMove(&header, (from + to) / 2);
        QTest::mouseMove(&header, to);
        QTest::mouseRelease(&header, Qt::LeftButton, {}, to);
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    TrackHeader header;
    std::shared_ptr<CaptureStore> capture;
};

}  // namespace

class TestTrackHeader : public QObject {
    Q_OBJECT
private slots:
    void pinIsClicked();
    void rowIsDragged();
    void pinnedRowsAreDraggedIntoOrder();
    void escapeStopsADrag();
    void siblingsGoDuringADrag();
    void lowerEdgeIsDragged();
    void keysPinMoveAndUndo();
    void hideTakesAllChosenRows();
    void clickOnAPinnedSliceSelectsIt();
    void rowsBelowThePinnedOnesAreNotHit();
};

void TestTrackHeader::pinIsClicked() {
    Names names;
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'3', 290));
    QCOMPARE(names.order(), QStringLiteral("^3124"));
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'3', 290));
    QCOMPARE(names.order(), QStringLiteral("1234"));
}

void TestTrackHeader::rowIsDragged() {
    Names names;
    names.drag(names.at(u'1'), names.at(u'3'));
    QCOMPARE(names.order(), QStringLiteral("2314"));
    names.drag(names.at(u'4'), names.at(u'2'));
    QCOMPARE(names.order(), QStringLiteral("4231"));
    // Far outside is the end.
    names.drag(names.at(u'4'), {100, 900});
    QCOMPARE(names.order(), QStringLiteral("2314"));
}

void TestTrackHeader::pinnedRowsAreDraggedIntoOrder() {
    Names names;
    for (const QChar thread : {u'4', u'2', u'1'})
        QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(thread, 290));
    QCOMPARE(names.order(), QStringLiteral("^4^2^13"));
    names.drag(names.at(u'1'), names.at(u'4'));
    QCOMPARE(names.order(), QStringLiteral("^1^4^23"));
}

void TestTrackHeader::escapeStopsADrag() {
    Names names;
    QTest::mousePress(&names.header, Qt::LeftButton, {}, names.at(u'1'));
    QTest::mouseMove(&names.header, names.at(u'3'));
    QTest::keyClick(&names.header, Qt::Key_Escape);
    QTest::mouseRelease(&names.header, Qt::LeftButton, {}, names.at(u'3'));
    QCOMPARE(names.order(), QStringLiteral("1234"));
}

void TestTrackHeader::siblingsGoDuringADrag() {
    Names names;
    const RowKey second = names.key(u'2'), fourth = names.key(u'4');
    QTest::mousePress(&names.header, Qt::LeftButton, {}, names.at(u'4'));
    QTest::mouseMove(&names.header, names.at(u'3'));
    names.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {second}});
    QTest::mouseMove(&names.header, names.at(u'1'));
    QTest::mouseRelease(&names.header, Qt::LeftButton, {}, names.at(u'1'));
    QCOMPARE(names.order(), QStringLiteral("413"));
    // One that goes itself is let go.
    QTest::mousePress(&names.header, Qt::LeftButton, {}, names.at(u'4'));
    QTest::mouseMove(&names.header, names.at(u'3'));
    names.scene.setFilter({.text = {}, .hiddenKinds = {}, .hidden = {second, fourth}});
    QTest::mouseMove(&names.header, names.at(u'3'));
    QTest::mouseRelease(&names.header, Qt::LeftButton, {}, names.at(u'3'));
    names.scene.setFilter({});
    QCOMPARE(names.order(), QStringLiteral("4213"));
}

void TestTrackHeader::lowerEdgeIsDragged() {
    Names names;
    const QPoint edge = names.at(u'2') + QPoint(0, 12);
    names.drag(edge, edge + QPoint(0, 30));
    const TimelineRow row = names.scene.model().rows()[3];
    QCOMPARE(row.height, 54);
    QTest::mouseDClick(&names.header, Qt::LeftButton, {}, edge + QPoint(0, 30));
    QCOMPARE(names.scene.model().rows()[3].height, 24);
    // The whole drag was one step.
    names.scene.undoArrangement();
    QCOMPARE(names.scene.model().rows()[3].height, 54);
    names.scene.undoArrangement();
    QCOMPARE(names.scene.model().rows()[3].height, 24);
}

void TestTrackHeader::keysPinMoveAndUndo() {
    Names names;
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'2'));
    QTest::keyClick(&names.header, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(names.order(), QStringLiteral("1324"));
    QTest::keyClick(&names.header, Qt::Key_P);
    QCOMPARE(names.order(), QStringLiteral("^2134"));
    QTest::keyClick(&names.header, Qt::Key_U);
    QTest::keyClick(&names.header, Qt::Key_U);
    QCOMPARE(names.order(), QStringLiteral("1234"));
    QTest::keyClick(&names.header, Qt::Key_U, Qt::ShiftModifier);
    QCOMPARE(names.order(), QStringLiteral("1324"));
}

void TestTrackHeader::hideTakesAllChosenRows() {
    Names names;
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'1'));
    QTest::mouseClick(&names.header, Qt::LeftButton, Qt::ControlModifier, names.at(u'3'));
    const auto hideAt = [&](QPoint at) {
        QTimer::singleShot(0, &names.header, [] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text() == QStringLiteral("&Hide")) action->trigger();
            }
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, names.header.mapToGlobal(at));
        QApplication::sendEvent(&names.header, &event);
    };
    hideAt(names.at(u'3'));
    QCOMPARE(names.order(), QStringLiteral("24"));
    // A row that is none of the chosen goes alone.
    names.scene.setFilter({});
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'1'));
    QTest::mouseClick(&names.header, Qt::LeftButton, Qt::ControlModifier, names.at(u'3'));
    hideAt(names.at(u'4'));
    QCOMPARE(names.order(), QStringLiteral("123"));
}

void TestTrackHeader::clickOnAPinnedSliceSelectsIt() {
    Names names;
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'4', 290));
    names.scene.viewport().setScrollTop(30);
    names.settle();
    QTest::mouseClick(&names.canvas, Qt::LeftButton, {}, {150, 12});
    names.settle();
    QVERIFY(names.selected.slice());
    QCOMPARE(names.selected.slice()->trace->name(names.selected.slice()->place.slice), std::string_view("D"));
}

void TestTrackHeader::rowsBelowThePinnedOnesAreNotHit() {
    Names names;
    names.canvas.resize(300, 80);  // too low for a group that stays in sight
    QTest::mouseClick(&names.header, Qt::LeftButton, {}, names.at(u'4', 290));
    names.scene.viewport().setScrollTop(40);  // thread 1 begins right below the pinned row
    names.settle();
    for (const auto& [y, name] : {std::pair(12, "D"), std::pair(24 + 12, "A"), std::pair(48 + 12, "B")}) {
        QTest::mouseClick(&names.canvas, Qt::LeftButton, {}, {150, y});
        names.settle();
        QVERIFY(names.selected.slice());
        QCOMPARE(names.selected.slice()->trace->name(names.selected.slice()->place.slice), std::string_view(name));
    }
}

ALTI_TEST(TestTrackHeader)
#include "tst_track_header.moc"
