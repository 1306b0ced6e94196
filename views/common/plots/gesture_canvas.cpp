#include "views/common/plots/gesture_canvas.h"

#include "views/common/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

namespace {

/// Gestures of one kind that follow each other within this time are one step of the history.
constexpr qint64 kGesturePauseMs = 500;

}  // namespace

// Keys of Curves, charts, maps and flame graphs:
// - `W`, `+`: Zoom in, at the pointer or the centre
// - `S`, `-`: Zoom out
// - `A`, `Left`: Move to earlier times, or to the left
// - `D`, `Right`: Move to later times, or to the right
// - `Ctrl+0`: Show all
// - `Backspace`: Back to the previous view
// - `Shift+Backspace`: Forward to the next view
// - `Esc`: End a drag without an effect
CanvasCommand canvasCommand(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: return CanvasCommand::ZoomIn;
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

GestureCanvas::GestureCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

// --- a window in time -----------------------------------------------------------------------------------------------

void GestureCanvas::zoomAt(const QPointF& at, double factor, HistoryMark mark) {
    const QRect plot = plotRect();
    if (plot.width() <= 0) return;
    changeTime([&](ViewWindow& window) { window.zoomAt((at.x() - plot.left()) / plot.width(), factor, mark); });
}

void GestureCanvas::panBy(double across, double /*down*/, HistoryMark mark) {
    changeTime([&](ViewWindow& window) { window.panBy(across, mark); });
}

GestureCanvas::PanTo GestureCanvas::beginPan() {
    return [this, before = timeWindow()->range()](const QPoint& moved, HistoryMark mark) {
        const double ns = static_cast<double>(before.length().value) / std::max(1, plotRect().width()) * -moved.x();
        const DurationNs by{static_cast<std::int64_t>(std::llround(ns))};
        changeTime([&](ViewWindow& window) { window.show({before.begin + by, before.end + by}, mark); });
    };
}

void GestureCanvas::showAll() {
    changeTime([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

void GestureCanvas::showPrevious() {
    changeTime([](ViewWindow& window) { window.undo(); });
}

void GestureCanvas::showNext() {
    changeTime([](ViewWindow& window) { window.redo(); });
}

TimeRange GestureCanvas::timesOf(const QRect& box) const {
    const QRect plot = plotRect();
    const PixelScale scale(timeWindow()->range(), std::max(1, plot.width()));
    const TimeNs begin = scale.timeAt(box.left() - plot.left());
    return {begin, std::max(scale.timeAt(box.left() + box.width() - plot.left()), begin + DurationNs{1})};
}

void GestureCanvas::showBox(const QRect& box) {
    if (timeWindow() != nullptr) {
        const TimeRange times = timesOf(box);
        return changeTime([&](ViewWindow& window) { window.show(times, HistoryMark::NewStep); });
    }
    const QRectF plot = plotRect();
    const double across = box.width() / plot.width(), down = hasHighBoxes() ? box.height() / plot.height() : 0;
    const double factor = std::max(across, down);
    if (!(factor > 0 && factor < 1)) return;
    // The point that has to stay for the centre of the box to come to the centre of the plot.
    const QPointF fixed = (QRectF(box).center() - plot.center() * factor) / (1 - factor);
    zoomAt(fixed, factor, HistoryMark::NewStep);
}

// --- steps of the history -------------------------------------------------------------------------------------------

HistoryMark GestureCanvas::markOf(Gesture gesture) {
    const bool goesOn =
        m_lastGesture == gesture && m_sinceGesture.isValid() && m_sinceGesture.elapsed() < kGesturePauseMs;
    m_lastGesture = gesture;
    m_sinceGesture.start();
    return goesOn ? HistoryMark::Continue : HistoryMark::NewStep;
}

void GestureCanvas::zoomOn(const QPointF& at, double factor) { zoomAt(at, factor, markOf(Gesture::Zoom)); }

void GestureCanvas::panOn(double across, double down) { panBy(across, down, markOf(Gesture::Pan)); }

// --- wheel and keys -------------------------------------------------------------------------------------------------

void GestureCanvas::wheelEvent(QWheelEvent* event) { turnWheel(*event, event->position()); }

void GestureCanvas::turnWheel(QWheelEvent& event, const QPointF& at) {
    if (isEmpty()) return event.ignore();
    event.accept();
    const QPoint turned = event.angleDelta();
    const bool isSideways = std::abs(turned.x()) > std::abs(turned.y());
    if (isSideways || (event.modifiers() & Qt::ShiftModifier) != 0)
        return panOn(-(isSideways ? turned.x() : turned.y()) / kCanvasNotch * kCanvasPanShare, 0);
    if ((event.modifiers() & Qt::ControlModifier) == 0 && scroll(event)) return;
    if (turned.y() != 0) zoomOn(at, std::pow(kCanvasWheelZoom, turned.y() / kCanvasNotch));
}

void GestureCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && cancelDrag()) return;
    if (!handleKey(*event)) QWidget::keyPressEvent(event);
}

bool GestureCanvas::handleKey(const QKeyEvent& event) {
    const CanvasCommand command = canvasCommand(event);
    if (isEmpty() || command == CanvasCommand::None) return false;
    switch (command) {
    case CanvasCommand::None: break;
    case CanvasCommand::ZoomIn: zoomOn(pointerOrCentre(), kCanvasKeyZoom); return true;
    case CanvasCommand::ZoomOut: zoomOn(pointerOrCentre(), 1 / kCanvasKeyZoom); return true;
    case CanvasCommand::PanLeft: panOn(-kCanvasPanShare, 0); return true;
    case CanvasCommand::PanRight: panOn(kCanvasPanShare, 0); return true;
    case CanvasCommand::ShowAll: showAll(); break;
    case CanvasCommand::Undo: showPrevious(); break;
    case CanvasCommand::Redo: showNext(); break;
    }
    m_lastGesture = Gesture::None;
    return true;
}

// --- mouse ----------------------------------------------------------------------------------------------------------

void GestureCanvas::followPointer(const QMouseEvent& event) {
    m_pointer = event.pos();
    m_isPointerOverPlot = plotRect().contains(m_pointer);
}

void GestureCanvas::mousePressEvent(QMouseEvent* event) {
    followPointer(*event);
    const bool isLeft = event->button() == Qt::LeftButton;
    if (isEmpty() || !(isLeft || event->button() == Qt::MiddleButton)) return;
    cancelDrag();
    m_pressedAt = event->pos();
    m_button = event->button();
    m_hasPanned = false;
    m_lastGesture = Gesture::None;
    m_panTo = beginPan();
    const bool hasControl = (event->modifiers() & Qt::ControlModifier) != 0;
    m_meant = !isLeft || hasControl                                               ? Drag::Pan
              : (event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier)) != 0 ? Drag::Box
              : canMark()                                                         ? Drag::Mark
                                                                                  : Drag::Pan;
    m_drag = !isLeft || hasControl ? Drag::Pan : Drag::Pressed;
    if (m_drag == Drag::Pan) setCursor(Qt::ClosedHandCursor);
}

void GestureCanvas::mouseMoveEvent(QMouseEvent* event) {
    followPointer(*event);
    // A menu may have swallowed the release: the drag ended where it was.
    if (m_drag != Drag::None && event->buttons() == Qt::NoButton) {
        m_drag = Drag::None;
        unsetCursor();
        dragChanged();
    }
    if (m_drag == Drag::None) return hoverAt(event->pos(), event->globalPosition().toPoint());
    moveDrag();
    if (m_drag != Drag::Pressed) dragChanged();
}

void GestureCanvas::moveDrag() {
    const QPoint moved = m_pointer - m_pressedAt;
    if (m_drag == Drag::Pressed && moved.manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = m_meant;
        if (m_drag == Drag::Pan) setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Pan && (m_hasPanned || !moved.isNull()))
        m_panTo(moved, std::exchange(m_hasPanned, true) ? HistoryMark::Continue : HistoryMark::NewStep);
}

void GestureCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_drag == Drag::None || event->button() != m_button) return;
    // Where it ends the pointer may not have been before.
    followPointer(*event);
    moveDrag();
    const QRect box = dragBox();
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    dragChanged();
    const bool isClick = drag == Drag::Pressed || (drag == Drag::Pan && !m_hasPanned);
    if (isClick && m_button == Qt::LeftButton) clickAt(event->pos());
    if (drag == Drag::Mark) mark(box);
    const int far = QApplication::startDragDistance();
    // A sliver was hardly meant.
    if (drag == Drag::Box && box.width() >= far && box.height() >= (hasHighBoxes() ? far : 0)) showBox(box);
}

void GestureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return mousePressEvent(event);
    followPointer(*event);
    cancelDrag();
    m_lastGesture = Gesture::None;
    openAt(event->pos());
}

void GestureCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_isPointerOverPlot = false;
}

bool GestureCanvas::cancelDrag() {
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::None) return false;
    unsetCursor();
    if (drag == Drag::Pan && m_hasPanned) m_panTo({}, HistoryMark::Continue);
    dragChanged();
    return true;
}

QRect GestureCanvas::dragBox() const {
    const QRect plot = plotRect();
    const auto within = [](int a, int from, int length) { return std::clamp(a, from, from + std::max(0, length)); };
    const int left = within(std::min(m_pressedAt.x(), m_pointer.x()), plot.left(), plot.width()),
              right = within(std::max(m_pressedAt.x(), m_pointer.x()), plot.left(), plot.width());
    if (m_drag != Drag::Box || !hasHighBoxes()) return {left, plot.top(), right - left, plot.height()};
    const int top = within(std::min(m_pressedAt.y(), m_pointer.y()), plot.top(), plot.height()),
              bottom = within(std::max(m_pressedAt.y(), m_pointer.y()), plot.top(), plot.height());
    return {left, top, right - left, bottom - top};
}

void GestureCanvas::paintDragBox(QPainter& painter) const {
    if (m_drag != Drag::Mark && m_drag != Drag::Box) return;
    QColor fill = themeOf(palette()).accent;
    painter.setPen(fill);
    fill.setAlpha(50);
    painter.setBrush(fill);
    painter.drawRect(dragBox());
}

}  // namespace altiscope
