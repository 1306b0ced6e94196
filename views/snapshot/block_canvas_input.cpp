#include "views/snapshot/block_canvas.h"

#include "views/common/plots/picture_file.h"
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

// What BlockCanvas does with keys and mouse.

namespace {

constexpr double kBlockNotch = 120;
constexpr double kBlockWheelZoom = 0.8, kBlockKeyZoom = 0.7, kBlockPanShare = 0.2;

}  // namespace

void BlockCanvas::zoomEvents(int x, double factor, HistoryMark mark) {
    const QRect plot = plotRect();
    if (plot.width() <= 0) return;
    m_window.change(
        [&](ViewWindow& window) { window.zoomAt(static_cast<double>(x - plot.left()) / plot.width(), factor, mark); });
}

void BlockCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (m_window.empty()) return;
    // With Alt the desktop turns the wheel by a quarter.
    const QPoint delta = event->angleDelta();
    const bool inBytes = (event->modifiers() & Qt::AltModifier) != 0;
    const double notches = (inBytes && delta.y() == 0 ? delta.x() : delta.y()) / kBlockNotch;
    if (inBytes) {
        if (notches != 0)
            m_window.zoomBytes(bytesAt(static_cast<int>(event->position().y())), std::pow(kBlockWheelZoom, notches));
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0 || delta.x() != 0) {
        const double share = delta.x() != 0 ? -delta.x() / kBlockNotch * kBlockPanShare : -notches * kBlockPanShare;
        m_window.change([&](ViewWindow& window) { window.panBy(share, HistoryMark::Continue); });
    } else if (notches != 0) {
        zoomEvents(static_cast<int>(event->position().x()), std::pow(kBlockWheelZoom, notches), HistoryMark::Continue);
    }
}

void BlockCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_window.empty()) return QWidget::keyPressEvent(event);
    const QPoint centre = m_hasPointer ? m_pointer : plotRect().center();
    const HistoryMark mark = event->isAutoRepeat() ? HistoryMark::Continue : HistoryMark::NewStep;
    const bool isShifted = (event->modifiers() & Qt::ShiftModifier) != 0,
               isControl = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto zoom = [&](double factor) {
        isShifted ? m_window.zoomBytes(bytesAt(centre.y()), factor) : zoomEvents(centre.x(), factor, mark);
    };
    const auto pan = [&](double share) { m_window.change([&](ViewWindow& window) { window.panBy(share, mark); }); };
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: return zoom(kBlockKeyZoom);
    case Qt::Key_S:
    case Qt::Key_Minus: return zoom(1 / kBlockKeyZoom);
    case Qt::Key_A:
    case Qt::Key_Left: return pan(-kBlockPanShare);
    case Qt::Key_D:
    case Qt::Key_Right: return pan(kBlockPanShare);
    case Qt::Key_Up: return m_window.panBytes(kBlockPanShare);
    case Qt::Key_Down: return m_window.panBytes(-kBlockPanShare);
    case Qt::Key_Backspace:
        return m_window.change([&](ViewWindow& window) { isShifted ? window.redo() : window.undo(); });
    case Qt::Key_Z:
        if (isShifted) return showSelection();
        if (isControl) return m_window.change([](ViewWindow& window) { window.undo(); });
        break;
    case Qt::Key_M:
        if (m_snapshot != nullptr && m_selection.block() != kNoBlock) {
            const BlockLife& block = m_snapshot->device->blocks[m_selection.block()];
            return m_selection.setMarked(EventRange{block.begin, block.end});
        }
        break;
    case Qt::Key_0:
        if (isControl) return m_window.showAll();
        break;
    case Qt::Key_Escape:
        if (std::exchange(m_drag, Drag::None) != Drag::None) return update();
        if (m_selection.marked()) return m_selection.setMarked(std::nullopt);
        if (m_selection.block() != kNoBlock) return m_selection.setBlock(kNoBlock);
        break;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void BlockCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = m_pointer = event->pos();
    m_pressedEvents = m_window.events().range();
    m_pressedLow = m_window.low();
    if (m_window.empty()) return;
    const bool isLeft = event->button() == Qt::LeftButton;
    if (event->button() == Qt::MiddleButton || (isLeft && (event->modifiers() & Qt::ControlModifier) != 0)) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (isLeft) {
        m_drag = Drag::Pressed;
    }
}

void BlockCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->pos();
    m_hasPointer = plotRect().contains(m_pointer);
    if (m_drag == Drag::Pressed && (m_pointer - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        m_drag = (event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier)) != 0 ? Drag::Box : Drag::Mark;
    if (m_drag == Drag::Pan) {
        // From where the drag began, so that nothing adds up.
        const QRect plot = plotRect();
        const double events = static_cast<double>(m_pressedEvents.length().value) / std::max(1, plot.width()) *
                              (m_pressedAt.x() - m_pointer.x());
        const DurationNs by{static_cast<std::int64_t>(std::llround(events))};
        m_window.change([&](ViewWindow& window) {
            window.show({m_pressedEvents.begin + by, m_pressedEvents.end + by}, HistoryMark::Continue);
        });
        const std::int64_t length = m_window.high() - m_window.low();
        const auto low =
            m_pressedLow + static_cast<std::int64_t>(static_cast<double>(length) / std::max(1, plot.height()) *
                                                     (m_pointer.y() - m_pressedAt.y()));
        return m_window.showBytes(low, low + length);
    }
    if (m_drag == Drag::Mark || m_drag == Drag::Box) return update();
    QToolTip::showText(event->globalPosition().toPoint(), tipAt(m_pointer), this);
}

void BlockCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    const QRect box = QRect(m_pressedAt, event->pos()).normalized() & plotRect();
    if (drag == Drag::Box) showBox(box);
    if (drag == Drag::Mark && m_snapshot != nullptr) {
        const auto within = [this](std::int64_t at) {
            return static_cast<EventNumber>(std::clamp<std::int64_t>(at, kBeforeHistory, m_snapshot->device->events));
        };
        const EventRange range{within(positionAt(box.left())), within(positionAt(box.right() + 1) + 1)};
        if (range.begin < range.end) m_selection.setMarked(range);
    }
    if (drag == Drag::Pressed) select(event->pos());
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
    m_drag = Drag::None;
    select(event->pos());
    if (m_selection.block() == kNoBlock) return m_window.showAll();
    showSelection();
}

void BlockCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_hasPointer = false;
}

void BlockCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void BlockCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
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
        const QString from = block.begin < 0 ? tr("before the history") : eventText(block.begin),
                      until = block.end == device.events ? tr("alive at the end") : eventText(block.end);
        lines << tr("%1 to %2", "events of a block").arg(from, until);
    } else if (bytesAt(at.y()) < device.activeAt(*event)) {
        lines << tr("Blocks that are smaller or shorter than a pixel: zoom in");
    }
    lines << eventText(*event);
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
    menu.addAction(tr("Show all"), this, [this] { m_window.showAll(); })->setShortcut(Qt::CTRL | Qt::Key_0);
    menu.addAction(tr("Back to the previous view"), this,
                   [this] { m_window.change([](ViewWindow& window) { window.undo(); }); })
        ->setShortcut(Qt::Key_Backspace);
    menu.addAction(tr("Copy the picture"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
    menu.addAction(tr("Save the picture…"), this,
                   [this] { askAndWritePicture(this, [this](const QString& file) { return savePicture(file); }); });
    menu.exec(event->globalPos());
}

}  // namespace altiscope
