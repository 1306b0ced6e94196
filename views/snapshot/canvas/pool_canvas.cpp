#include "views/snapshot/canvas/pool_canvas.h"

#include "views/common/plots/gesture_canvas.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QCursor>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMaxPoolPixels = 1 << 24;

}  // namespace

PoolCanvas::PoolCanvas(SnapshotSelection& selection, QWidget* parent)
    : QAbstractScrollArea(parent), m_selection(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    viewport()->setMouseTracking(true);
    connect(&selection, &SnapshotSelection::blockChanged, this, [this] {
        ensureSelected();
        viewport()->update();
    });
}

void PoolCanvas::setPool(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const PoolState> pool) {
    if (snapshot != m_snapshot) m_zoom = 1;
    m_snapshot = std::move(snapshot);
    m_pool = std::move(pool);
    m_largest = 1;
    if (m_pool != nullptr) {
        for (const PoolSegment& segment : m_pool->segments) m_largest = std::max(m_largest, segment.size);
    }
    updateBars();
    viewport()->update();
}

void PoolCanvas::setColouring(BlockColouring colouring) {
    m_colouring = colouring;
    viewport()->update();
}

int PoolCanvas::rowHeight() const { return fontMetrics().height() + 10; }

int PoolCanvas::labelWidth() const {
    return QFontMetrics(scaledFont(font(), 0.9)).horizontalAdvance(u"0x7f0000000000  0,000 MiB"_s) + 16;
}

double PoolCanvas::pixelsPerByte() const {
    const double room = std::max(50, viewport()->width() - labelWidth() - 12);
    return room * m_zoom / static_cast<double>(m_largest);
}

void PoolCanvas::updateBars() {
    const int rows = m_pool == nullptr ? 0 : static_cast<int>(m_pool->segments.size()) * rowHeight();
    verticalScrollBar()->setRange(0, std::max(0, rows - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    const int room = viewport()->width() - labelWidth() - 12;
    const auto width = static_cast<int>(static_cast<double>(std::max(50, room)) * m_zoom);
    horizontalScrollBar()->setRange(0, std::max(0, width - room));
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(40);
}

void PoolCanvas::zoom(double factor, int x) {
    const double at = (x - labelWidth() + horizontalScrollBar()->value()) / pixelsPerByte();
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMaxPoolPixels / std::max(50, viewport()->width()));
    updateBars();
    horizontalScrollBar()->setValue(static_cast<int>(at * pixelsPerByte()) - (x - labelWidth()));
    viewport()->update();
}

void PoolCanvas::paintSegment(QPainter& painter, const PoolSegment& segment, int top,
                              const BlockColours& colours) const {
    const Theme& theme = themeOf(palette());
    const double scale = pixelsPerByte();
    const double left = labelWidth() - horizontalScrollBar()->value();
    const int height = rowHeight() - 4;
    const auto xOf = [&](std::int64_t address) {
        return left + static_cast<double>(address - segment.address) * scale;
    };
    const QRectF whole(left, top, std::max(2.0, static_cast<double>(segment.size) * scale), height);
    painter.fillRect(whole, theme.sunken);
    painter.fillRect(whole, QBrush(theme.free, Qt::BDiagPattern));
    // Where several parts share a pixel the largest is drawn.
    int lastPixel = std::numeric_limits<int>::min();
    std::int64_t lastSize = 0;
    const auto first = m_pool->parts.begin() + static_cast<std::ptrdiff_t>(segment.firstPart);
    for (auto part = first; part != first + static_cast<std::ptrdiff_t>(segment.parts); ++part) {
        if (part->state == PoolPart::State::Hole) continue;
        const double begin = xOf(part->address), end = xOf(part->address + part->size);
        if (end < labelWidth() || begin > viewport()->width()) continue;
        const int pixel = static_cast<int>(begin);
        const bool isThin = end - begin < 1;
        if (isThin && pixel == lastPixel && part->size <= lastSize && part->block != m_selection.block()) continue;
        lastPixel = pixel;
        lastSize = part->size;
        const QRectF box(begin, top, std::max(1.0, end - begin), height);
        painter.fillRect(box, QColor(colours.of(part->block)));
        if (part->state == PoolPart::State::WaitsForStreams)
            painter.fillRect(box, QBrush(theme.background, Qt::Dense5Pattern));
        if (end - begin > 3) {
            painter.setPen(theme.background);
            painter.drawLine(QPointF(end - 0.5, top), QPointF(end - 0.5, top + height));
        }
        if (part->block == m_selection.block()) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(box.adjusted(0, 1, 0, -1));
        }
    }
    painter.setPen(theme.muted);
    painter.drawRect(whole.adjusted(0, 0, -1, -1));
}

void PoolCanvas::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.background);
    if (m_snapshot == nullptr || m_pool == nullptr) return;
    if (m_pool->segments.empty()) {
        painter.setPen(theme.muted);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No segment is reserved in this state."));
        return;
    }
    const BlockColours colours(*m_snapshot->device, m_colouring, theme);
    const int height = rowHeight(), offset = verticalScrollBar()->value();
    const auto first = static_cast<std::size_t>(offset / height);
    painter.setFont(scaledFont(font(), 0.9));
    for (std::size_t i = first; i < m_pool->segments.size(); ++i) {
        const int top = static_cast<int>(i) * height - offset;
        if (top > viewport()->height()) break;
        painter.setClipRect(labelWidth() - 1, 0, viewport()->width(), viewport()->height());
        paintSegment(painter, m_pool->segments[i], top + 2, colours);
        painter.setClipping(false);
        painter.setPen(theme.muted);
        painter.drawText(QRect(8, top, labelWidth() - 16, height), Qt::AlignVCenter | Qt::AlignLeft,
                         addressText(m_pool->segments[i].address));
        painter.drawText(QRect(8, top, labelWidth() - 16, height), Qt::AlignVCenter | Qt::AlignRight,
                         bytesText(m_pool->segments[i].size));
    }
    if (!hasFocus()) return;
    painter.setPen(theme.accent);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

std::optional<std::size_t> PoolCanvas::partAt(const QPoint& at) const {
    if (m_pool == nullptr || at.x() < labelWidth()) return std::nullopt;
    const int row = (at.y() + verticalScrollBar()->value()) / rowHeight();
    if (row < 0 || static_cast<std::size_t>(row) >= m_pool->segments.size()) return std::nullopt;
    const PoolSegment& segment = m_pool->segments[static_cast<std::size_t>(row)];
    const double bytes = (at.x() + 0.5 - labelWidth() + horizontalScrollBar()->value()) / pixelsPerByte();
    if (bytes < 0 || bytes >= static_cast<double>(segment.size)) return std::nullopt;
    const std::int64_t address = segment.address + static_cast<std::int64_t>(bytes);
    const auto first = m_pool->parts.begin() + static_cast<std::ptrdiff_t>(segment.firstPart);
    const auto part = std::partition_point(first, first + static_cast<std::ptrdiff_t>(segment.parts),
                                           [&](const PoolPart& each) { return each.address + each.size <= address; });
    return static_cast<std::size_t>(part - m_pool->parts.begin());
}

QString PoolCanvas::tipAt(const QPoint& at) const {
    const auto index = partAt(at);
    if (!index || *index >= m_pool->parts.size()) return {};
    const PoolPart& part = m_pool->parts[*index];
    QStringList lines;
    if (part.state == PoolPart::State::Hole) {
        lines << tr("Free: %1").arg(exactBytesText(part.size));
    } else {
        lines << tr("%1 requested, %2 used").arg(exactBytesText(part.requested), bytesText(part.size));
        if (part.state == PoolPart::State::WaitsForStreams) lines << tr("Released; waits for its streams");
        const DeviceSnapshot& device = *m_snapshot->device;
        const BlockLife& block = device.blocks[part.block];
        lines << stackTitle(device.stackText(block.stack));
        if (block.annotation != 0)
            lines << tr("Annotation: %1").arg(annotationTitle(device.annotationText(block.annotation)));
    }
    lines << addressText(part.address);
    const auto segment =
        std::partition_point(m_pool->segments.begin(), m_pool->segments.end(),
                             [&](const PoolSegment& each) { return each.firstPart + each.parts <= *index; });
    if (segment == m_pool->segments.end()) return lines.join(u'\n');
    lines << (segment->isExpandable ? tr("In an expandable segment of %1: used %2 (blocks: %3), free %4 (holes: %5)")
                                    : tr("In a segment of %1: used %2 (blocks: %3), free %4 (holes: %5)"))
                 .arg(bytesText(segment->size), bytesText(segment->used))
                 .arg(segment->blocks)
                 .arg(bytesText(segment->holeBytes))
                 .arg(segment->holes);
    return lines.join(u'\n');
}

void PoolCanvas::ensureSelected() {
    if (m_pool == nullptr || m_selection.block() == kNoBlock || m_snapshot == nullptr) return;
    const std::int64_t address = m_snapshot->device->blocks[m_selection.block()].address;
    for (std::size_t i = 0; i < m_pool->segments.size(); ++i) {
        const PoolSegment& segment = m_pool->segments[i];
        if (address < segment.address || address >= segment.address + segment.size) continue;
        const int top = static_cast<int>(i) * rowHeight(), offset = verticalScrollBar()->value();
        if (top < offset) verticalScrollBar()->setValue(top);
        if (top + rowHeight() > offset + viewport()->height())
            verticalScrollBar()->setValue(top + rowHeight() - viewport()->height());
        return;
    }
}

/// To the next block by address, or the one before.
void PoolCanvas::step(int direction) {
    if (m_pool == nullptr || m_pool->parts.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(m_pool->parts.size());
    std::ptrdiff_t at = direction > 0 ? -1 : count;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        if (m_pool->parts[static_cast<std::size_t>(i)].block == m_selection.block() && m_selection.block() != kNoBlock)
            at = i;
    }
    for (at += direction; at >= 0 && at < count; at += direction) {
        const BlockNumber block = m_pool->parts[static_cast<std::size_t>(at)].block;
        if (block != kNoBlock) return m_selection.setBlock(block);
    }
}

// Keys of Snapshot, Pool:
// - `Left`, `Right`: Select the block before or after by its address
void PoolCanvas::keyPressEvent(QKeyEvent* event) {
    const int centre = labelWidth() + (viewport()->width() - labelWidth()) / 2;
    const int at = viewport()->underMouse() ? viewport()->mapFromGlobal(QCursor::pos()).x() : centre;
    const auto pan = [this](double share) {
        QScrollBar& bar = *horizontalScrollBar();
        bar.setValue(bar.value() + static_cast<int>(share * bar.pageStep()));
    };
    if (event->key() == Qt::Key_Right) return step(1);
    if (event->key() == Qt::Key_Left) return step(-1);
    switch (canvasCommand(*event)) {
    case CanvasCommand::ZoomIn: return zoom(1 / kCanvasKeyZoom, at);
    case CanvasCommand::ZoomOut: return zoom(kCanvasKeyZoom, at);
    case CanvasCommand::PanLeft: return pan(-kCanvasPanShare);
    case CanvasCommand::PanRight: return pan(kCanvasPanShare);
    case CanvasCommand::ShowAll: return zoom(0, at);
    case CanvasCommand::Undo:
    case CanvasCommand::Redo:  // it keeps no previous views
    case CanvasCommand::None: break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void PoolCanvas::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) == 0) return QAbstractScrollArea::wheelEvent(event);
    zoom(std::pow(1 / kCanvasWheelZoom, event->angleDelta().y() / kCanvasNotch),
         static_cast<int>(event->position().x()));
    event->accept();
}

void PoolCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto index = partAt(event->pos());
    m_selection.setBlock(index && *index < m_pool->parts.size() ? m_pool->parts[*index].block : kNoBlock);
}

bool PoolCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void PoolCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateBars();
}

void PoolCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    viewport()->update();
}

}  // namespace altiscope
