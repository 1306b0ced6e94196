#pragma once

#include "core/base/values/cancel.h"
#include "core/session/workspace.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <mutex>

class QLockFile;

namespace altiscope {

/// The captures that this run of the program has open, on disk as long as it runs, so that the next one can take it up
/// if this one ends unexpectedly: a file of its own in a folder of the user's, with a lock that ends with the process.
/// Any thread; what waits for the disk is keep() and, while that runs, the others.
class WorkspaceRecovery {
public:
    /// @param folder  Empty: nothing is kept and nothing found.
    explicit WorkspaceRecovery(QString folder);
    ~WorkspaceRecovery();

    /// Files of runs that do not run any more, newest first; those older than 30 days go.
    QStringList abandoned() const;
    /// Writes some kilobytes. Nothing happens where it cannot be written: then there is no recovery.
    /// @param cancel  Nothing is written once it is cancelled, also not by a call that was waiting.
    void keep(const Workspace& workspace, const CancelToken& cancel);
    /// This run needs none any more.
    void forget();
    /// The file stays when this goes, as if the program had ended unexpectedly.
    void leaveForNextStart();
    static void remove(const QString& file);

private:
    const QString m_folder;
    mutable std::mutex m_mutex;  // over all below
    QString m_file;
    std::unique_ptr<QLockFile> m_lock;  // null: nothing is kept yet
    bool m_isLeft = false;
};

}  // namespace altiscope
