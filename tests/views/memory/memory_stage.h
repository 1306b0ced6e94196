#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "tests/support/test_main.h"
#include "tests/views/memory/memory_files.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/message_page.h"
#include "views/common/theme/mark_colour.h"
#include "views/common/theme/theme.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/memory_page.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QVariantMap>

namespace altiscope::test {

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
    QString path() const { return folder.filePath(QStringLiteral("capture")); }
    QString file(int rank, const QString& name) const {
        return path() + QStringLiteral("/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/").arg(rank) + name;
    }
    void write(int rank, const QString& name, const QByteArray& content) const {
        QFile out(file(rank, name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(content);
    }

    QTemporaryDir folder;
    bool made = false;
};

/// The page, shown, with what it needs.
struct MemoryFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    Marks marks{session, {}};
    MemoryPage page{session, selection, marks, memory};
    CaptureId id;

    explicit MemoryFixture(const QString& capture = {}) {
        page.resize(1000, 800);
        page.show();
        if (!capture.isEmpty()) open(capture);
    }
    void open(const QString& capture) {
        id = openAndWait(session, capture);
        QVERIFY(id != kNoCapture);
        settle();
    }
    void settle() {
        QVERIFY(QTest::qWaitFor([this] { return page.idle() && jobs.idle(); }, 10'000));
    }
    QString message() const {
        return page.findChild<MessagePage*>()->message().title + QChar(u'|') +
               page.findChild<MessagePage*>()->message().remedy;
    }
};

/// Pixels in the colour of a curve, in the picture of its canvas.
inline int pixelsOf(CurveCanvas& canvas, std::size_t line) {
    const QImage picture = canvas.grab(canvas.plotRect()).toImage();
    const QRgb colour = markColour(canvas.lines()[line].hue, themeOf(canvas.palette())).rgb();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) count += picture.pixel(x, y) == colour ? 1 : 0;
    }
    return count;
}

}  // namespace altiscope::test
