#include "views/timeline/panels/duration_histogram.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace altiscope {

DurationHistogram::DurationHistogram(QWidget* parent) : QWidget(parent) {
    setMinimumWidth(160);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void DurationHistogram::show(std::vector<DurationBucket> buckets) {
    m_buckets = std::move(buckets);
    m_most = m_all = 0;
    for (const DurationBucket& bucket : m_buckets) {
        m_most = std::max(m_most, bucket.count);
        m_all += bucket.count;
    }
    setAccessibleName(tr("Durations of the slices"));
    update();
}

QSize DurationHistogram::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 45, fontMetrics().height() * 8};
}

QRectF DurationHistogram::plotArea() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(8, 2 * line, -8, -1.5 * line);
}

QRectF DurationHistogram::barOf(std::size_t bucket) const {
    const QRectF area = plotArea();
    const double width = area.width() / static_cast<double>(m_buckets.size());
    const double part = static_cast<double>(m_buckets[bucket].count) / static_cast<double>(m_most);
    // A bar that is there is seen, however small it is beside the others.
    const double height = m_buckets[bucket].count == 0 ? 0 : std::max(part * area.height(), 2.0);
    return {area.left() + static_cast<double>(bucket) * width, area.bottom() - height, std::max(width - 1, 1.0),
            height};
}

void DurationHistogram::paintEvent(QPaintEvent*) {
    const QRectF area = plotArea();
    if (m_buckets.empty() || m_most == 0 || area.height() < fontMetrics().height()) return;
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setPen(theme.text);
    // Characters of the font after this one are higher than its lines.
    painter.drawText(QRectF(8, 2, width() - 16, fontMetrics().height()), Qt::AlignLeft | Qt::TextDontClip,
                     tr("Durations of the slices"));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(8, fontMetrics().height(), width() - 16, fontMetrics().height()),
                     Qt::AlignRight | Qt::TextDontClip, tr("at most %1 in a bar").arg(formatCount(m_most)));
    for (std::size_t b = 0; b < m_buckets.size(); ++b) painter.fillRect(barOf(b), theme.accent);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    // As many borders as have room.
    double free = area.left();
    for (std::size_t b = 0; b < m_buckets.size(); ++b) {
        const QString label = formatDuration({m_buckets[b].from});
        const double x = barOf(b).left(), wide = fontMetrics().horizontalAdvance(label);
        if (x < free || x + wide > width()) continue;
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        painter.drawText(QPointF(x, area.bottom() + 3 + fontMetrics().ascent()), label);
        free = x + wide + 2 * fontMetrics().averageCharWidth();
    }
}

bool DurationHistogram::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t b = 0; b < m_buckets.size(); ++b) {
        const QRectF bar = barOf(b);
        if (help->pos().x() < bar.left() || help->pos().x() > bar.right() + 1) continue;
        const DurationBucket& bucket = m_buckets[b];
        QToolTip::showText(help->globalPos(),
                           tr("%1 to %2: %3 slices (%4)")
                               .arg(formatDuration({bucket.from}), formatDuration({bucket.to}),
                                    formatCount(bucket.count),
                                    formatPercent(static_cast<double>(bucket.count) / static_cast<double>(m_all))),
                           this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

}  // namespace altiscope
