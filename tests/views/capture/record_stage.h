#pragma once

#include "core/capture/session/record_store.h"
#include "core/session/session.h"
#include "views/capture/capture_page.h"

#include <QFile>
#include <QTemporaryDir>
#include <QVariantMap>

#include <filesystem>

namespace altiscope::test {

/// A page with a folder of its own for captures and what they work on.
struct RecordStage {
    QTemporaryDir folder;
    JobRunner jobs;
    Session session{jobs};
    QVariantMap values;
    CapturePage page{session,
                     {[this](const QString& name) { return values.value(name); },
                      [this](const QString& name, const QVariant& value) { values.insert(name, value); }},
                     captures()};

    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(folder.path().toStdString()) / name;
    }
    std::filesystem::path captures() const { return path("captures"); }
    capture::RecordStore store() const { return capture::RecordStore(captures()); }

    std::string write(const char* name, const QByteArray& text) const {
        QFile file(folder.filePath(QString::fromUtf8(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
        return file.fileName().toStdString();
    }
    static QByteArray read(const std::string& name) {
        QFile file(QString::fromStdString(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

}  // namespace altiscope::test
