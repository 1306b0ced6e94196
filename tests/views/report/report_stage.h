#pragma once

#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/common/support/view_memory.h"

#include <QFile>
#include <QTemporaryDir>
#include <QVariantMap>

#include <string>
#include <vector>

namespace altiscope::test {

/// A capture of the generator.
struct GeneratedRun {
    explicit GeneratedRun(std::vector<std::string> words) {
        words.insert(words.begin(), path().toStdString());
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        isMade = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("run")); }

    QTemporaryDir folder;
    bool isMade = false;
};

inline QByteArray contentOf(const QString& file) {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// What a page needs.
struct PageStage {
    QVariantMap kept;
    ViewMemory memory{[this](const QString& name) { return kept.value(name); },
                      [this](const QString& name, const QVariant& value) { kept[name] = value; }};
    JobRunner jobs;
    Session session{jobs};
    Selection selection;
};

}  // namespace altiscope::test
