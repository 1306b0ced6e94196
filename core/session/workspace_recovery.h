#pragma once

#include "core/session/workspace.h"

#include <QString>
#include <QStringList>

#include <memory>

class QLockFile;

namespace altiscope {

/// What this run of the program had open, on disk as long as it runs, so that the next one can take it up if this one
/// ends unexpectedly: a file of its own in a folder of the user's, with a lock that ends with the process. GUI thread;
/// writes some kilobytes.
class WorkspaceRecovery {
public:
    /// @param folder  Empty: nothing is kept and nothing found.
    explicit WorkspaceRecovery(QString folder);
    ~WorkspaceRecovery();

    /// What other runs have left that do not run any more, newest first; what is older than 30 days goes.
    QStringList abandoned() const;
    /// Nothing happens where it cannot be written: then there is no recovery.
    void keep(const Workspace& workspace);
    /// This run needs none any more.
    void forget();
    /// The file stays when this goes, as if the program had ended unexpectedly.
    void leaveBehind() { m_isLeft = true; }
    static void remove(const QString& file);

private:
    QString m_folder, m_file;
    std::unique_ptr<QLockFile> m_lock;  // null: nothing is kept yet
    bool m_isLeft = false;
};

}  // namespace altiscope
