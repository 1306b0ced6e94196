#pragma once

#include "core/generate/generate_capture.h"
#include "core/session/session.h"

#include <QTemporaryDir>
#include <QTest>

#include <string>
#include <vector>

namespace altiscope::test {

/// A small capture in which rules find what was planted: two ranks, rank 1 computes slower, Python collects garbage.
struct PlantedCapture {
    PlantedCapture() {
        const std::vector<std::string> words{folder.filePath(QStringLiteral("capture")).toStdString(),
                                             "--ranks",
                                             "2",
                                             "--steps",
                                             "4",
                                             "--layers",
                                             "2",
                                             "--plant",
                                             "slow-rank=1:40",
                                             "--plant",
                                             "gc-pause=20"};
        ProgressSlot progress;
        const auto options = generate::parseGenerateOptions(words);
        made = options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
    }
    QString path() const { return folder.filePath(QStringLiteral("capture")); }

    QTemporaryDir folder;
    bool made = false;
};

}  // namespace altiscope::test
