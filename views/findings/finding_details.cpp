#include "views/findings/finding_details.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/evidence_spots.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/threshold_texts.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

QString part(const QString& title, const QString& content) {
    return content.isEmpty() ? QString()
                             : u"<p><b>%1</b><br>%2</p>"_s.arg(title.toHtmlEscaped(), withUnbrokenUnits(content));
}

}  // namespace

FindingDetails::FindingDetails(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(8);
    connect(this, &QTextBrowser::anchorClicked, this, &FindingDetails::follow);
}

void FindingDetails::show(std::shared_ptr<const CaptureFindings> found, std::size_t place) {
    m_found = std::move(found);
    m_finding = &m_found->findings[place];
    rebuild();
}

void FindingDetails::showNothing(const QString& reason) {
    m_found.reset();
    m_finding = nullptr;
    m_nothing = reason;
    rebuild();
}

QString FindingDetails::thresholdsText() const {
    QStringList lines;
    for (const auto& [name, value] : m_finding->thresholds) {
        const ThresholdInfo* info = findThreshold(name);
        if (info == nullptr) continue;
        QString line = htmlLink(u"threshold:"_s + toQString(name), toQString(name)) + u" = "_s +
                       thresholdText(*info, value).toHtmlEscaped();
        const double usual = FindingThresholds{}.*info->value;
        if (usual != value) line += u' ' + tr("(default %1)").arg(thresholdText(*info, usual)).toHtmlEscaped();
        lines << line + u" &nbsp; "_s + thresholdMeaning(*info).toHtmlEscaped();
    }
    return lines.join(u"<br>"_s);
}

QString FindingDetails::evidenceText() const {
    QStringList lines;
    const TimeNs origin = m_found->origin;
    const auto& ranks = m_found->capture->ranks;
    const auto rankOf = [&ranks](RankIndex rank) { return rankTitle(ranks[rank.value].info); };
    const auto timesOf = [origin](const TimeRange& range) {
        return tr("%1 at %2").arg(formatDuration(range.length()), formatRelativeTime(range.begin, origin));
    };
    const FindingEvidence& evidence = m_finding->evidence;
    for (std::size_t i = 0; i < evidence.slices.size(); ++i) {
        const auto& [rank, slice] = evidence.slices[i];
        lines << htmlLink(u"slice:%1"_s.arg(i), toQString(slice.name)) + u" &nbsp; "_s +
                     timesOf(slice.range).toHtmlEscaped() + u", "_s + rankOf(rank).toHtmlEscaped();
    }
    // Ranges have no names and may be many.
    QStringList ranges;
    for (std::size_t i = 0; i < evidence.ranges.size(); ++i) {
        // Gaps before slices are marked with these.
        if (evidence.ranges[i].isGap && !evidence.slices.empty()) continue;
        ranges << htmlLink(u"range:%1"_s.arg(i), timesOf(evidence.ranges[i].range));
    }
    if (!ranges.isEmpty())
        lines << rankOf(evidence.ranges.front().rank).toHtmlEscaped() + u": "_s + ranges.join(u" &nbsp;·&nbsp; "_s);
    for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
        const QString statement = toQString(statementOf(evidence.rows[i]));
        lines << u"<code>%1</code> &nbsp; %2 &nbsp; %3"_s.arg(statement.toHtmlEscaped(),
                                                              htmlLink(u"rows:%1"_s.arg(i), tr("Show the rows")),
                                                              htmlLink(u"copy:%1"_s.arg(i), tr("Copy the statement")));
    }
    return lines.join(u"<br>"_s);
}

void FindingDetails::rebuild() {
    if (m_finding == nullptr)
        return setHtml(
            u"<p style=\"color:%1\">%2</p>"_s.arg(themeOf(palette()).muted.name(), m_nothing.toHtmlEscaped()));
    const FindingItem item = findingItem(*m_finding);
    QString head = findingHead(item);
    if (m_finding->rank) head += u" · "_s + rankTitle(m_found->capture->ranks[m_finding->rank->value].info);
    if (m_finding->step) head += u" · "_s + tr("Step %1").arg(*m_finding->step);
    QString html = u"<p><b style=\"font-size:large\">%1</b><br><span style=\"color:%2\">%3</span></p><p>%4</p>"_s.arg(
        withUnbrokenUnits(item.title).toHtmlEscaped(), themeOf(palette()).muted.name(),
        withUnbrokenUnits(head).toHtmlEscaped(), withUnbrokenUnits(item.detail).toHtmlEscaped());
    html += part(tr("Evidence"), evidenceText());
    html += part(tr("Severity"), item.severityReason.toHtmlEscaped());
    html += part(tr("Recoverable time"), toQString(ruleFormula(m_finding->rule, catalogueLanguage())).toHtmlEscaped());
    html += part(tr("Thresholds used"), thresholdsText());
    setHtml(html);
}

void FindingDetails::follow(const QUrl& link) {
    if (m_finding == nullptr) return;
    const QString what = link.toString().section(u':', 0, 0), which = link.toString().section(u':', 1);
    if (what == "threshold"_L1) return emit thresholdRequested(which);
    const FindingEvidence& evidence = m_finding->evidence;
    const std::size_t place = which.toULongLong();
    if (what == "copy"_L1) {
        if (place >= evidence.rows.size()) return;
        QApplication::clipboard()->setText(toQString(statementOf(evidence.rows[place])));
        return;
    }
    using Kind = EvidenceSpot::Kind;
    const EvidenceSpot wanted{what == "slice"_L1 ? Kind::Slice : what == "range"_L1 ? Kind::Range : Kind::Rows, place};
    const std::vector<EvidenceSpot> spots = evidenceSpots(evidence);
    const auto spot = std::find(spots.begin(), spots.end(), wanted);
    if (spot != spots.end()) emit spotRequested(static_cast<std::size_t>(spot - spots.begin()));
}

void FindingDetails::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) rebuild();
    QTextBrowser::changeEvent(event);
}

}  // namespace altiscope
