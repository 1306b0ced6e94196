#include "core/session/workspace_recovery.h"

#include "core/session/workspace_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QLockFile>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kMaxDays = 30;
/// Altiscope leaves no more than these.
constexpr qsizetype kMaxFiles = 100;

QString lockOf(const QString& file) { return file + u".lock"_s; }

/// Whether the process that has made it does not run any more.
bool isAbandoned(const QString& file) {
    QLockFile lock(lockOf(file));
    lock.setStaleLockTime(0);  // only the end of its process makes it stale
    return lock.tryLock(0);
}

}  // namespace

WorkspaceRecovery::WorkspaceRecovery(QString folder) : m_folder(std::move(folder)) {}

WorkspaceRecovery::~WorkspaceRecovery() { forget(); }

QStringList WorkspaceRecovery::abandoned() const {
    if (m_folder.isEmpty()) return {};
    const std::lock_guard lock(m_mutex);
    QStringList found;
    const auto files = QDir(m_folder).entryInfoList({u"*.altiscope"_s}, QDir::Files | QDir::NoSymLinks, QDir::Time);
    for (const QFileInfo& file : files.first(std::min(files.size(), kMaxFiles))) {
        const QString path = file.absoluteFilePath();
        if (path == m_file || !isAbandoned(path)) continue;
        if (file.lastModified().daysTo(QDateTime::currentDateTime()) > kMaxDays) remove(path);
        else found << path;
    }
    return found;
}

void WorkspaceRecovery::keep(const Workspace& workspace, const CancelToken& cancel) {
    if (m_folder.isEmpty()) return;
    const std::lock_guard lock(m_mutex);
    if (cancel.cancelled()) return;
    if (m_lock == nullptr) {
        if (!QDir().mkpath(m_folder)) return;
        m_file = m_folder + u'/' + QString::number(QCoreApplication::applicationPid()) + u'-' +
                 QString::number(QDateTime::currentMSecsSinceEpoch()) + u".altiscope"_s;
        m_lock = std::make_unique<QLockFile>(lockOf(m_file));
        m_lock->setStaleLockTime(0);
        if (!m_lock->tryLock(0)) return m_lock.reset();
    }
    writeWorkspace(workspace, m_file);
}

void WorkspaceRecovery::leaveForNextStart() {
    const std::lock_guard lock(m_mutex);
    m_isLeft = true;
}

void WorkspaceRecovery::forget() {
    const std::lock_guard lock(m_mutex);
    if (m_lock == nullptr || m_isLeft) return;
    QFile::remove(m_file);
    m_lock.reset();
}

void WorkspaceRecovery::remove(const QString& file) {
    QFile::remove(file);
    QFile::remove(lockOf(file));
}

}  // namespace altiscope
