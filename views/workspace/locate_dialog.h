#pragma once

#include "core/session/job_runner.h"

#include <QDialog>
#include <QString>
#include <QTimer>

#include <string>

class QLabel;
class QLineEdit;
class QPushButton;

namespace altiscope {

/// Asks where a capture lies that is not where a workspace says, and says of what the user names whether it is the same
/// data. GUI thread; data is looked at by a job.
class LocateDialog : public QDialog {
    Q_OBJECT
public:
    /// Facts about the place that the user names.
    enum class Found { Nothing, NotThere, Unchecked, Same, Other };

    /// @param missing   The path that the workspace says.
    /// @param identity  Of the data; empty: not known.
    /// @param others    How many more are missing: those that lie near it are found with it.
    LocateDialog(JobRunner& jobs, const QString& missing, const std::string& identity, int others, QWidget* parent);

    /// Absolute; what the user has named.
    QString path() const;
    void setPath(const QString& path);
    Found found() const { return m_found; }
    bool idle() const { return !m_check.busy() && !m_pause.isActive(); }

private:
    void look();
    void show(Found found);

    std::string m_identity;
    Found m_found = Found::Nothing;
    JobSlot m_check;
    QTimer m_pause;
    QLineEdit* m_path;
    QLabel* m_state;
    QPushButton* m_open;
};

}  // namespace altiscope
