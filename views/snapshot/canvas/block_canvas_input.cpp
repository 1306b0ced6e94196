#include "views/snapshot/canvas/block_canvas.h"

#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
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

// Keys and mouse of BlockCanvas.

void BlockCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (m_window.empty()) return;
    const QPoint delta = event->angleDelta(), at = event->position().toPoint();
    if ((event->modifiers() & Qt::AltModifier) != 0) {
        // With Alt the desktop turns the wheel by a quarter.
        const double notches = (delta.y() == 0 ? delta.x() : delta.y()) / kCanvasNotch;
        if (notches != 0) m_window.zoomBytes(bytesAt(at.y()), std::pow(kCanvasWheelZoom, notches));
    } else if (const auto share = panOfWheel(*event)) {
        m_window.change([&](ViewWindow& window) { window.panBy(*share, HistoryMark::Continue); });
    } else if (delta.y() != 0) {
        m_window.change([&](ViewWindow& window) {
            zoomWindowAt(window, plotRect(), at.x(), std::pow(kCanvasWheelZoom, delta.y() / kCanvasNotch),
                         HistoryMark::Continue);
        });
    }
}

// Keys of Snapshot, blocks:
// - `Shift+W`, `Shift++`: Zoom in on sizes at the pointer
// - `Shift+S`, `Shift+-`: Zoom out of sizes at the pointer
// - `Up`, `Down`: Move to larger or smaller sizes
// - `Shift+Z`: Zoom to the selected block, else the marked events
// - `Ctrl+Z`: Back to the previous view
// - `M`: Mark the lifetime of the selected block
// - `Esc`: End a drag, then remove the mark, then the selection
void BlockCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_window.empty()) return QWidget::keyPressEvent(event);
    const QPoint centre = pointerOrCentre();
    const bool isShifted = (event->modifiers() & Qt::ShiftModifier) != 0,
               isControl = (event->modifiers() & Qt::ControlModifier) != 0;
    const CanvasCommand command = canvasCommand(*event);
    if (command == CanvasCommand::ShowAll) return showAll();
    if (isShifted && command == CanvasCommand::ZoomIn) return m_window.zoomBytes(bytesAt(centre.y()), kCanvasKeyZoom);
    if (isShifted && command == CanvasCommand::ZoomOut)
        return m_window.zoomBytes(bytesAt(centre.y()), 1 / kCanvasKeyZoom);
    switch (event->key()) {
    case Qt::Key_Up: return m_window.panBytes(kCanvasPanShare);
    case Qt::Key_Down: return m_window.panBytes(-kCanvasPanShare);
    case Qt::Key_Z:
        if (isShifted) return showSelection();
        if (isControl) return showPrevious();
        break;
    case Qt::Key_M:
        if (m_snapshot != nullptr && m_selection.block() != kNoBlock) {
            const BlockLife& block = m_snapshot->device->blocks[m_selection.block()];
            return m_selection.setMarked(EventRange{block.begin, block.end});
        }
        break;
    case Qt::Key_Escape:
        if (m_drag.cancel()) return update();
        if (m_selection.marked()) return m_selection.setMarked(std::nullopt);
        if (m_selection.block() != kNoBlock) return m_selection.setBlock(kNoBlock);
        break;
    default: break;
    }
    if (const auto change = changeOfKey(*event, plotRect(), centre.x())) return m_window.change(change);
    QWidget::keyPressEvent(event);
}

void BlockCanvas::mousePressEvent(QMouseEvent* event) {
    followPointer(*event);
    m_pressedLow = m_window.low();
    if (!m_window.empty()) m_drag.press(*event, m_window.events().range(), *this);
}

void BlockCanvas::mouseMoveEvent(QMouseEvent* event) {
    followPointer(*event);
    m_drag.move(*event);
    if (m_drag.kind() == CanvasDrag::Kind::Pan) {
        const QRect plot = plotRect();
        m_window.change(
            [&](ViewWindow& window) { window.show(m_drag.panned(pointer(), plot), HistoryMark::Continue); });
        const std::int64_t length = m_window.high() - m_window.low();
        const auto low =
            m_pressedLow + static_cast<std::int64_t>(static_cast<double>(length) / std::max(1, plot.height()) *
                                                     (pointer().y() - m_drag.pressedAt().y()));
        return m_window.showBytes(low, low + length);
    }
    if (m_drag.kind() == CanvasDrag::Kind::Plain || m_drag.kind() == CanvasDrag::Kind::Modified) return update();
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(pointer()), this);
}

void BlockCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const CanvasDrag::Kind drag = m_drag.release(*this);
    const QRect box = QRect(m_drag.pressedAt(), event->pos()).normalized() & plotRect();
    if (drag == CanvasDrag::Kind::Modified) showBox(box);
    if (drag == CanvasDrag::Kind::Plain && m_snapshot != nullptr) {
        const auto within = [this](std::int64_t at) {
            return static_cast<EventNumber>(std::clamp<std::int64_t>(at, kBeforeHistory, m_snapshot->device->events));
        };
        const EventRange range{within(positionAt(box.left())), within(positionAt(box.right() + 1) + 1)};
        if (range.begin < range.end) m_selection.setMarked(range);
    }
    if (drag == CanvasDrag::Kind::Pressed) select(event->pos());
    update();
}

void BlockCanvas::select(const QPoint& at) {
    if (!plotRect().contains(at)) return;
    if (const auto event = eventAt(at.x())) m_selection.setEvent(*event);
    m_selection.setBlock(blockAt(at));
}

void BlockCanvas::showBox(const QRect& box) {
    if (box.width() < 2 || box.height() < 2) return;
    const TimeRange range{TimeNs{positionAt(box.left())}, TimeNs{positionAt(box.right()) + 1}};
    const std::int64_t low = bytesAt(box.bottom()), high = bytesAt(box.top());
    m_window.change([&](ViewWindow& window) { window.show(range, HistoryMark::NewStep); });
    m_window.showBytes(low, high);
}

/// The life of the selected block with some room, else the marked events.
void BlockCanvas::showSelection() {
    if (m_snapshot == nullptr) return;
    EventRange range = m_selection.marked().value_or(EventRange{});
    if (m_selection.block() != kNoBlock) {
        const BlockLife& block = m_snapshot->device->blocks[m_selection.block()];
        range = {block.begin, block.end};
    }
    if (range.begin >= range.end) return;
    const std::int64_t room = std::max<std::int64_t>(1, (range.end - range.begin) / 10);
    m_window.change([&](ViewWindow& window) {
        window.show({TimeNs{range.begin - room}, TimeNs{range.end + room}}, HistoryMark::NewStep);
    });
}

void BlockCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_drag.cancel();
    select(event->pos());
    if (m_selection.block() == kNoBlock) return showAll();
    showSelection();
}

void BlockCanvas::showAll() { m_window.showAll(); }

void BlockCanvas::showPrevious() {
    m_window.change([](ViewWindow& window) { window.undo(); });
}

QString BlockCanvas::tipAt(const QPoint& at) const {
    if (m_snapshot == nullptr || !plotRect().contains(at)) return {};
    const auto event = eventAt(at.x());
    if (!event) return {};
    const DeviceSnapshot& device = *m_snapshot->device;
    QStringList lines;
    const BlockNumber number = blockAt(at);
    if (number != kNoBlock) {
        const BlockLife& block = device.blocks[number];
        lines << exactBytesText(block.bytes) + u" · "_s + addressText(block.address);
        lines << stackTitle(device.stackText(block.stack));
        if (block.annotation != 0)
            lines << tr("Annotation: %1").arg(annotationTitle(device.annotationText(block.annotation)));
        const QString from = block.begin < 0 ? tr("before the history") : timedEventText(device, block.begin),
                      until = block.end == device.events ? tr("alive at the end") : timedEventText(device, block.end);
        lines << tr("%1 to %2", "events of a block").arg(from, until);
    } else if (bytesAt(at.y()) < device.activeAt(*event)) {
        lines << tr("Blocks that are smaller or shorter than a pixel: zoom in");
    }
    lines << timedEventText(device, *event);
    lines << tr("Allocated %1, reserved %2")
                 .arg(bytesText(device.allocatedAt(*event)), bytesText(device.reservedAt(*event)));
    for (const EventNumber failure : m_snapshot->failures) {
        if (std::abs(xOf(failure) - at.x()) <= 4) {
            lines << tr("Out of memory: a request of %1 failed").arg(bytesText(device.entry(failure).size));
            break;
        }
    }
    return lines.join(u'\n');
}

void BlockCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (m_snapshot == nullptr) return;
    if (event->reason() == QContextMenuEvent::Mouse) select(event->pos());
    QMenu menu(this);
    const BlockNumber block = m_selection.block();
    if (block != kNoBlock) {
        menu.addAction(tr("&Details of the block"), this, [this, block] { emit blockActivated(block); });
        const QString stack = toQString(m_snapshot->device->stackText(m_snapshot->device->blocks[block].stack));
        menu.addAction(tr("&Copy its call stack"), this, [stack] { QApplication::clipboard()->setText(stack); })
            ->setEnabled(!stack.isEmpty());
        menu.addAction(tr("&Zoom to its lifetime"), this, &BlockCanvas::showSelection)
            ->setShortcut(Qt::SHIFT | Qt::Key_Z);
        menu.addSeparator();
    }
    addPictureActions(menu);
    menu.exec(event->globalPos());
}

}  // namespace altiscope
