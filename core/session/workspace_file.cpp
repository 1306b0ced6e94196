#include "core/session/workspace_file.h"

#include "core/base/files/file.h"
#include "core/session/files/file_writing.h"
#include "core/session/files/write_guard.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace altiscope {

bool isWorkspaceName(const QString& path) { return path.endsWith(QLatin1String(".altiscope"), Qt::CaseInsensitive); }

Result<Workspace> readWorkspace(const QString& file) {
    const auto text = readSmallFile(QFile::encodeName(file).toStdString(), kMaxWorkspaceBytes);
    if (!text.ok()) return text.as<Workspace>();
    return workspaceFromText(QByteArray::fromStdString(text.value()), QFileInfo(file).absoluteFilePath());
}

std::optional<Error> writeWorkspace(const Workspace& workspace, const QString& file) {
    const QFileInfo about(file);
    if (liesInProfilerFolder(QFile::encodeName(about.absoluteFilePath()).toStdString()))
        return Error{"export.inside_capture", file.toStdString(), {}, {}};
    QDir().mkpath(about.absolutePath());
    const QString problem =
        about.exists() && !about.isFile()
            ? QStringLiteral("not a file")
            : writeWholeFile(file, workspaceText(workspace, about.absolutePath()), PendingFile::Access::Shared);
    if (problem.isEmpty()) return std::nullopt;
    return Error{"workspace.not_written", file.toStdString(), {}, {{"reason", problem.toStdString()}}};
}

}  // namespace altiscope
