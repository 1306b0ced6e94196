#pragma once

#include "core/capture/session/job_methods.h"
#include "core/session/job_runner.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace altiscope {

/// Jobs that run on the targets, and for the chosen one what each method that acts on running jobs takes, or why it
/// cannot record this job. GUI thread.
class JobsDialog : public QDialog {
    Q_OBJECT
public:
    struct Choice {
        std::string target, workdir;  ///< Target: the job's container, where it runs in one.
        capture::JobMethod method;
        std::vector<std::string> targets;  ///< All that show a job with the same file, `target` among them.
    };

    /// @param preferred  Name of the method that is proposed where it can record a job.
    JobsDialog(JobRunner& jobs, std::string preferred, QWidget* parent);

    /// Looks at the targets on a worker; what was shown stays in sight until then, greyed.
    void look(const std::vector<std::string>& targets, const capture::Askpass& askpass);
    bool busy() const { return m_looking.busy(); }

    /// One job, with all that is said about it.
    struct JobRow {
        std::string target;
        capture::RunningJob job;
        QStringList texts;
        QString folderTip, commandTip;
        struct MethodRow {
            capture::JobMethod method;
            QStringList texts, tips;
        };
        std::vector<MethodRow> methods;  ///< Those that act on running jobs.
    };
    struct Rows {
        std::vector<JobRow> jobs;
        QStringList notes;
    };
    /// Rows of what was found on each target. Any thread: many hosts take a while.
    static Rows rowsOf(const std::vector<std::string>& targets, const std::vector<Result<capture::RunningJobs>>& found);
    void showRows(Rows rows);

signals:
    void againRequested();
    void chosen(const altiscope::JobsDialog::Choice& choice);

private:
    void setUpTables();
    const JobRow* currentJob() const;
    void showMethods();
    void showUse();
    void take();

    JobSlot m_looking;
    std::string m_preferred;
    std::vector<JobRow> m_found;  ///< As the rows.
    QLabel* m_summary;
    QTreeWidget* m_table;
    QTreeWidget* m_methodTable;
    QLabel* m_others;
    QPushButton* m_use;
    QPushButton* m_again;
};

}  // namespace altiscope
