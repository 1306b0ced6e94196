#include "core/generate/generate_capture.h"
#include "tests/app/gui/window_program.h"
#include "views/timeline/canvas/timeline_canvas.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// The window that most notebooks have room for.
constexpr QSize kSize(1280, 800);
constexpr std::size_t kLabels = 30;
constexpr double kUsed = 0.6;

}  // namespace

/// First picture of the timeline, before any key or click.
class TestFirstPicture : public QObject {
    Q_OBJECT
private slots:
    void tellsByItself_data();
    void tellsByItself();
};

void TestFirstPicture::tellsByItself_data() {
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 2, 4, 8, 16, 64}) QTest::addRow("%d", ranks) << ranks;
}

void TestFirstPicture::tellsByItself() {
    QFETCH(int, ranks);
    const QTemporaryDir folder;
    const QString place = folder.filePath(QStringLiteral("run"));
    generate::GenerateOptions options;
    options.output = place.toStdString();
    options.ranks = static_cast<std::uint32_t>(ranks);
    ProgressSlot progress;
    QVERIFY(generate::generateCapture(options, progress, {}).ok());
    Program program({}, {}, kSize);
    program.window->keepView(ViewId::Timeline);
    program.window->open({place});
    QVERIFY(program.waitUntilIdle());
    auto* canvas = program.window->findChild<TimelineCanvas*>();
    QVERIFY(canvas != nullptr && canvas->isVisible());
    program.window->grab();
    const std::size_t labels = canvas->loader().labelCount();
    // A step of the generated model has six long collectives; kernels, a hundredth of it long, have no room for a name.
    constexpr std::size_t kLong = 6;
    const std::size_t needed = ranks < 4 ? 0 : std::min(kLabels, kLong * static_cast<std::size_t>(ranks));
    QVERIFY2(labels >= needed, qPrintable(QStringLiteral("%1 labels").arg(labels)));
    // Lines of the canvas that are not all background.
    const QImage picture = canvas->grab().toImage();
    int used = 0;
    for (int y = 0; y < picture.height(); ++y) {
        bool isEmpty = true;
        for (int x = 0; x < picture.width() && isEmpty; x += 4)
            isEmpty = picture.pixel(x, y) == picture.pixel(0, picture.height() - 1);
        used += isEmpty ? 0 : 1;
    }
    const double part = static_cast<double>(used) / picture.height();
    QVERIFY2(part >= kUsed, qPrintable(QStringLiteral("%1 of the canvas").arg(part)));
}

ALTI_TEST(TestFirstPicture)
#include "tst_first_picture.moc"
