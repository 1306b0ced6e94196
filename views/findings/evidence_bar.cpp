#include "views/findings/evidence_bar.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// A window of fewer lines, as on a small screen of high density, needs its height for the page.
constexpr int kLowWindowLines = 46;

}  // namespace

EvidenceBar::EvidenceBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_title(new QLabel(this)), m_detail(new QLabel(this)),
      m_where(new QLabel(this)), m_previous(new QToolButton(this)), m_next(new QToolButton(this)),
      m_list(new QToolButton(this)), m_close(new QToolButton(this)) {
    setObjectName(u"evidence_bar"_s);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(8, 4, 8, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QToolButton* button : {m_previous, m_next, m_list, m_close}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
        buttons->addWidget(button);
    }
    m_previous->setArrowType(Qt::LeftArrow);
    m_next->setArrowType(Qt::RightArrow);
    m_close->setIcon(themedIcon(u"close"_s));
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::RichText);
    for (QLabel* text : {m_detail, m_where}) {
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
    }
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_where->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(m_icon, 0, 0, Qt::AlignTop);
    grid->addWidget(m_title, 0, 1);
    grid->addLayout(buttons, 0, 2, Qt::AlignTop);
    grid->addWidget(m_detail, 1, 1, 1, 2);
    grid->addWidget(m_where, 2, 1, 1, 2);
    grid->setColumnStretch(1, 1);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_list, &QToolButton::clicked, this, &EvidenceBar::listRequested);
    connect(m_close, &QToolButton::clicked, this, &EvidenceBar::close);
    refresh();
}

void EvidenceBar::show(std::shared_ptr<const CaptureFindings> found, std::size_t index, std::size_t spot) {
    if (index >= found->findings.size()) return;
    m_found = std::move(found);
    m_index = index;
    m_finding = &m_found->findings[index];
    const std::size_t spots = evidenceSpots(m_finding->evidence).size();
    m_spot = spots == 0 ? 0 : std::min(spot, spots - 1);
    m_note.clear();
    window()->installEventFilter(this);
    refresh();
}

void EvidenceBar::close() {
    if (m_finding == nullptr) return;
    m_finding = nullptr;
    m_found.reset();
    refresh();
    emit closed();
}

std::optional<EvidenceSpot> EvidenceBar::spot() const {
    if (m_finding == nullptr) return std::nullopt;
    const auto spots = evidenceSpots(m_finding->evidence);
    return m_spot < spots.size() ? std::optional(spots[m_spot]) : std::nullopt;
}

void EvidenceBar::step(int by) {
    const std::size_t spots = evidenceSpots(m_finding->evidence).size();
    if ((by < 0 && m_spot == 0) || (by > 0 && m_spot + 1 >= spots)) return;
    m_spot += static_cast<std::size_t>(by);
    m_note.clear();
    refresh();
    emit spotChanged();
}

void EvidenceBar::setNote(const QString& note) {
    if (m_note == note) return;
    m_note = note;
    refresh();
}

QString EvidenceBar::spotText() const {
    const auto at = spot();
    if (!at) return tr("There is nothing to go to.");
    const FindingEvidence& evidence = m_finding->evidence;
    const auto placeText = [this](RankIndex rank, const TimeRange& range) {
        return tr("%1 at %2, %3", "how long, when, rank")
            .arg(formatDuration(range.length()), formatRelativeTime(range.begin, m_found->origin),
                 rankTitle(m_found->capture->ranks[rank.value].info));
    };
    QString text;
    switch (at->kind) {
    case EvidenceSpot::Kind::Slice: {
        const FindingEvidence::Slice& slice = evidence.slices[at->place];
        text = toQString(slice.slice.name) + u": "_s + placeText(slice.rank, slice.slice.range);
        break;
    }
    case EvidenceSpot::Kind::Range: {
        const FindingEvidence::Range range = rangeOfSpot(evidence, at->place);
        text = placeText(range.rank, range.range);
        break;
    }
    case EvidenceSpot::Kind::Rows: {
        const FindingEvidence::Rows& rows = evidence.rows[at->place];
        const QString condition = toQString(rows.condition), first = condition.section(u'\n', 0, 0);
        // A call stack has many lines.
        text = tr("Rows of %1 in which %2").arg(toQString(rows.table), first == condition ? condition : first + u'…');
        break;
    }
    }
    const std::size_t spots = evidenceSpots(evidence).size();
    return spots < 2 ? text : tr("%1 of %2", "evidence").arg(m_spot + 1).arg(spots) + u" · "_s + text;
}

void EvidenceBar::refresh() {
    setVisible(m_finding != nullptr);
    const auto name = [](QToolButton* button, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    name(m_previous, tr("Previous evidence"));
    name(m_next, tr("Next evidence"));
    name(m_close, tr("Close this finding, with what is marked for it"));
    m_list->setText(tr("In f&ull"));
    m_list->setToolTip(tr("The finding on the page Findings"));
    setAccessibleName(tr("Evidence of the finding"));
    if (m_finding == nullptr) return;
    const FindingItem item = findingItem(*m_finding);
    const int side = fontMetrics().height();
    m_icon->setPixmap(themedIcon(weightIcon(item.weight), weightTone(item.weight)).pixmap(side, side));
    m_title->setText(u"<b>%1</b>%4<span style=\"color:%2\">%3</span>"_s.arg(
        withUnbrokenUnits(item.title).toHtmlEscaped(), themeOf(palette()).muted.name(),
        withUnbrokenUnits(findingHead(item)).toHtmlEscaped(), QString(3, QChar::Nbsp)));
    m_title->setToolTip(item.severityReason);
    showSentences();
    const std::size_t spots = evidenceSpots(m_finding->evidence).size();
    m_previous->setEnabled(m_spot > 0);
    m_next->setEnabled(m_spot + 1 < spots);
    for (QToolButton* button : {m_previous, m_next}) button->setVisible(spots > 1);
}

void EvidenceBar::showSentences() {
    if (m_finding == nullptr) return;
    const QString detail = withUnbrokenUnits(findingItem(*m_finding).detail);
    const QString where = m_note.isEmpty() ? spotText() : spotText() + u" · "_s + m_note;
    m_isLow = isWindowLow();
    m_detail->setWordWrap(!m_isLow);
    QSizePolicy policy = m_detail->sizePolicy();
    policy.setHorizontalPolicy(m_isLow ? QSizePolicy::Ignored : QSizePolicy::Preferred);
    m_detail->setSizePolicy(policy);
    m_detail->setText(m_isLow ? fontMetrics().elidedText(detail, Qt::ElideRight, m_detail->width()) : detail);
    m_detail->setToolTip(m_isLow ? detail + u'\n' + where : QString());
    m_where->setText(where);
    m_where->setHidden(m_isLow);
}

bool EvidenceBar::isWindowLow() const {
    return !isWindow() && window()->height() < kLowWindowLines * fontMetrics().height();
}

// Keys of Bar of the evidence:
// - `Esc`: Close the bar
bool EvidenceBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched != window()) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::Resize && m_isLow != isWindowLow()) showSentences();
    // Keys that nothing else in the window has taken.
    const bool isEscape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!isEscape || m_finding == nullptr) return QFrame::eventFilter(watched, event);
    close();
    return true;
}

void EvidenceBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (m_isLow) showSentences();
}

void EvidenceBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refresh();
    QFrame::changeEvent(event);
}

void EvidenceBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return close();
    QFrame::keyPressEvent(event);
}

}  // namespace altiscope
