#include "views/memory/canvas/curve_canvas.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/mark_colour.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace altiscope {

// Drawing of CurveCanvas over its curves.

namespace {

constexpr int kMarkAlpha = 44;
constexpr int kDimAlpha = 150;

QColor translucent(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

}  // namespace

/// Where a range lies in the plot, at least a pixel wide; empty if it is out of sight.
QRect CurveCanvas::band(TimeRange range) const {
    const QRect plot = plotRect();
    const TimeRange window = m_window.window().range();
    if (m_window.window().empty() || plot.width() <= 0 || range.end < window.begin || range.begin > window.end)
        return {};
    const PixelScale scale(window, plot.width());
    const int left = std::clamp(scale.column(range.begin), 0, plot.width() - 1);
    const int after = std::clamp(scale.columnAfter(range.end), left + 1, plot.width());
    return {plot.left() + left, plot.top(), after - left, plot.height()};
}

void CurveCanvas::verticalLine(QPainter& painter, TimeNs at, const QPen& pen) {
    const auto x = xOf(at);
    if (!x) return;
    painter.setPen(pen);
    painter.drawLine(*x, plotRect().top(), *x, plotRect().bottom());
}

/// Borders and names of steps; names as far as there is room.
void CurveCanvas::paintSections(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    const QFontMetrics metrics(painter.font());
    int lastBorder = -4, namesEnd = plot.left();
    for (const CurveSection& section : m_overlay.sections) {
        const QRect place = band(section.range);
        if (place.isEmpty()) continue;
        // Borders that lie as close as lines are wide would be a grey area.
        if (section.range.begin >= m_window.window().range().begin && place.left() > lastBorder + 3) {
            painter.setPen(QPen(theme.muted, 0, Qt::DotLine));
            painter.drawLine(place.left(), plot.top(), place.left(), plot.bottom());
            lastBorder = place.left();
        }
        const int width = metrics.horizontalAdvance(section.name);
        if (m_axis == Axis::None || place.width() < width + 6 || place.left() < namesEnd) continue;
        painter.setPen(theme.muted);
        painter.drawText(place.left() + 3, plot.top() - metrics.descent() - 2, section.name);
        namesEnd = place.left() + width + 8;
    }
}

void CurveCanvas::paintPoints(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    for (const CurvePoint& point : m_overlay.points) {
        const auto x = xOf(point.at);
        if (!x) continue;
        const int y = std::clamp(yOf(point.value), plotRect().top(), plotRect().bottom());
        QPainterPath triangle(QPointF(*x, y - 1));
        triangle.lineTo(*x - 4, y - 8);
        triangle.lineTo(*x + 4, y - 8);
        triangle.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(triangle, markColour(point.hue, theme));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

/// Both ends of the chosen allocation, and that the memory is in use between them.
void CurveCanvas::paintAllocation(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    if (!m_overlay.allocated && !m_overlay.released) return;
    const TimeRange window = m_window.window().range();
    const TimeNs begin = m_overlay.allocated.value_or(window.begin),
                 end = m_overlay.released.value_or(std::max(begin, m_window.data().end));
    const QRect selected = band({begin, std::max(begin, end)});
    if (selected.isEmpty()) return;
    painter.fillRect(selected, translucent(theme.memory, kMarkAlpha));
    const QFontMetrics metrics(painter.font());
    const auto end_ = [&](std::optional<TimeNs> at, const QString& word, bool isLeft) {
        if (!at) return;
        verticalLine(painter, *at, QPen(theme.text, 1));
        const auto x = xOf(*at);
        if (!x || m_axis == Axis::None) return;
        painter.setBrush(theme.text);
        painter.drawEllipse(QPoint(*x, plotRect().bottom()), 3, 3);
        painter.setBrush(Qt::NoBrush);
        const int width = metrics.horizontalAdvance(word);
        const QRect place(isLeft ? *x - width - 8 : *x + 4, plotRect().bottom() - metrics.height() - 4, width + 4,
                          metrics.height());
        painter.fillRect(place, translucent(theme.background, 210));
        painter.setPen(theme.text);
        painter.drawText(place, Qt::AlignCenter, word);
    };
    end_(m_overlay.allocated, tr("allocated"), true);
    end_(m_overlay.released, tr("released"), false);
}

void CurveCanvas::paintOverlay(QPainter& painter) {
    if (m_window.window().empty() || plotRect().isEmpty()) return;
    const Theme& theme = themeOf(palette());
    painter.setFont(scaledFont(font(), 0.9));
    const QFontMetrics metrics(painter.font());
    if (m_overlay.context) {
        TimeNs from = m_window.window().range().begin;
        const auto dim = [&](TimeNs to) {
            if (from < to) painter.fillRect(band({from, to}), translucent(theme.sunken, kDimAlpha));
        };
        for (const TimeRange& range : *m_overlay.context) {
            dim(range.begin);
            from = std::max(from, range.end);
        }
        dim(m_window.window().range().end);
    }
    paintSections(painter);
    for (const CurveRange& mark : m_overlay.ranges) {
        const QRect place = band(mark.range);
        if (place.isEmpty()) continue;
        const QColor colour = markColour(mark.hue, theme);
        if (!mark.range.empty()) painter.fillRect(place, translucent(colour, kMarkAlpha));
        verticalLine(painter, mark.range.begin, QPen(colour, 1));
        if (!mark.range.empty()) verticalLine(painter, mark.range.end, QPen(colour, 1));
        if (m_axis == Axis::None) continue;
        const QString name = metrics.elidedText(mark.name, Qt::ElideRight, metrics.averageCharWidth() * 24);
        const QRect label(place.left() + 2, plotRect().top() + 1, metrics.horizontalAdvance(name) + 4,
                          metrics.height());
        painter.fillRect(label, translucent(theme.background, 200));
        painter.setPen(colour);
        painter.drawText(label, Qt::AlignCenter, name);
    }
    if (const auto marked = dragKind() == Drag::Mark ? std::optional(timesOf(dragBox())) : m_overlay.marked) {
        painter.fillRect(band(*marked), translucent(theme.accent, kMarkAlpha));
        verticalLine(painter, marked->begin, QPen(theme.accent, 1));
        verticalLine(painter, marked->end, QPen(theme.accent, 1));
    }
    paintAllocation(painter);
    paintPoints(painter);
    if (m_overlay.moment) verticalLine(painter, *m_overlay.moment, QPen(theme.accent, 1, Qt::DashLine));
    if (isPointerOverPlot() && dragKind() == Drag::None) {
        painter.setPen(QPen(theme.muted, 0));
        painter.drawLine(pointer().x(), plotRect().top(), pointer().x(), plotRect().bottom());
    }
}

}  // namespace altiscope
