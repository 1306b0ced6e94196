#include "views/common/plots/frame_canvas.h"
#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace altiscope {

namespace {

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
    return GestureCanvas::event(event);
}

void FrameCanvas::zoomAt(const QPointF& at, double factor, HistoryMark /*mark*/) {
    zoomBy(1 / factor, at.x() / std::max(1, width()));
}

void FrameCanvas::panBy(double across, double /*down*/, HistoryMark /*mark*/) { panBy(across); }

FrameCanvas::PanTo FrameCanvas::beginPan() {
    return [this, from = m_from](const QPoint& moved, HistoryMark) {
        setView(from - static_cast<double>(moved.x()) / std::max(1, width()) * m_span, m_span);
    };
}

/// The area around it scrolls.
bool FrameCanvas::scroll(QWheelEvent& event) {
    event.ignore();
    return true;
}

void FrameCanvas::clickAt(const QPoint& at) {
    if (const auto node = nodeAt(at)) setRoot(*node);
}

void FrameCanvas::hoverAt(const QPoint& at, const QPoint& global) { QToolTip::showText(global, tipAt(at), this); }

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
// - `Home`, `Ctrl+0`: Show the whole graph
// - `Ctrl+C`: Copy the name of the chosen frame
// - `Ctrl+F`: Find frames
bool FrameCanvas::handleKey(const QKeyEvent& event) {
    if (isEmpty()) return false;
    if (event.matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(toQString(m_source->text(m_current)));
        return true;
    }
    if (event.matches(QKeySequence::Find)) {
        emit findRequested();
        return true;
    }
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: setRoot(m_current); return true;
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
        if (m_root == 0 && m_span >= 1) return false;
        setRoot(m_span < static_cast<double>(nodes()[m_root].weight) / static_cast<double>(nodes().front().weight)
                    ? m_root
                    : nodes()[m_root].parent);
        return true;
    case Qt::Key_Home: showAll(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: moveCurrent(event.key()); return true;
    default: return GestureCanvas::handleKey(event);
    }
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
    menu.addAction(tr("Show all"), this, &FrameCanvas::showAll)->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.exec(event->globalPos());
}

void FrameCanvas::changeEvent(QEvent* event) {
    GestureCanvas::changeEvent(event);
    update();
}

}  // namespace altiscope
