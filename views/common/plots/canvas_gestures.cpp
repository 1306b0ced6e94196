#include "views/common/plots/canvas_gestures.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRect>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

std::optional<double> panOfWheel(const QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    if (delta.x() != 0) return -delta.x() / kCanvasNotch * kCanvasPanShare;
    if ((event.modifiers() & Qt::ShiftModifier) != 0) return -delta.y() / kCanvasNotch * kCanvasPanShare;
    return std::nullopt;
}

void zoomWindowAt(ViewWindow& window, const QRect& plot, int x, double factor, HistoryMark mark) {
    if (plot.width() > 0) window.zoomAt(static_cast<double>(x - plot.left()) / plot.width(), factor, mark);
}

// Keys of Curves, charts and maps:
// - `W`, `+`: Zoom in, at the pointer or the centre
// - `S`, `-`: Zoom out
// - `A`, `Left`: Move to earlier times, or to the left
// - `D`, `Right`: Move to later times, or to the right
// - `Ctrl+0`: Show all
// - `Backspace`: Back to the previous view (charts keep none)
// - `Shift+Backspace`: Forward to the next view (curves and blocks)
CanvasCommand canvasCommand(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: return CanvasCommand::ZoomIn;
    case Qt::Key_S:
    case Qt::Key_Minus: return CanvasCommand::ZoomOut;
    case Qt::Key_A:
    case Qt::Key_Left: return CanvasCommand::PanLeft;
    case Qt::Key_D:
    case Qt::Key_Right: return CanvasCommand::PanRight;
    case Qt::Key_0:
        return (event.modifiers() & Qt::ControlModifier) != 0 ? CanvasCommand::ShowAll : CanvasCommand::None;
    case Qt::Key_Backspace:
        return (event.modifiers() & Qt::ShiftModifier) != 0 ? CanvasCommand::Redo : CanvasCommand::Undo;
    default: return CanvasCommand::None;
    }
}

std::function<void(ViewWindow&)> changeOfKey(const QKeyEvent& event, const QRect& plot, int x) {
    const HistoryMark mark = event.isAutoRepeat() ? HistoryMark::Continue : HistoryMark::NewStep;
    const auto zoom = [=](double factor) {
        return [=](ViewWindow& window) { zoomWindowAt(window, plot, x, factor, mark); };
    };
    const auto pan = [=](double share) { return [=](ViewWindow& window) { window.panBy(share, mark); }; };
    switch (canvasCommand(event)) {
    case CanvasCommand::ZoomIn: return zoom(kCanvasKeyZoom);
    case CanvasCommand::ZoomOut: return zoom(1 / kCanvasKeyZoom);
    case CanvasCommand::PanLeft: return pan(-kCanvasPanShare);
    case CanvasCommand::PanRight: return pan(kCanvasPanShare);
    case CanvasCommand::ShowAll: return [](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); };
    case CanvasCommand::Undo: return [](ViewWindow& window) { window.undo(); };
    case CanvasCommand::Redo: return [](ViewWindow& window) { window.redo(); };
    case CanvasCommand::None: break;
    }
    return {};
}

void CanvasDrag::press(const QMouseEvent& event, TimeRange window, QWidget& canvas) {
    m_pressedAt = event.pos();
    m_window = window;
    const bool isLeft = event.button() == Qt::LeftButton;
    if (event.button() == Qt::MiddleButton || (isLeft && (event.modifiers() & Qt::ControlModifier) != 0)) {
        m_kind = Kind::Pan;
        canvas.setCursor(Qt::ClosedHandCursor);
    } else if (isLeft) {
        m_kind = Kind::Pressed;
    }
}

void CanvasDrag::move(const QMouseEvent& event) {
    if (m_kind == Kind::Pressed && (event.pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        m_kind = (event.modifiers() & (Qt::AltModifier | Qt::ShiftModifier)) != 0 ? Kind::Modified : Kind::Plain;
}

TimeRange CanvasDrag::panned(const QPoint& at, const QRect& plot) const {
    const double ns =
        static_cast<double>(m_window.length().value) / std::max(1, plot.width()) * (m_pressedAt.x() - at.x());
    const DurationNs by{static_cast<std::int64_t>(std::llround(ns))};
    return {m_window.begin + by, m_window.end + by};
}

CanvasDrag::Kind CanvasDrag::release(QWidget& canvas) {
    canvas.unsetCursor();
    return std::exchange(m_kind, Kind::None);
}

bool CanvasDrag::cancel() { return std::exchange(m_kind, Kind::None) != Kind::None; }

}  // namespace altiscope
