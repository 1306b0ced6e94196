#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/session/selection.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/message_page.h"
#include "views/snapshot/snapshot_page.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QVariantMap>

#include <string>
#include <vector>

namespace altiscope::test {

/// Snapshots of two ranks.
struct SnapshotCapture {
    SnapshotCapture() {
        const std::vector<std::string> words{
            path().toStdString(), "--format", "snapshot", "--ranks", "2", "--steps", "3", "--layers", "2"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("capture")); }

    QTemporaryDir folder;
    bool made = false;
};

/// Snapshots of one rank after iteration 9 and, later and of more steps, after iteration 10; the one of iteration 8 was
/// cut off.
struct SeriesCapture {
    SeriesCapture() {
        made = folder.isValid() && QDir().mkpath(path());
        for (const int iteration : {9, 10}) {
            const QString run = folder.filePath(QString::number(iteration));
            const std::vector<std::string> words{
                run.toStdString(), "--format", "snapshot", "--ranks", "1", "--steps", std::to_string(iteration - 7),
                "--layers",        "2"};
            ProgressSlot progress;
            const auto options = generate::parseGenerateOptions(words);
            made = made && options.ok() && generate::generateCapture(options.value(), progress, {}).ok() &&
                   QFile::copy(run + QStringLiteral("/memory_snapshot/snapshot_0.pickle"), fileOf(iteration));
        }
        QFile whole(fileOf(9)), cut(fileOf(8));
        made = made && whole.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly);
        if (made) made = cut.write(whole.readAll().chopped(whole.size() / 2)) > 0;
    }
    QString path() const { return folder.filePath(QStringLiteral("series")); }
    QString fileOf(int iteration) const { return path() + QStringLiteral("/rank0_iteration_%1.pickle").arg(iteration); }

    QTemporaryDir folder;
    bool made = false;
};

/// The page, shown, with what it needs.
struct SnapshotFixture {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
    SnapshotPage page{session, selection, memory};
    CaptureId id;

    explicit SnapshotFixture(const QString& capture = {}) {
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
    const DeviceSnapshot& device() { return *page.shown()->device; }
    QString message() const {
        const PageMessage& message = page.findChild<MessagePage*>()->message();
        return message.title + QChar(u'|') + message.reason + QChar(u'|') + message.remedy;
    }
};

}  // namespace altiscope::test
