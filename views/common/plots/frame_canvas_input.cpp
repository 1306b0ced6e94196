#include "views/common/plots/canvas_gestures.h"
#include "views/common/plots/frame_canvas.h"
#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace altiscope {

namespace {

constexpr double kFrameZoomStep = 1 / kCanvasWheelZoom;
/// Pixels that a press may move and still be a click.
constexpr double kFrameDragStart = 4;

void copyFrameStack(const FrameSource& source, std::uint32_t node) {
    QStringList lines;
    for (; node != 0; node = source.tree().nodes[node].parent) lines << toQString(source.text(node));
    QApplication::clipboard()->setText(lines.join(u'\n'));
}

}  // namespace

/// Ctrl+C and Ctrl+F are about the frames while they have the focus, not the window's.
bool FrameCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && !isEmpty()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Find)) event->accept();
    }
    return QWidget::event(event);
}

void FrameCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || isEmpty()) return;
    m_pressed = event->position();
    m_pressedFrom = m_from;
    m_isDragged = false;
}

void FrameCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed && (event->buttons() & Qt::LeftButton) != 0) {
        const double moved = event->position().x() - m_pressed->x();
        m_isDragged = m_isDragged || std::abs(moved) > kFrameDragStart;
        if (m_isDragged) setView(m_pressedFrom - moved / width() * m_span, m_span);
        return;
    }
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(event->pos()), this);
}

void FrameCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed) return;
    m_pressed.reset();
    if (m_isDragged) return;
    if (const auto node = nodeAt(event->pos())) setRoot(*node);
}

void FrameCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (isEmpty()) return event->ignore();
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        zoomBy(std::pow(kFrameZoomStep, turned.y() / kCanvasNotch), event->position().x() / std::max(1, width()));
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || std::abs(turned.x()) > std::abs(turned.y())) {
        panBy(*panOfWheel(*event));
    } else {
        return event->ignore();  // the area around it scrolls
    }
    event->accept();
}

void FrameCanvas::moveCurrent(int key) {
    const auto& all = nodes();
    const FrameNode& current = all[m_current];
    const int toCaller = m_rootPlace == Root::Top ? Qt::Key_Up : Qt::Key_Down,
              toCalled = m_rootPlace == Root::Top ? Qt::Key_Down : Qt::Key_Up;
    if (key == toCaller && m_current > 0) m_current = current.parent;
    else if (key == toCalled && m_current + 1 < current.end) m_current = m_current + 1;
    else if (key == Qt::Key_Right && m_current > 0 && current.end < all[current.parent].end) m_current = current.end;
    else if (key == Qt::Key_Left && m_current > 0) {
        // The child that ends where this one begins.
        for (std::uint32_t i = current.parent + 1; i < m_current; i = all[i].end) {
            if (all[i].end != m_current) continue;
            m_current = i;
            break;
        }
    }
    showCurrent();
}

void FrameCanvas::showCurrent() {
    setAccessibleDescription(m_source->tip(m_current));
    // Frames that zooming has left outside come into sight.
    const auto all = static_cast<double>(nodes().front().weight);
    const double from = static_cast<double>(nodes()[m_current].offset) / all,
                 span = static_cast<double>(nodes()[m_current].weight) / all;
    if (from + span <= m_from || from >= m_from + m_span) setView(from + span / 2 - m_span / 2, m_span);
    update();
    const QRectF box = boxOf(m_current);
    emit currentMoved(box.isEmpty() ? QRect(0, rowTop(nodes()[m_current].depth), 1, rowHeight()) : box.toRect());
}

// Keys of Flame graphs:
// - `Up`, `Down`, `Left`, `Right`: Choose the caller, the called frame or the one beside
// - `Enter`: Make the chosen frame the root
// - `Backspace`, `Esc`: Back to the whole root, then to its caller
// - `Home`: Show the whole graph
// - `+`: Zoom in
// - `-`: Zoom out
// - `Ctrl+C`: Copy the name of the chosen frame
// - `Ctrl+F`: Find frames
void FrameCanvas::keyPressEvent(QKeyEvent* event) {
    if (isEmpty()) return QWidget::keyPressEvent(event);
    if (event->matches(QKeySequence::Copy))
        return QApplication::clipboard()->setText(toQString(m_source->text(m_current)));
    if (event->matches(QKeySequence::Find)) return emit findRequested();
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return setRoot(m_current);
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
        if (m_root == 0 && m_span >= 1) break;
        return setRoot(m_span <
                               static_cast<double>(nodes()[m_root].weight) / static_cast<double>(nodes().front().weight)
                           ? m_root
                           : nodes()[m_root].parent);
    case Qt::Key_Home: return setRoot(0);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(kFrameZoomStep, 0.5);
    case Qt::Key_Minus: return zoomBy(1 / kFrameZoomStep, 0.5);
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: return moveCurrent(event->key());
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void FrameCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (isEmpty()) return;
    const auto at = event->reason() == QContextMenuEvent::Mouse ? nodeAt(event->pos()) : std::optional(m_current);
    QMenu menu(this);
    if (at && *at != 0) {
        if (m_fillMenu) m_fillMenu(menu, *at);
        // While the menu is open another source may come, of which the node is none.
        const auto source = m_source;
        const std::uint32_t node = *at;
        menu.addAction(tr("&Copy the frame"), this,
                       [source, node] { QApplication::clipboard()->setText(toQString(source->text(node))); });
        menu.addAction(tr("Copy the call &stack"), this, [source, node] { copyFrameStack(*source, node); });
        menu.addAction(tr("Show at full &width"), this, [this, source, node] {
            if (m_source == source) setRoot(node);
        });
    }
    menu.addAction(tr("Show all"), this, [this] { setRoot(0); });
    menu.exec(event->globalPos());
}

void FrameCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    update();
}

void FrameCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void FrameCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace altiscope
