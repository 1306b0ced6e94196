#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/translated.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;
class QVBoxLayout;

namespace altiscope {

/// "reading 41 % · 320 MB/s · 3 s left": how a job stands, translated.
QString jobText(const JobStatus& job);
/// Share that is done, 0 to 1; negative while unknown.
double jobShare(const JobStatus& job);

/// The running jobs in the status bar: the oldest one with phase, amount, rate, time left and a cancel button; with
/// more than one also their number, on a button that lists them all, each with its own cancel button. Samples the jobs
/// ten times a second while any runs; empty otherwise.
class JobBar : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit JobBar(JobRunner& jobs, QWidget* parent = nullptr);

private:
    struct Line {
        QWidget* widget = nullptr;
        QLabel* text = nullptr;
        QProgressBar* bar = nullptr;
        QToolButton* cancel = nullptr;
        std::uint64_t job = 0;
    };

    Line makeLine(QWidget* parent);
    void fill(Line& line, const JobStatus& job);
    void sample();
    void jobsChanged();
    void openList();
    void retranslate() override;

    JobRunner& m_jobs;
    QTimer m_timer;
    Line m_first;
    QToolButton* m_more;
    QWidget* m_list;  ///< Pops up above the status bar.
    QVBoxLayout* m_listLayout;
    std::vector<Line> m_lines;
};

}  // namespace altiscope
