#include "views/overview/status_facts.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/facts/report_model.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <set>

namespace altiscope {

using namespace Qt::StringLiterals;

StatusFacts::StatusFacts(Session& session, ReportModel& report, QWidget* parent)
    : QWidget(parent), m_session(session), m_report(report), m_slices(new QLabel(this)),
      m_warnings(new QToolButton(this)), m_source(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(16);
    row->addWidget(m_slices);
    row->addWidget(m_warnings);
    row->addWidget(m_source);
    m_warnings->setAutoRaise(true);
    m_warnings->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_warnings, &QToolButton::clicked, this, &StatusFacts::reportRequested);
    connect(&session, &Session::captureOpened, this, &StatusFacts::refresh);
    connect(&session, &Session::captureChanged, this, &StatusFacts::refresh);
    connect(&session, &Session::captureClosed, this, &StatusFacts::refresh);
    connect(&report, &ReportModel::warningCountChanged, this, &StatusFacts::refresh);
    refresh();
}

void StatusFacts::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void StatusFacts::refresh() {
    std::uint64_t slices = 0;
    bool provisional = false;
    std::set<QString> sources;
    for (const OpenCapture& capture : m_session.captures()) {
        const CaptureCounts summary = summaryOf(capture);
        slices += summary.slices;
        provisional |= summary.provisional;
        if (capture.store == nullptr) continue;
        for (const RankEntry& rank : capture.store->ranks) sources.insert(sourceTitle(rank.info.source));
    }
    const bool open = !m_session.captures().empty();
    const QString count = formatCountShort(slices);
    m_slices->setText(provisional ? tr("%1 slices so far").arg(count) : tr("%1 slices").arg(count));
    m_slices->setToolTip(tr("%1 slices in all open captures").arg(formatCount(slices)));
    m_slices->setVisible(open);

    const int warnings = m_report.warningCount();
    m_warnings->setText(tr("%n warning(s)", nullptr, warnings));
    m_warnings->setIcon(warnings == 0 ? themedIcon(u"ok"_s, IconTone::Ok)
                                      : themedIcon(u"warning"_s, IconTone::Warning));
    m_warnings->setToolTip(tr("Show the import report"));
    m_warnings->setVisible(open);

    const QStringList names(sources.begin(), sources.end());
    m_source->setText(tr("source: %1").arg(names.join(u", "_s)));
    m_source->setToolTip(
        tr("Where the numbers come from: text files, a database, raw data, or results for a cluster."));
    m_source->setVisible(!names.isEmpty());
}

}  // namespace altiscope
