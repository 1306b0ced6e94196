#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/session/selection.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/pages/message_page.h"
#include "views/snapshot/snapshot_page.h"

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
