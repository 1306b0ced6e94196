#include "tests/support/test_main.h"
#include "tests/views/timeline/golden/golden_picture.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/common/theme/theme.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/rows/row_titles.h"

#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QStandardPaths>

using namespace altiscope;

namespace {

constexpr int kWidth = 640, kHeight = 400;
constexpr std::int64_t kAll = 64'000;  // ns: 100 a pixel

/// Everything that a canvas draws, within 64 us.
std::string fixture() {
    std::string many, tight, spikes = "p1/c:Power";
    // Neighbours within a pixel, one of them long: runs. Then some with a pixel of background between.
    for (int i = 0; i < 150; ++i)
        many += " tick[" + std::to_string(4000 + i * 40) + ',' + std::to_string(4000 + i * 40 + 30) + ')';
    for (int i = 0; i < 40; ++i)
        many += " tock[" + std::to_string(12'000 + i * 300) + ',' + std::to_string(12'000 + i * 300 + 200) + ')';
    for (int i = 0; i < 60; ++i)
        tight += " op" + std::to_string(i % 7) + '[' + std::to_string(2000 + i * 1000) + ',' +
                 std::to_string(2000 + i * 1000 + 150 + 13 * i) + ')';
    for (int i = 0; i < 64; ++i) spikes += " W[" + std::to_string(i * 1000) + "]=" + std::to_string(20 + (i * 7) % 13);
    spikes += " W[41003]=90 W[41004]=22";
    return "p1/t1: step[0,62000) forward[2000,30000) linear[3000,14000) matmul[4000,9000) add[9000,9900) "
           "attention[15000,29000) softmax[16000,22000) "
           "backward[32000,61000) linear_backward[34000,48000) gather.of.a.long.name[50000,53000) !mark[31000] "
           "!mark[31040] !lost[63000]\n"
           "p1/t2:" +
           many + " tail[30000,60000)\n" + spikes +
           "\n"
           "p1/c:Memory used[0]=1 reserved[0]=4 used[20000]=3 used[40000]=2 reserved[40000]=6\n"
           "p2/t1: kernelA[6000,12000) kernelB[13000,24000) kernelA[25000,33000) allReduce[36000,56000)\n"
           "p2/t2:" +
           tight +
           "\n"
           "p3/t1: queue[0,30000) wait[31000,31005) copy[40000,63000) part[42000,50000)\n"
           "p3/t2: other[10000,20000) last[63990,64000)\n"
           "p4/t1: outer[1000,60000) middle[2000,40000) inner[3000,20000) inner[21000,22000) inner[23000,39000)\n"
           "flow launch:1 p1/t1@4000 -> p2/t1@6000\n"
           "flow launch:2 p1/t1@9000 -> p2/t1@13000\n"
           "flow launch:3 p1/t1@16000 -> p2/t1@25000\n"
           "flow launch:4 p1/t1@34000 -> p2/t1@36000\n"
           "flow queue:5 p3/t1@0 -> p2/t2@2000\n"
           "flow queue:6 p3/t1@0 -> p2/t2@60000\n";
}

QFont testFont() {
    const int id = QFontDatabase::addApplicationFont(QStringLiteral(ALTI_TEST_FONT));
    const QStringList families = QFontDatabase::applicationFontFamilies(id);
    // The canvas draws texts a tenth smaller: 9 points, 12 pixels.
    QFont font(families.value(0), 10);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);
    return font;
}

/// A canvas of the fixture, expanded but for process 3 and the thread of process 4.
class GoldenStage {
public:
    explicit GoldenStage(const Theme& theme)
        : runner(2), scene(runner), selected(scene, selection), canvas(scene, selected) {
        canvas.setFont(testFont());
        canvas.setPalette(paletteOf(theme));
        canvas.setFocusPolicy(Qt::NoFocus);
        canvas.resize(kWidth, kHeight);
        canvas.show();
        capture = test::captureFromTexts({fixture()});
        test::showIn(scene, {{.capture = {1}, .store = capture}});
        scene.change([](ViewWindow& window) { window.show({{0}, {kAll}}, HistoryMark::NewStep); });
        scene.setAllExpanded(true);
        shut(TimelineRowKind::Process, u"3");
        shut(TimelineRowKind::Thread, u"1", 4);
        settle();
    }
    ~GoldenStage() { runner.shutdown(); }

    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return scene.idle() && canvas.idle() && selected.idle(); }));
    }
    QImage picture() {
        settle();
        return canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
    }
    void mouse(QEvent::Type type, QPoint at, Qt::MouseButtons held, Qt::KeyboardModifiers modifiers = {}) {
        const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, QPointF(at), canvas.mapToGlobal(QPointF(at)), button, held, modifiers);
        QApplication::sendEvent(&canvas, &event);
    }
    /// Place of a row; `process` counts from 1, 0: any.
    std::size_t row(TimelineRowKind kind, QStringView title, int process = 0) const {
        const auto& rows = scene.model().rows();
        int processes = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].kind == TimelineRowKind::Process) ++processes;
            if (rows[i].kind == kind && rowTitle(scene.model().sources(), rows[i]).endsWith(title) &&
                (process == 0 || process == processes))
                return i;
        }
        qFatal("no such row");
    }
    void shut(TimelineRowKind kind, QStringView title, int process = 0) {
        scene.setExpanded(row(kind, title, process), false);
    }
    QPoint at(std::int64_t ns, std::size_t row, int lane) const {
        const TimelineRow& place = scene.model().rows()[row];
        return {static_cast<int>(ns / (kAll / kWidth)),
                static_cast<int>(scene.viewport().yOf(place, place.top)) + lane * 20 + 12};
    }

    JobRunner runner;
    TimelineScene scene;
    Selection selection;
    TimelineSelection selected;
    TimelineCanvas canvas;
    std::shared_ptr<CaptureStore> capture;
};

void compare(const QString& name, const QImage& found) {
    const QString file = test::goldenFile(name);
    if (qEnvironmentVariableIsSet("ALTI_NEW_GOLDEN")) {
        QVERIFY2(found.save(file), qPrintable(file));
        QFAIL(qPrintable(QStringLiteral("a new picture is written, look at it: ") + file));
    }
    const QImage wanted(file);
    QVERIFY2(!wanted.isNull(), qPrintable(QStringLiteral("no picture; set ALTI_NEW_GOLDEN to write it: ") + file));
    const test::PictureDifference difference = test::differenceOfPictures(wanted, found);
    if (difference.pixels == 0) return;
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation));
    folder.mkpath(QStringLiteral("."));
    found.save(folder.filePath(name + QStringLiteral(".png")));
    difference.shown.save(folder.filePath(name + QStringLiteral("_difference.png")));
    QFAIL(qPrintable(QStringLiteral("%1 pixels of %2 differ, the first at %3, %4; see %5")
                         .arg(difference.pixels)
                         .arg(name)
                         .arg(difference.first.x())
                         .arg(difference.first.y())
                         .arg(folder.path())));
}

}  // namespace

/// The canvas at the scale of this run (QT_SCALE_FACTOR) against pictures that a person has looked at.
class TestGoldenPictures : public QObject {
    Q_OBJECT
private slots:
    void theTestFontIsThere();
    void aChangedPixelIsFound();
    void tracks_data() { themes(); }
    void tracks();
    void asking();

private:
    static void themes();
    static QString nameOf(const char* picture, const Theme& theme, qreal scale) {
        return QStringLiteral("%1_%2_%3")
            .arg(QLatin1String(picture), theme.dark ? QLatin1String("dark") : QLatin1String("light"))
            .arg(scale);
    }
};

void TestGoldenPictures::themes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestGoldenPictures::theTestFontIsThere() {
    QCOMPARE(QFontInfo(testFont()).family(), QStringLiteral("Altiscope Test"));
}

void TestGoldenPictures::aChangedPixelIsFound() {
    GoldenStage stage(lightTheme());
    const QImage found = stage.picture();
    QCOMPARE(test::differenceOfPictures(found, found).pixels, qsizetype{0});
    QImage changed = found;
    changed.setPixel(17, 23, changed.pixel(17, 23) ^ 0x000004);
    const auto difference = test::differenceOfPictures(found, changed);
    QCOMPARE(difference.pixels, qsizetype{1});
    QCOMPARE(difference.first, QPoint(17, 23));
    QVERIFY(test::differenceOfPictures(found, found.copy(0, 0, 10, 10)).pixels > 0);
}

/// Nested slices, runs, counters with a spike, instants, a collapsed process and thread, pinned rows, all flows, marks,
/// a selection.
void TestGoldenPictures::tracks() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    GoldenStage stage(theme);
    TrackArrangement arrangement;
    arrangement.pinned = {
        stage.scene.model().sources().keyOf(stage.scene.model().rows()[stage.row(TimelineRowKind::Thread, u"1", 2)])};
    stage.scene.arrange(arrangement);
    stage.scene.setMarks({{.capture = {1},
                           .place = 0,
                           .range = {{44'000}, {44'000}},
                           .hue = 3,
                           .name = QStringLiteral("here"),
                           .note = {}},
                          {.capture = {1},
                           .place = 1,
                           .range = {{57'000}, {61'000}},
                           .hue = 9,
                           .name = QStringLiteral("slow"),
                           .note = {}}});
    stage.canvas.flows().setChosen({"launch", "queue"});
    stage.settle();
    stage.selected.select({1}, {0}, stage.capture->ranks[0].trace, SliceIndex{6});
    compare(nameOf("tracks", theme, stage.canvas.devicePixelRatioF()), stage.picture());
}

/// A range marked on a track, and what is said about the slice under the pointer.
void TestGoldenPictures::asking() {
    const Theme& theme = lightTheme();
    GoldenStage stage(theme);
    const std::size_t thread = stage.row(TimelineRowKind::Thread, u"1", 1);
    stage.mouse(QEvent::MouseButtonPress, stage.at(17'000, thread, 1), Qt::LeftButton);
    stage.mouse(QEvent::MouseMove, stage.at(47'000, thread, 3), Qt::LeftButton);
    stage.mouse(QEvent::MouseButtonRelease, stage.at(47'000, thread, 3), Qt::NoButton);
    stage.settle();
    stage.mouse(QEvent::MouseMove, stage.at(6'000, thread, 3), Qt::NoButton);
    compare(nameOf("asking", theme, stage.canvas.devicePixelRatioF()), stage.picture());
}

ALTI_TEST(TestGoldenPictures)
#include "tst_golden_pictures.moc"
