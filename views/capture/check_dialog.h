#pragma once

#include "core/capture/session/capture_run.h"
#include "core/session/job_runner.h"

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace altiscope {

/// Results of the checks on each target before anything is begun: a row per check, with what to do. GUI thread.
class CheckDialog : public QDialog {
    Q_OBJECT
public:
    CheckDialog(JobRunner& jobs, QWidget* parent);

    /// Looks at the targets on a worker and shows what was found; what was shown stays in sight until then, greyed.
    void look(const capture::RecordStore& store, const capture::StartRequest& request, const capture::Askpass& askpass);
    bool busy() const { return m_looking.busy(); }
    void showChecks(const std::vector<capture::TargetChecks>& targets);

signals:
    void againRequested();

private:
    void showFailure(const Error& error);
    void copy() const;

    JobSlot m_looking;
    QLabel* m_summary;
    QTreeWidget* m_table;
    QPushButton* m_again;
};

/// Name of a check for people.
QString checkTitle(const std::string& name);

}  // namespace altiscope
