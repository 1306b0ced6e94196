#include "views/common/widgets/job_bar.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr int kSampleMs = 100;
constexpr int kBarSteps = 1000;
/// Before this a rate is mostly noise of starting up.
constexpr double kSecondsBeforeRate = 0.5;

struct JobTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::JobTexts)
};

QString phaseText(ProgressPhase phase) {
    switch (phase) {
    case ProgressPhase::Waiting: return JobTexts::tr("waiting");
    case ProgressPhase::Scanning: return JobTexts::tr("looking for files");
    case ProgressPhase::Expanding: return JobTexts::tr("unpacking");
    case ProgressPhase::Reading: return JobTexts::tr("reading");
    case ProgressPhase::Sealing: return JobTexts::tr("indexing");
    case ProgressPhase::Writing: return JobTexts::tr("writing");
    case ProgressPhase::Querying: return JobTexts::tr("querying");
    case ProgressPhase::Done: return JobTexts::tr("finishing");
    }
    return {};
}

/// A guess needs no decimals: "3 s", "5 min", "2 h".
QString roughTime(double seconds) {
    const auto whole = [](double value) { return QString::number(std::max(1LL, std::llround(value))); };
    if (seconds < 90) return whole(seconds) + u" s"_s;
    if (seconds < 90 * 60) return whole(seconds / 60) + u" min"_s;
    return whole(seconds / 3600) + u" h"_s;
}

}  // namespace

double jobShare(const JobStatus& job) {
    if (job.progress.total == 0) return -1;
    return std::min(1.0, static_cast<double>(job.progress.done) / static_cast<double>(job.progress.total));
}

QString jobText(const JobStatus& job) {
    if (job.cancelling) return JobTexts::tr("%1: stopping").arg(job.title);
    QStringList parts{JobTexts::tr("%1: %2", "job, phase").arg(job.title, phaseText(job.progress.phase))};
    const double share = jobShare(job);
    if (share >= 0) parts.last() += u' ' + formatPercent(share);
    const double done = static_cast<double>(job.progress.done);
    if (share >= 0 && share < 1 && done > 0 && job.secondsRunning > kSecondsBeforeRate) {
        const double rate = done / job.secondsRunning;
        const double left = (static_cast<double>(job.progress.total) - done) / rate;
        parts << formatRate(rate);
        parts << JobTexts::tr("%1 left").arg(roughTime(left));
    }
    return parts.join(u" · "_s);
}

JobBar::JobBar(JobRunner& jobs, QWidget* parent)
    : Translated(parent), m_jobs(jobs), m_first(makeLine(this)), m_more(new QToolButton(this)),
      m_list(new QFrame(this, Qt::Popup)), m_listLayout(new QVBoxLayout(m_list)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(8);
    row->addWidget(m_more);
    row->addWidget(m_first.widget);
    row->addStretch();
    m_more->setAutoRaise(true);
    m_more->setIcon(themedIcon(u"up"_s));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_more, &QToolButton::clicked, this, &JobBar::openList);
    m_listLayout->setContentsMargins(8, 8, 8, 8);
    m_more->setToolTip(tr("Show all jobs"));
    m_timer.setInterval(kSampleMs);
    connect(&m_timer, &QTimer::timeout, this, &JobBar::sample);
    connect(&jobs, &JobRunner::jobsChanged, this, &JobBar::jobsChanged);
    jobsChanged();
}

JobBar::Line JobBar::makeLine(QWidget* parent) {
    Line line{.widget = new QWidget(parent)};
    auto* row = new QHBoxLayout(line.widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    line.text = new QLabel(line.widget);
    line.text->setTextFormat(Qt::PlainText);
    line.bar = new QProgressBar(line.widget);
    line.bar->setTextVisible(false);
    line.bar->setFixedWidth(fontMetrics().averageCharWidth() * 16);
    line.bar->setFixedHeight(fontMetrics().height() / 2);
    line.cancel = new QToolButton(line.widget);
    line.cancel->setAutoRaise(true);
    line.cancel->setIcon(themedIcon(u"close"_s));
    // The text changes its width all the time: before it, the button stays under the pointer.
    row->addWidget(line.cancel);
    row->addWidget(line.bar);
    row->addWidget(line.text, 1);
    QToolButton* button = line.cancel;
    connect(button, &QToolButton::clicked, this,
            [this, button] { m_jobs.cancel(button->property("job").toULongLong()); });
    return line;
}

void JobBar::fill(Line& line, const JobStatus& job) {
    line.job = job.id;
    line.cancel->setProperty("job", QVariant::fromValue<qulonglong>(job.id));
    line.cancel->setEnabled(!job.cancelling);
    line.cancel->setToolTip(tr("Stop this job"));
    line.cancel->setAccessibleName(tr("Stop %1").arg(job.title));
    line.text->setText(jobText(job));
    line.text->setToolTip(toQString(job.progress.file));
    const double share = jobShare(job);
    // Nothing known: the bar runs to and fro.
    line.bar->setRange(0, share < 0 ? 0 : kBarSteps);
    line.bar->setValue(static_cast<int>(std::max(0.0, share) * kBarSteps));
}

void JobBar::sample() {
    const std::vector<JobStatus> jobs = m_jobs.jobs();
    if (jobs.empty()) return;
    fill(m_first, jobs.front());
    for (std::size_t i = 0; i < std::min(m_lines.size(), jobs.size()); ++i) fill(m_lines[i], jobs[i]);
}

void JobBar::jobsChanged() {
    const std::vector<JobStatus> jobs = m_jobs.jobs();
    m_first.widget->setVisible(!jobs.empty());
    m_more->setVisible(jobs.size() > 1);
    m_more->setText(tr("%n job(s)", nullptr, static_cast<int>(jobs.size())));
    if (jobs.empty()) {
        m_timer.stop();
    } else if (!m_timer.isActive()) {
        m_timer.start();
    }
    while (m_lines.size() > jobs.size()) {
        m_lines.back().widget->deleteLater();
        m_lines.pop_back();
    }
    while (m_lines.size() < jobs.size()) m_listLayout->addWidget(m_lines.emplace_back(makeLine(m_list)).widget);
    if (jobs.size() < 2) m_list->hide();
    sample();
}

void JobBar::openList() {
    m_list->adjustSize();
    m_list->move(mapToGlobal(QPoint(0, -m_list->height())));
    m_list->show();
}

void JobBar::retranslate() {
    m_more->setToolTip(tr("Show all jobs"));
    jobsChanged();
}

}  // namespace altiscope
