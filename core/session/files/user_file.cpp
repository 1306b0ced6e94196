#include "core/session/files/user_file.h"

#include "core/base/files/file.h"
#include "core/session/files/file_writing.h"
#include "core/session/files/write_guard.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr std::uint64_t kMaxUserBytes = std::uint64_t{16} << 20;

std::filesystem::path systemPath(const QString& path) { return QFile::encodeName(path).toStdString(); }

/// Null if it cannot be understood.
QJsonDocument documentOf(const QString& path) {
    if (path.isEmpty()) return {};
    const auto text = readSmallFile(systemPath(path), kMaxUserBytes);
    if (!text.ok()) return {};
    return QJsonDocument::fromJson(QByteArray::fromStdString(text.value()));
}

/// Moves it to FILE.unread, or FILE.unread2 and so on while there are such; never over one. Not copied: it may be of
/// any size.
bool keptBeside(const QString& path) {
    constexpr int kMaxCopies = 20;
    for (int i = 1; i <= kMaxCopies; ++i) {
        if (QFile::rename(path, path + u".unread"_s + (i == 1 ? QString() : QString::number(i)))) return true;
    }
    return false;
}

}  // namespace

QJsonObject readUserFile(const QString& file) { return documentOf(file).object(); }

bool changeUserFile(const QString& path, const std::function<void(QJsonObject&)>& change) {
    if (path.isEmpty()) return true;
    const QFileInfo file(path);
    if ((file.exists() && !file.isFile()) || liesInProfilerFolder(systemPath(path))) return false;
    QDir().mkpath(file.absolutePath());
    const QJsonDocument document = documentOf(path);
    if (file.size() > 0 && !document.isObject() && !keptBeside(path)) return false;
    QJsonObject content = document.object();
    change(content);
    return writeWholeFile(path, QJsonDocument(content).toJson(), PendingFile::Access::Owner).isEmpty();
}

}  // namespace altiscope
