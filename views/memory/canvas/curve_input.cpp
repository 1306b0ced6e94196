#include "views/memory/canvas/curve_canvas.h"

#include "views/common/support/formatters.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of CurveCanvas.

namespace {

constexpr qsizetype kMaxTipLines = 16;
/// Steps of a key over the width of the plot.
constexpr int kMomentSteps = 100;

}  // namespace

void CurveCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (const auto share = panOfWheel(*event))
        return m_window.change([&](ViewWindow& window) { window.panBy(*share, HistoryMark::Continue); });
    const double notches = event->angleDelta().y() / kCanvasNotch;
    if (notches == 0) return;
    m_window.change([&](ViewWindow& window) {
        zoomWindowAt(window, plotRect(), static_cast<int>(event->position().x()), std::pow(kCanvasWheelZoom, notches),
                     HistoryMark::Continue);
    });
}

// Keys of Memory, curves:
// - `,`, `.`: Choose the moment before or after
// - `Esc`: End a drag, then remove the marked time
void CurveCanvas::keyPressEvent(QKeyEvent* event) {
    const QRect plot = plotRect();
    if (const auto change = changeOfKey(*event, plot, pointerOrCentre().x())) return m_window.change(change);
    if (event->key() == Qt::Key_Comma || event->key() == Qt::Key_Period) {
        const int step = std::max(1, plot.width() / kMomentSteps) * (event->key() == Qt::Key_Comma ? -1 : 1);
        const auto chosen = m_overlay.moment ? xOf(*m_overlay.moment) : std::nullopt;
        const bool isInSight = chosen && *chosen >= plot.left() && *chosen <= plot.right();
        const int x = isInSight ? std::clamp(*chosen + step, plot.left(), plot.right()) : plot.center().x();
        if (const auto at = timeAt(x)) emit momentChosen(*at);
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        if (m_drag.cancel()) {
            m_dragged.reset();
            return update();
        }
        if (m_overlay.marked) return emit markedCleared();
    }
    QWidget::keyPressEvent(event);
}

void CurveCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_window.window().empty()) m_drag.press(*event, m_window.window().range(), *this);
}

void CurveCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->pos();
    const QRect plot = plotRect();
    followPointer(*event);
    m_drag.move(*event);
    switch (m_drag.kind()) {
    case CanvasDrag::Kind::Pan:
        m_window.change([&](ViewWindow& window) { window.show(m_drag.panned(at, plot), HistoryMark::Continue); });
        break;
    case CanvasDrag::Kind::Plain:
    case CanvasDrag::Kind::Modified: {
        const int from = std::clamp(m_drag.pressedAt().x(), plot.left(), plot.right()),
                  to = std::clamp(at.x(), plot.left(), plot.right());
        const auto begin = timeAt(std::min(from, to)), end = timeAt(std::max(from, to) + 1);
        if (begin && end) m_dragged = TimeRange{*begin, std::max(*end, *begin + DurationNs{1})};
        break;
    }
    case CanvasDrag::Kind::None:
    case CanvasDrag::Kind::Pressed: QToolTip::showText(event->globalPosition().toPoint(), tipAt(at), this);
    }
    update();
}

void CurveCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const CanvasDrag::Kind drag = m_drag.release(*this);
    const auto dragged = std::exchange(m_dragged, std::nullopt);
    if (drag == CanvasDrag::Kind::Plain && dragged) emit rangeMarked(*dragged);
    if (drag == CanvasDrag::Kind::Modified && dragged)
        m_window.change([&](ViewWindow& window) { window.show(*dragged, HistoryMark::NewStep); });
    const auto at = timeAt(event->pos().x());
    if (drag == CanvasDrag::Kind::Pressed && at && plotRect().contains(event->pos())) emit momentChosen(*at);
    update();
}

void CurveCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_drag.cancel();
    showAll();
}

void CurveCanvas::showAll() {
    fitValues(std::nullopt);
    m_window.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

void CurveCanvas::showPrevious() {
    m_window.change([](ViewWindow& window) { window.undo(); });
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

void CurveCanvas::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const int x = event->reason() == QContextMenuEvent::Mouse ? event->pos().x() : plotRect().center().x();
    if (const auto at = timeAt(x)) emit menuOpens(&menu, *at);
    if (!menu.isEmpty()) menu.addSeparator();
    addPictureActions(menu);
    menu.exec(event->globalPos());
}

}  // namespace altiscope
