#include "views/operators/share_bars.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

constexpr int kBarMargin = 8;

}  // namespace

ShareBars::ShareBars(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
}

void ShareBars::setShares(std::vector<Share> shares) {
    m_shares = std::move(shares);
    updateScrollBar();
    viewport()->update();
}

void ShareBars::setChosen(std::optional<std::uint32_t> key) {
    if (std::exchange(m_chosen, key) == key) return;
    const auto place =
        std::find_if(m_shares.begin(), m_shares.end(), [&](const Share& share) { return share.key == key; });
    if (key && place != m_shares.end()) {
        const QRect bar = barRect(static_cast<std::size_t>(place - m_shares.begin()));
        if (bar.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + bar.top());
        if (bar.bottom() > viewport()->height())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + bar.bottom() - viewport()->height());
    }
    viewport()->update();
}

int ShareBars::rowHeight() const { return static_cast<int>(std::lround(fontMetrics().height() * 1.5)); }

QRect ShareBars::barRect(std::size_t place) const {
    return {0, static_cast<int>(place) * rowHeight() - verticalScrollBar()->value(), viewport()->width(), rowHeight()};
}

std::optional<std::size_t> ShareBars::placeAt(const QPoint& at) const {
    const int row = (at.y() + verticalScrollBar()->value()) / rowHeight();
    return row >= 0 && static_cast<std::size_t>(row) < m_shares.size() ? std::optional(static_cast<std::size_t>(row))
                                                                       : std::nullopt;
}

void ShareBars::updateScrollBar() {
    const int all = static_cast<int>(m_shares.size()) * rowHeight();
    verticalScrollBar()->setRange(0, std::max(0, all - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

void ShareBars::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    const Theme& theme = themeOf(palette());
    painter.fillRect(viewport()->rect(), theme.background);
    double max = 0;
    for (const Share& share : m_shares) max = std::max(max, share.part);
    const int percents = fontMetrics().horizontalAdvance(QStringLiteral("100.0 %")) + kBarMargin;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const QRect row = barRect(i);
        if (row.bottom() < 0 || row.top() > viewport()->height()) continue;
        const Share& share = m_shares[i];
        const int names = (row.width() - percents) / 2;
        const QRect name = row.adjusted(kBarMargin, 0, -(row.width() - names), 0);
        const bool isChosen = m_chosen && share.key == m_chosen;
        if (isChosen) painter.fillRect(row, theme.raised);
        painter.setPen(share.key ? theme.text : theme.muted);
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, shortTitle(share, fontMetrics(), name.width()));
        const int room = row.width() - names - percents - kBarMargin;
        const int length = max <= 0 ? 0 : static_cast<int>(std::lround(share.part / max * room));
        const QRect bar(names + kBarMargin, row.top() + 3, std::max(1, length), row.height() - 6);
        painter.fillRect(bar, shareColour(share, i, theme));
        if (isChosen) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(bar.adjusted(0, 0, -1, -1));
            painter.setPen(theme.text);
        }
        painter.drawText(row.adjusted(0, 0, -kBarMargin, 0), Qt::AlignVCenter | Qt::AlignRight,
                         formatPercent(share.part));
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void ShareBars::choose(std::size_t place) {
    if (place >= m_shares.size() || !m_shares[place].key) return;
    setChosen(m_shares[place].key);
    emit chosen(*m_shares[place].key);
}

void ShareBars::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void ShareBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QAbstractScrollArea::mousePressEvent(event);
    if (const auto place = placeAt(event->position().toPoint())) choose(*place);
}

// Keys of Operators, shares:
// - `Up`, `Down`: Choose the bar above or below
void ShareBars::keyPressEvent(QKeyEvent* event) {
    const bool isDown = event->key() == Qt::Key_Down, isUp = event->key() == Qt::Key_Up;
    if ((!isDown && !isUp) || m_shares.empty()) return QAbstractScrollArea::keyPressEvent(event);
    const auto known = std::find_if(m_shares.begin(), m_shares.end(),
                                    [&](const Share& share) { return m_chosen && share.key == m_chosen; });
    if (known == m_shares.end()) return choose(0);
    const auto place = static_cast<std::size_t>(known - m_shares.begin());
    if (isDown) choose(place + 1);
    else if (place > 0) choose(place - 1);
}

void ShareBars::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateScrollBar();
    if (event->type() == QEvent::PaletteChange) viewport()->update();
}

bool ShareBars::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = placeAt(help->pos());
    QToolTip::showText(help->globalPos(), place ? shareTip(m_shares[*place]) : QString(), viewport());
    return true;
}

}  // namespace altiscope
