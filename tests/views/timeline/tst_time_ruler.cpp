#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/time_ruler.h"

#include <QContextMenuEvent>
#include <QSignalSpy>

using namespace altiscope;

class TestTimeRuler : public QObject {
    Q_OBJECT
private slots:
    void labelsAreWholeOrNotThere();
    void flagsAreEditedByDoubleClick();
};

void TestTimeRuler::labelsAreWholeOrNotThere() {
    JobRunner runner(1);
    TimelineScene scene(runner);
    TimeRuler ruler(scene);
    ruler.resize(500, 24);
    ruler.show();
    test::showIn(scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000000)"})}});
    // Ticks go past both borders bit by bit; what stands there is the background alone, but for a tick in the lower
    // half.
    for (std::int64_t begin = 0; begin < 20'000'000; begin += 250'000) {
        scene.change([&](ViewWindow& window) { window.show({{begin}, {begin + 50'000'000}}, HistoryMark::NewStep); });
        const QImage picture = ruler.grab().toImage();
        const QRgb background = themeOf(ruler.palette()).sunken.rgb();
        for (const int x : {0, 1, picture.width() - 2, picture.width() - 1}) {
            for (int y = 0; y < picture.height() / 2; ++y)
                QVERIFY2(picture.pixel(x, y) == background,
                         qPrintable(QStringLiteral("%1 ns: ink at %2, %3").arg(begin).arg(x).arg(y)));
        }
    }
    runner.shutdown();
}

void TestTimeRuler::flagsAreEditedByDoubleClick() {
    JobRunner runner(1);
    TimelineScene scene(runner);
    TimeRuler ruler(scene);
    ruler.resize(500, 24);
    ruler.show();
    test::showIn(scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000)"})}});
    scene.change([](ViewWindow& window) { window.show({{0}, {100'000}}, HistoryMark::NewStep); });
    // A moment at 100 px, a range from 200 to 400 px.
    scene.setMarks(
        {{.capture = {1}, .place = 0, .range = {{20'000}, {20'000}}, .name = QStringLiteral("a"), .note = {}},
         {.capture = {1}, .place = 1, .range = {{40'000}, {80'000}}, .name = QStringLiteral("b"), .note = {}}});
    QSignalSpy opened(&ruler, &TimeRuler::markOpened), menu(&ruler, &TimeRuler::markMenuRequested);
    const auto at = [&](int x, int y) { QTest::mouseDClick(&ruler, Qt::LeftButton, {}, {x, y}); };
    at(103, 4);
    at(204, 4);
    at(350, 22);
    QCOMPARE(opened.count(), 3);
    QCOMPARE(opened[0][0].value<std::size_t>(), std::size_t{0});
    QCOMPARE(opened[1][0].value<std::size_t>(), std::size_t{1});
    QCOMPARE(opened[2][0].value<std::size_t>(), std::size_t{1});
    QContextMenuEvent event(QContextMenuEvent::Mouse, {103, 4}, ruler.mapToGlobal(QPoint(103, 4)));
    QApplication::sendEvent(&ruler, &event);
    QCOMPARE(menu.count(), 1);
    QCOMPARE(menu[0][0].value<std::size_t>(), std::size_t{0});
    // Beside flags a double click shows the whole run, as it does without any.
    const TimeRange home = scene.window().home();
    scene.change([](ViewWindow& window) { window.show({{0}, {50'000}}, HistoryMark::NewStep); });
    at(300, 4);
    QCOMPARE(opened.count(), 3);
    QCOMPARE(scene.window().range(), home);
    runner.shutdown();
}

ALTI_TEST(TestTimeRuler)
#include "tst_time_ruler.moc"
