#include "views/memory/canvas/curve_canvas.h"

#include "views/common/support/formatters.h"

#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of CurveCanvas.

namespace {

constexpr qsizetype kMaxTipLines = 16;
/// Steps of a key over the width of the plot.
constexpr int kMomentSteps = 100;

}  // namespace

// Keys of Memory, curves:
// - `,`, `.`: Choose the moment before or after
// - `Esc`: Remove the marked time
bool CurveCanvas::handleKey(const QKeyEvent& event) {
    if (event.key() == Qt::Key_Comma || event.key() == Qt::Key_Period) {
        const QRect plot = plotRect();
        const int step = std::max(1, plot.width() / kMomentSteps) * (event.key() == Qt::Key_Comma ? -1 : 1);
        const auto chosen = m_overlay.moment ? xOf(*m_overlay.moment) : std::nullopt;
        const bool isInSight = chosen && *chosen >= plot.left() && *chosen <= plot.right();
        const int x = isInSight ? std::clamp(*chosen + step, plot.left(), plot.right()) : plot.center().x();
        if (const auto at = timeAt(x)) emit momentChosen(*at);
        return true;
    }
    if (event.key() == Qt::Key_Escape && m_overlay.marked) {
        emit markedCleared();
        return true;
    }
    return PlotCanvas::handleKey(event);
}

void CurveCanvas::clickAt(const QPoint& at) {
    const auto time = timeAt(at.x());
    if (time && plotRect().contains(at)) emit momentChosen(*time);
}

/// The line at the pointer goes with it.
void CurveCanvas::hoverAt(const QPoint& at, const QPoint& global) {
    PlotCanvas::hoverAt(at, global);
    update();
}

void CurveCanvas::showAll() {
    fitValues(std::nullopt);
    PlotCanvas::showAll();
}

/// The value of each line at the place; where its pixel has several, their range as well.
QString CurveCanvas::tipAt(const QPoint& at) {
    const auto time = timeAt(at.x());
    const QRect plot = plotRect();
    if (!time || !plot.contains(at)) return {};
    updateEnvelopes();
    QStringList lines{placeText(*time)};
    const auto column = static_cast<std::size_t>(std::lround((at.x() - plot.left()) * devicePixelRatioF()));
    for (std::size_t i = 0; i < m_envelopes->lines.size() && i < m_lines.size(); ++i) {
        const auto& columns = m_envelopes->lines[i];
        if (column >= columns.size() || !columns[column].any()) continue;
        const MemoryExtremes& range = columns[column];
        QString text = m_lines[i].name + u": "_s;
        if (range.min == range.max) {
            text += valueText(range.min);
            if (m_values == Values::Bytes && range.min >= 0)
                text += u" ("_s + formatExactBytes(static_cast<std::uint64_t>(range.min)) + u')';
        } else {
            text += tr("%1 to %2 within this pixel").arg(valueText(range.min), valueText(range.max));
        }
        if (lines.size() <= kMaxTipLines) lines << text;
    }
    const auto near = [&](TimeNs moment) {
        const auto x = xOf(moment);
        return x && std::abs(*x - at.x()) <= 4;
    };
    for (const CurvePoint& point : m_overlay.points) {
        if (near(point.at) && lines.size() <= kMaxTipLines) lines << point.tip;
    }
    for (const CurveRange& mark : m_overlay.ranges) {
        const bool inside = mark.range.contains(*time) || near(mark.range.begin);
        if (inside && lines.size() <= kMaxTipLines) lines << mark.tip;
    }
    return lines.join(u'\n');
}

void CurveCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (const auto time = timeAt(at.value_or(plotRect().center()).x())) emit menuOpens(&menu, *time);
}

}  // namespace altiscope
