#include "views/snapshot/canvas/block_canvas.h"

#include "views/common/support/formatters.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace altiscope {

using namespace Qt::StringLiterals;

// Keys and mouse of BlockCanvas.

void BlockCanvas::wheelEvent(QWheelEvent* event) {
    if (isEmpty() || (event->modifiers() & Qt::AltModifier) == 0) return PlotCanvas::wheelEvent(event);
    event->accept();
    // With Alt the desktop turns the wheel by a quarter.
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() == 0 ? delta.x() : delta.y()) / kCanvasNotch;
    if (notches != 0) m_window.zoomBytes(bytesAt(event->position().toPoint().y()), std::pow(kCanvasWheelZoom, notches));
}

// Keys of Snapshot, blocks:
// - `Shift+W`, `Shift++`: Zoom in on sizes at the pointer
// - `Shift+S`, `Shift+-`: Zoom out of sizes at the pointer
// - `Up`, `Down`: Move to larger or smaller sizes
// - `Shift+Z`: Zoom to the selected block, else the marked events
// - `Ctrl+Z`: Back to the previous view
// - `M`: Mark the lifetime of the selected block
// - `Esc`: Remove the mark, then the selection
bool BlockCanvas::handleKey(const QKeyEvent& event) {
    if (isEmpty()) return false;
    const bool isShifted = (event.modifiers() & Qt::ShiftModifier) != 0,
               isControl = (event.modifiers() & Qt::ControlModifier) != 0;
    const auto zoomBytes = [this](double factor) { m_window.zoomBytes(bytesAt(pointerOrCentre().y()), factor); };
    const bool hasBlock = m_snapshot != nullptr && m_selection.block() != kNoBlock;
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        if (!isShifted) break;
        zoomBytes(kCanvasKeyZoom);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        if (!isShifted) break;
        zoomBytes(1 / kCanvasKeyZoom);
        return true;
    case Qt::Key_Up: m_window.panBytes(kCanvasPanShare); return true;
    case Qt::Key_Down: m_window.panBytes(-kCanvasPanShare); return true;
    case Qt::Key_Z:
        if (isShifted) showSelection();
        else if (isControl) showPrevious();
        else break;
        return true;
    case Qt::Key_M:
        if (!hasBlock) break;
        m_selection.setMarked(EventRange{m_snapshot->device->blocks[m_selection.block()].begin,
                                         m_snapshot->device->blocks[m_selection.block()].end});
        return true;
    case Qt::Key_Escape:
        if (m_selection.marked()) m_selection.setMarked(std::nullopt);
        else if (m_selection.block() != kNoBlock) m_selection.setBlock(kNoBlock);
        else break;
        return true;
    default: break;
    }
    return PlotCanvas::handleKey(event);
}

BlockCanvas::PanTo BlockCanvas::beginPan() {
    return [this, panEvents = PlotCanvas::beginPan(), from = m_window.low(),
            length = m_window.high() - m_window.low()](const QPoint& moved, HistoryMark mark) {
        panEvents(moved, mark);
        const double perPixel = static_cast<double>(length) / std::max(1, plotRect().height());
        const std::int64_t low = from + static_cast<std::int64_t>(perPixel * moved.y());
        m_window.showBytes(low, low + length);
    };
}

void BlockCanvas::mark(const QRect& box) {
    if (m_snapshot == nullptr) return;
    const auto within = [this](std::int64_t at) {
        return static_cast<EventNumber>(std::clamp<std::int64_t>(at, kBeforeHistory, m_snapshot->device->events));
    };
    // With the event at the right border.
    const EventRange range{within(positionAt(box.left())), within(positionAt(box.left() + box.width()) + 1)};
    if (range.begin < range.end) m_selection.setMarked(range);
}

void BlockCanvas::clickAt(const QPoint& at) {
    if (!plotRect().contains(at)) return;
    if (const auto event = eventAt(at.x())) m_selection.setEvent(*event);
    m_selection.setBlock(blockAt(at));
}

void BlockCanvas::showBox(const QRect& box) {
    const std::int64_t low = bytesAt(box.top() + box.height()), high = bytesAt(box.top());
    PlotCanvas::showBox(box);
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

void BlockCanvas::openAt(const QPoint& at) {
    clickAt(at);
    if (m_selection.block() == kNoBlock) showAll();
    else showSelection();
}

void BlockCanvas::showAll() { m_window.showAll(); }

QString BlockCanvas::tipAt(const QPoint& at) {
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

void BlockCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (m_snapshot == nullptr) return;
    if (at) clickAt(*at);
    const BlockNumber block = m_selection.block();
    if (block != kNoBlock) {
        menu.addAction(tr("&Details of the block"), this, [this, block] { emit blockActivated(block); });
        const QString stack = toQString(m_snapshot->device->stackText(m_snapshot->device->blocks[block].stack));
        menu.addAction(tr("&Copy its call stack"), this, [stack] { QApplication::clipboard()->setText(stack); })
            ->setEnabled(!stack.isEmpty());
        menu.addAction(tr("&Zoom to its lifetime"), this, &BlockCanvas::showSelection)
            ->setShortcut(Qt::SHIFT | Qt::Key_Z);
    }
}

}  // namespace altiscope
