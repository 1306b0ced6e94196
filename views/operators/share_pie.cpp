#include "views/operators/share_pie.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace altiscope {

namespace {

/// QPainter counts angles in sixteenths of a degree, counterclockwise from the right.
constexpr int kWholeCircle = 360 * 16, kTop = 90 * 16;
/// A percentage in a smaller piece would lie over its neighbours.
constexpr double kMinWritten = 0.06, kMinNamed = 0.25;
/// Width of a name, as a part of the circle's.
constexpr double kNameRoom = 0.36;
constexpr double kPieMargin = 8;

}  // namespace

SharePie::SharePie(QWidget* parent) : QWidget(parent) { setMinimumSize(120, 80); }

void SharePie::setShares(std::vector<Share> shares, const QString& title) {
    m_shares = std::move(shares);
    m_title = title;
    setAccessibleName(title);
    update();
}

void SharePie::setChosen(std::optional<std::uint32_t> key) {
    if (std::exchange(m_chosen, key) != key) update();
}

QRectF SharePie::circle() const {
    const QRectF room =
        QRectF(rect()).adjusted(kPieMargin, kPieMargin + fontMetrics().height(), -kPieMargin, -kPieMargin);
    const double size = std::max(0.0, std::min(room.width(), room.height()));
    return {room.center().x() - size / 2, room.center().y() - size / 2, size, size};
}

std::optional<std::size_t> SharePie::placeAt(const QPointF& at) const {
    const QRectF pie = circle();
    const double x = at.x() - pie.center().x(), y = at.y() - pie.center().y();
    if (x * x + y * y > pie.width() * pie.width() / 4) return std::nullopt;
    double turn = std::atan2(x, -y) / (2 * std::numbers::pi);  // clockwise from the top
    if (turn < 0) turn += 1;
    double sum = 0;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        sum += m_shares[i].part;
        if (turn < sum) return i;
    }
    return std::nullopt;
}

void SharePie::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(palette());
    painter.setPen(theme.muted);
    painter.drawText(rect().adjusted(0, 2, 0, 0), Qt::AlignTop | Qt::AlignHCenter,
                     fontMetrics().elidedText(m_title, Qt::ElideRight, width()));
    const QRectF pie = circle();
    double before = 0;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const Share& share = m_shares[i];
        const int begin = static_cast<int>(std::lround(before * kWholeCircle)),
                  end = static_cast<int>(std::lround((before + share.part) * kWholeCircle));
        before += share.part;
        if (end <= begin) continue;
        painter.setBrush(shareColour(share, i, theme));
        painter.setPen(QPen(theme.background, 1));
        painter.drawPie(pie, kTop - begin, begin - end);
        if (share.part < kMinWritten) continue;
        const double angle = (before - share.part / 2) * 2 * std::numbers::pi,
                     away = pie.width() * (share.part >= kMinNamed ? 0.26 : 0.35);
        const QPointF centre(pie.center().x() + std::sin(angle) * away, pie.center().y() - std::cos(angle) * away);
        painter.setPen(share.key ? theme.label : theme.text);
        QString text = formatPercent(share.part);
        const double room = pie.width() * kNameRoom;
        if (share.part >= kMinNamed) text.prepend(shortTitle(share, fontMetrics(), static_cast<int>(room)) + u'\n');
        const double height = fontMetrics().height() * 2.0;
        painter.drawText(QRectF(centre.x() - room / 2, centre.y() - height / 2, room, height), Qt::AlignCenter, text);
    }
    // The chosen slice lies over its neighbours.
    before = 0;
    for (const Share& share : m_shares) {
        if (m_chosen && share.key == m_chosen) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.accent, 2));
            painter.drawPie(pie, kTop - static_cast<int>(std::lround(before * kWholeCircle)),
                            -static_cast<int>(std::lround(share.part * kWholeCircle)));
        }
        before += share.part;
    }
}

void SharePie::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || !place || !m_shares[*place].key) return QWidget::mousePressEvent(event);
    setChosen(m_shares[*place].key);
    emit chosen(*m_shares[*place].key);
}

void SharePie::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) update();
}

bool SharePie::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = placeAt(help->pos());
    QToolTip::showText(help->globalPos(), place ? shareTip(m_shares[*place]) : QString(), this);
    return true;
}

}  // namespace altiscope
