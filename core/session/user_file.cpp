#include "core/session/user_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 kMostUserBytes = qint64{16} << 20;

/// Null if it cannot be understood.
QJsonDocument documentOf(const QString& path) {
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly) || file.size() > kMostUserBytes) return {};
    return QJsonDocument::fromJson(file.readAll());
}

/// Copies it to FILE.unread, or FILE.unread2 and so on while there are such; never over one.
bool keptBeside(const QString& path) {
    constexpr int kMostCopies = 20;
    for (int i = 1; i <= kMostCopies; ++i) {
        if (QFile::copy(path, path + u".unread"_s + (i == 1 ? QString() : QString::number(i)))) return true;
    }
    return false;
}

}  // namespace

QJsonObject readUserFile(const QString& file) { return documentOf(file).object(); }

bool changeUserFile(const QString& path, const std::function<void(QJsonObject&)>& change) {
    if (path.isEmpty()) return true;
    QDir().mkpath(QFileInfo(path).absolutePath());
    const QJsonDocument document = documentOf(path);
    if (QFileInfo(path).size() > 0 && !document.isObject() && !keptBeside(path)) return false;
    QJsonObject content = document.object();
    change(content);
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(content).toJson()) > 0 && file.commit();
}

}  // namespace altiscope
