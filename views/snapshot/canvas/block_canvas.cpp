#include "views/snapshot/canvas/block_canvas.h"

#include "core/session/session.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kAllocatedHue = 0, kReservedHue = 1;

BlockFrame makeFrame(std::shared_ptr<const LoadedSnapshot> snapshot, const BlockPictureQuery& query,
                     BlockColouring colouring, const Theme& theme, const CancelToken& cancel) {
    BlockFrame frame;
    frame.picture = blockPicture(*snapshot->index, query, cancel);
    if (frame.picture == nullptr) return {};
    frame.image =
        colouredPicture(*frame.picture, BlockColours(*snapshot->device, colouring, theme), theme.background.rgb());
    frame.allocated = curveColumns(*snapshot->curve, SnapshotTotal::Allocated, query.begin, query.end, query.columns);
    frame.reserved = curveColumns(*snapshot->curve, SnapshotTotal::Reserved, query.begin, query.end, query.columns);
    frame.snapshot = std::move(snapshot);
    return frame;
}

}  // namespace

BlockCanvas::BlockCanvas(Session& session, EventWindow& window, SnapshotSelection& selection, QWidget* parent)
    : PlotCanvas(session, parent), m_window(window), m_selection(selection), m_slot(session.jobs()),
      m_usesSlot(session.jobs()) {
    setMinimumHeight(fontMetrics().height() * 8);
    connect(&window, &EventWindow::changed, this, &BlockCanvas::layOut);
    connect(&selection, &SnapshotSelection::blockChanged, this, [this] {
        m_hasOutline = false;
        findUses();
        update();
    });
    connect(&selection, &SnapshotSelection::eventChanged, this, qOverload<>(&QWidget::update));
    connect(&selection, &SnapshotSelection::markedChanged, this, qOverload<>(&QWidget::update));
}

void BlockCanvas::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_frame = {};
    m_hasOutline = false;
    m_slot.cancel();
    m_isStale = false;
    findUses();
    layOut();
}

void BlockCanvas::findUses() {
    m_uses.reset();
    m_usesSlot.cancel();
    emit usesFound();
    if (m_snapshot == nullptr || m_selection.block() >= m_snapshot->device->blocks.size()) return;
    m_usesSlot.start([device = m_snapshot->device, block = m_selection.block()](
                         const CancelToken& cancel) { return blockUses(*device, block, cancel); },
                     [this](std::optional<BlockUses> uses) {
                         m_uses = uses;
                         m_hasOutline = false;
                         emit usesFound();
                         update();
                     });
}

void BlockCanvas::setTimelineEvents(std::optional<EventRange> events) {
    if (std::exchange(m_timelineEvents, events) != events) update();
}

void BlockCanvas::setColouring(BlockColouring colouring) {
    if (std::exchange(m_colouring, colouring) != colouring) layOut();
}

// --- places -------------------------------------------------------------------------------------------------------

QRect BlockCanvas::plotRect() const {
    const QFontMetrics metrics(scaledFont(font(), 0.9));
    const int left = metrics.horizontalAdvance(u"0,000 MiB"_s) + 12, line = metrics.height();
    return rect().adjusted(left, line + 8, -12, -(line + 8));
}

double BlockCanvas::xOf(std::int64_t event) const {
    const QRect plot = plotRect();
    return plot.left() + static_cast<double>(event - m_window.begin()) * plot.width() /
                             std::max(1.0, static_cast<double>(m_window.end() - m_window.begin()));
}

double BlockCanvas::yOf(std::int64_t bytes) const {
    const QRect plot = plotRect();
    return plot.bottom() + 1 -
           static_cast<double>(bytes - m_window.low()) * plot.height() /
               static_cast<double>(m_window.high() - m_window.low());
}

std::int64_t BlockCanvas::bytesAt(int y) const {
    const QRect plot = plotRect();
    return m_window.low() + static_cast<std::int64_t>(static_cast<double>(m_window.high() - m_window.low()) *
                                                      (plot.bottom() + 1 - y) / std::max(1, plot.height()));
}

std::int64_t BlockCanvas::positionAt(int x) const {
    const QRect plot = plotRect();
    const double share = static_cast<double>(x - plot.left()) / std::max(1, plot.width());
    return m_window.begin() +
           static_cast<std::int64_t>(std::floor(share * static_cast<double>(m_window.end() - m_window.begin())));
}

std::optional<EventNumber> BlockCanvas::eventAt(int x) const {
    if (m_snapshot == nullptr || m_window.empty()) return std::nullopt;
    const std::int64_t at = positionAt(x);
    if (at < kBeforeHistory || at >= std::max(0, m_snapshot->device->events)) return std::nullopt;
    // The state that the picture shows there, so that what is selected is what was clicked at.
    const QRectF shown = frameRect();
    if (m_frame.picture != nullptr && !m_isStale && !m_slot.busy() && shown.width() > 0) {
        const auto column = static_cast<std::size_t>(std::max(0.0, (x + 0.5 - shown.left()) * devicePixelRatioF()));
        if (column < m_frame.picture->moments.size() && m_frame.picture->moments[column] < m_snapshot->device->events)
            return m_frame.picture->moments[column];
    }
    return static_cast<EventNumber>(at);
}

BlockNumber BlockCanvas::blockAt(const QPoint& at) const {
    if (m_frame.picture == nullptr || m_frame.picture->cells.empty() || !plotRect().contains(at)) return kNoBlock;
    const QRectF shown = frameRect();
    const BlockPictureQuery& query = m_frame.picture->query;
    const int column = static_cast<int>((at.x() + 0.5 - shown.left()) / shown.width() * query.columns),
              row = static_cast<int>((at.y() + 0.5 - shown.top()) / shown.height() * query.rows);
    if (column < 0 || row < 0 || column >= query.columns || row >= query.rows) return kNoBlock;
    const std::uint32_t cell = m_frame.picture->at(column, row);
    return cell >= BlockPicture::kMany ? kNoBlock : cell;
}

/// Where the present picture belongs in the window of now.
QRectF BlockCanvas::frameRect() const {
    if (m_frame.picture == nullptr) return {};
    const BlockPictureQuery& query = m_frame.picture->query;
    return {QPointF(xOf(query.begin), yOf(query.high)), QPointF(xOf(query.end), yOf(query.low))};
}

// --- pictures -----------------------------------------------------------------------------------------------------

void BlockCanvas::layOut() {
    m_isStale = true;
    if (!m_slot.busy()) request();
    drop();
}

void BlockCanvas::request() {
    m_isStale = false;
    const double ratio = devicePixelRatioF();
    const QRect plot = plotRect();
    if (m_snapshot == nullptr || m_window.empty() || plot.width() <= 0 || plot.height() <= 0) return;
    const BlockPictureQuery query{.begin = m_window.begin(),
                                  .end = m_window.end(),
                                  .low = m_window.low(),
                                  .high = m_window.high(),
                                  .columns = static_cast<int>(std::lround(plot.width() * ratio)),
                                  .rows = static_cast<int>(std::lround(plot.height() * ratio))};
    m_slot.start([snapshot = m_snapshot, query, colouring = m_colouring, theme = &themeOf(palette())](
                     const CancelToken& cancel) { return makeFrame(snapshot, query, colouring, *theme, cancel); },
                 [this](BlockFrame frame) {
                     if (frame.picture != nullptr) m_frame = std::move(frame);
                     m_hasOutline = false;
                     if (m_isStale) request();
                     drop();
                 });
}

// --- painting -----------------------------------------------------------------------------------------------------

void BlockCanvas::paintPicture(QPainter& painter) {
    const QRect plot = plotRect();
    painter.fillRect(rect(), themeOf(palette()).background);
    if (m_snapshot == nullptr || m_window.empty() || plot.height() <= 0) return;
    paintAxes(painter);
    if (m_frame.picture == nullptr) return;
    painter.setClipRect(plot);
    painter.drawImage(frameRect(), m_frame.image);
    paintLines(painter);
    painter.setClipping(false);
}

void BlockCanvas::paintOverlay(QPainter& painter) {
    const QRect plot = plotRect();
    if (m_snapshot != nullptr && !m_window.empty() && plot.height() > 0 && m_frame.picture != nullptr) {
        painter.setFont(scaledFont(font(), 0.9));
        painter.setClipRect(plot);
        if (!m_hasOutline) {
            const Theme& theme = themeOf(palette());
            m_outline = blockOutline(*m_frame.picture, m_selection.block(), theme.accent.rgb());
            m_idleness =
                m_uses ? blockIdleness(*m_frame.picture, m_selection.block(), *m_uses, theme.label.rgb()) : QImage();
            m_hasOutline = true;
        }
        if (!m_idleness.isNull()) painter.drawImage(frameRect(), m_idleness);
        if (!m_outline.isNull()) painter.drawImage(frameRect(), m_outline);
        paintMarks(painter);
        painter.setClipping(false);
    }
}

void BlockCanvas::paintAxes(QPainter& painter) const {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    painter.setFont(scaledFont(font(), 0.9));
    const QFontMetricsF metrics(painter.font());
    const auto min =
        static_cast<double>(m_window.high() - m_window.low()) / std::max(1.0, plot.height() / (metrics.height() * 2));
    const double step = std::exp2(std::ceil(std::log2(std::max(1.0, min))));
    for (double value = std::ceil(static_cast<double>(m_window.low()) / step) * step;
         value < static_cast<double>(m_window.high()); value += step) {
        const double y = yOf(static_cast<std::int64_t>(value));
        painter.setPen(theme.hairLine);
        painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.right(), y));
        painter.setPen(theme.muted);
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, bytesText(static_cast<std::int64_t>(value)));
    }
    const TimeRange window = m_window.events().range();
    const auto label = [](std::int64_t event) {
        return event < 0 ? QString() : formatCount(static_cast<std::uint64_t>(event));
    };
    const double widest = metrics.horizontalAdvance(label(window.end.value)) + 24;
    for (const TimeNs at : ticksWithin(window, TimeNs{0}, tickStep(window.length(), plot.width(), widest))) {
        if (at.value < 0) continue;
        const double x = std::floor(xOf(at.value)) + 0.5;
        painter.setPen(theme.hairLine);
        painter.drawLine(QPointF(x, plot.bottom() + 1), QPointF(x, plot.bottom() + 5));
        painter.setPen(theme.muted);
        const double width = metrics.horizontalAdvance(label(at.value));
        painter.drawText(QPointF(tickLabelLeft(x, width, this->width()), plot.bottom() + 6 + metrics.ascent()),
                         label(at.value));
    }
    painter.setPen(theme.hairLine);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    // Legend of the lines, above the plot.
    double x = plot.left();
    const QString names[] = {tr("Reserved"), tr("Allocated")};
    const std::size_t hues[] = {kReservedHue, kAllocatedHue};
    for (std::size_t i = 0; i < 2; ++i) {
        painter.setPen(QPen(theme.dark ? theme.hues[hues[i]].lighter(130) : theme.hues[hues[i]].darker(180), 2));
        painter.drawLine(QPointF(x, metrics.height() / 2 + 2), QPointF(x + 16, metrics.height() / 2 + 2));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(x + 20, metrics.ascent() + 2), names[i]);
        x += 20 + metrics.horizontalAdvance(names[i]) + 16;
    }
    if (m_frame.picture == nullptr) return;
    QString note = tr("Grey: smaller or shorter than a pixel");
    if (m_frame.picture->isSimplified)
        note = tr("Grey: smaller or shorter than a pixel; too many blocks, only the largest are drawn");
    painter.drawText(QRectF(x, 0, plot.right() - x, metrics.height() + 4), Qt::AlignRight | Qt::AlignVCenter, note);
    if (m_colouring == BlockColouring::Annotation)
        paintAnnotations(painter, x, plot.right() - metrics.horizontalAdvance(note) - 16);
}

/// Legend of the colours, as far as there is room; the first ones come first.
void BlockCanvas::paintAnnotations(QPainter& painter, double from, double to) const {
    const DeviceSnapshot& device = *m_snapshot->device;
    const BlockColours colours(device, m_colouring, themeOf(palette()));
    const QFontMetricsF metrics(painter.font());
    const double side = metrics.height() * 0.6, rest = metrics.horizontalAdvance(u"… +0,000"_s) + 8;
    constexpr double kMaxName = 140;
    const std::size_t count = device.annotations.size();
    double x = from;
    // Blocks without an annotation come last, as number 0 after all others.
    for (std::size_t i = 1; i <= count; ++i) {
        const auto number = static_cast<std::uint32_t>(i % count);
        const QString name = number == 0 ? tr("none", "annotation") : annotationTitle(device.annotationText(number));
        const QString shown = metrics.elidedText(name, Qt::ElideRight, kMaxName);
        const double width = side + 4 + metrics.horizontalAdvance(shown) + 12;
        if (x + width > (i == count ? to : to - rest)) {
            if (x + rest <= to)
                painter.drawText(QPointF(x, metrics.ascent() + 2),
                                 tr("… +%1", "further annotations").arg(formatCount(count - i)));
            return;
        }
        const QRectF box(x, 2 + (metrics.height() - side) / 2, side, side);
        painter.fillRect(box, QColor(colours.ofAnnotation(number)));
        painter.drawText(QPointF(x + side + 4, metrics.ascent() + 2), shown);
        x += width;
    }
}

/// A line for each column's extremes.
void BlockCanvas::paintLines(QPainter& painter) const {
    const Theme& theme = themeOf(palette());
    const QRectF shown = frameRect();
    const int columns = m_frame.picture->query.columns;
    const auto draw = [&](const std::vector<TotalExtremes>& parts, std::size_t hue) {
        const QColor colour = theme.dark ? theme.hues[hue].lighter(130) : theme.hues[hue].darker(180);
        std::vector<QRectF> rectangles;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!parts[i].any()) continue;
            const double x = shown.left() + static_cast<double>(i) * shown.width() / columns;
            const double width = std::max(1.0, shown.width() / columns);
            const double top = yOf(parts[i].max) - 1, bottom = yOf(parts[i].min) + 0.5;
            if (!rectangles.empty() && rectangles.back().top() == top && rectangles.back().bottom() == bottom) {
                rectangles.back().setRight(x + width);
                continue;
            }
            rectangles.emplace_back(x, top, width, std::max(1.5, bottom - top));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRects(rectangles.data(), static_cast<int>(rectangles.size()));
    };
    draw(m_frame.reserved, kReservedHue);
    draw(m_frame.allocated, kAllocatedHue);
}

void BlockCanvas::paintMarks(QPainter& painter) const {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    if (const auto& marked = m_selection.marked()) {
        QColor fill = theme.accent;
        fill.setAlpha(40);
        painter.fillRect(QRectF(QPointF(xOf(marked->begin), plot.top()), QPointF(xOf(marked->end), plot.bottom() + 1)),
                         fill);
    }
    const auto line = [&](std::int64_t event, const QPen& pen) {
        const double x = std::floor(xOf(event)) + 0.5;
        painter.setPen(pen);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    };
    for (const EventNumber failure : m_snapshot->failures) {
        if (failure >= m_window.begin() && failure <= m_window.end()) line(failure, QPen(theme.error, 2, Qt::DotLine));
    }
    if (m_timelineEvents) paintTimeline(painter);
    if (m_selection.block() != kNoBlock && m_outline.isNull()) {
        // Too small to be seen: at least when it was there.
        const BlockLife& block = m_snapshot->device->blocks[m_selection.block()];
        line(block.begin, QPen(theme.accent, 1, Qt::DashLine));
        line(block.end, QPen(theme.accent, 1, Qt::DashLine));
    }
    // A state lasts until the next entry.
    line(m_selection.eventNumber(), QPen(theme.text, 1));
    if (m_uses) paintUses(painter);
}

/// The first and the last use of the selected block, with their names at the foot of the plot. Below them its life is
/// hatched where nobody uses it, as in the block itself, which may be too low for that.
void BlockCanvas::paintUses(QPainter& painter) const {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    constexpr int kStrip = 7;
    const BlockLife& life = m_snapshot->device->blocks[m_selection.block()];
    for (const EventRange& idle :
         {EventRange{life.begin, m_uses->first}, m_uses->idle, EventRange{m_uses->last, life.end}}) {
        const QRectF strip =
            QRectF(QPointF(xOf(idle.begin), plot.bottom() - kStrip), QPointF(xOf(idle.end), plot.bottom() + 1))
                .intersected(QRectF(plot));
        if (strip.isEmpty()) continue;
        painter.fillRect(strip, theme.background);
        painter.fillRect(strip, QBrush(theme.text, Qt::BDiagPattern));
    }
    const QFontMetricsF metrics(painter.font());
    const QString names[] = {tr("First use"), tr("Last use")};
    const EventNumber events[] = {m_uses->first, m_uses->last};
    double free = plot.left();  // names do not lie on each other
    for (std::size_t i = 0; i < 2; ++i) {
        const double x = std::floor(xOf(events[i])) + 0.5;
        if (x < plot.left() || x > plot.right()) continue;
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const double width = metrics.horizontalAdvance(names[i]);
        const double left = x + 4 + width > plot.right() ? x - 4 - width : x + 4;
        const double lines = left < free ? 2 : 1;
        const QRectF box(left - 2, plot.bottom() - kStrip - lines * metrics.height() - 1, width + 4, metrics.height());
        painter.fillRect(box, theme.background);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, names[i]);
        free = left + width + 4;
    }
}

/// Mark on the timeline, with its name: it is set elsewhere.
void BlockCanvas::paintTimeline(QPainter& painter) const {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    const double from = std::clamp(xOf(m_timelineEvents->begin), plot.left() - 1.0, plot.right() + 1.0),
                 to = std::clamp(xOf(m_timelineEvents->end), plot.left() - 1.0, plot.right() + 1.0);
    if (to < plot.left() || from > plot.right()) return;
    QColor colour = theme.warning;
    painter.setPen(QPen(colour, 1, Qt::DashDotLine));
    for (const double x : {from, to})
        painter.drawLine(QPointF(std::floor(x) + 0.5, plot.top()), QPointF(std::floor(x) + 0.5, plot.bottom()));
    colour.setAlpha(30);
    painter.fillRect(QRectF(QPointF(from, plot.top()), QPointF(to, plot.bottom() + 1)), colour);
    painter.setPen(theme.text);
    const QFontMetricsF metrics(painter.font());
    const QString name = tr("Timeline");
    const double width = metrics.horizontalAdvance(name);
    const double x = from + 4 + width > plot.right() ? from - 4 - width : from + 4;
    painter.drawText(QPointF(x, plot.top() + metrics.ascent() + 2), name);
}

}  // namespace altiscope
