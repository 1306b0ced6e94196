#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/theme.h"
#include "views/timeline/time_ruler.h"

using namespace altiscope;

class TestTimeRuler : public QObject {
    Q_OBJECT
private slots:
    void labelsAreWholeOrNotThere();
};

void TestTimeRuler::labelsAreWholeOrNotThere() {
    JobRunner runner(1);
    TimelineScene scene(runner);
    TimeRuler ruler(scene);
    ruler.resize(500, 24);
    ruler.show();
    test::showIn(scene, {{1, test::captureFromTexts({"p1/t1: A[0,100000000)"})}});
    // Ticks go past both borders bit by bit; what stands there is the background alone, but for a tick in the lower half.
    for (std::int64_t begin = 0; begin < 20'000'000; begin += 250'000) {
        scene.change([&](ViewWindow& window) { window.show({{begin}, {begin + 50'000'000}}, HistoryMark::NewStep); });
        const QImage picture = ruler.grab().toImage();
        const QRgb background = themeOf(ruler.palette()).sunken.rgb();
        for (const int x : {0, 1, picture.width() - 2, picture.width() - 1}) {
            for (int y = 0; y < picture.height() / 2; ++y) QVERIFY2(picture.pixel(x, y) == background, qPrintable(QStringLiteral("%1 ns: ink at %2, %3").arg(begin).arg(x).arg(y)));
        }
    }
    runner.shutdown();
}

ALTI_TEST(TestTimeRuler)
#include "tst_time_ruler.moc"
