#include "views/cluster/canvas/pipeline_canvas.h"

#include "views/common/plots/colour_ramp.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kEdge = 8;
constexpr double kSmall = 0.9, kLaneGap = 0.3;  // of a lane
constexpr double kLabelSpacing = 90, kArrowHead = 5, kSeenArrow = 4;
constexpr double kTallestLane = 64;

QColor blockColour(const Theme& theme, bool isBackward) {
    return isBackward ? theme.computing.darker(theme.dark ? 150 : 125) : theme.computing;
}

}  // namespace

PipelineCanvas::PipelineCanvas(Session& session, QWidget* parent) : PlotCanvas(session, parent) {}

void PipelineCanvas::setPicture(std::shared_ptr<const PipelinePicture> picture, QStringList names) {
    cancelDrag();
    m_picture = std::move(picture);
    m_names = std::move(names);
    m_chosen.reset();
    m_window.reset();
    if (m_picture != nullptr && !m_picture->range.empty()) m_window.setExtent(m_picture->range, m_picture->range);
    layOut();
}

// --- places -------------------------------------------------------------------------------------------------------

void PipelineCanvas::layOut() {
    const QFontMetrics metrics(scaledFont(font(), kSmall));
    int names = 0;
    for (const QString& name : m_names) names = std::max(names, metrics.horizontalAdvance(name));
    m_plot = rect().adjusted(kEdge + names + kEdge, metrics.height() + kEdge, -kEdge, -(metrics.height() + kEdge));
    drop();
}

double PipelineCanvas::laneHeight() const {
    const auto lanes = static_cast<double>(std::max<qsizetype>(1, m_names.size()));
    return std::min(kTallestLane, m_plot.height() / lanes);
}

double PipelineCanvas::xOf(TimeNs time) const {
    return m_plot.left() + PixelScale(m_window.range(), std::max(1, m_plot.width())).x(time);
}

QRectF PipelineCanvas::blockRect(std::uint32_t block) const {
    if (m_picture == nullptr || m_window.empty() || m_plot.width() <= 0) return {};
    const PipelinePicture::Block& of = m_picture->blocks[block];
    const double left = std::max<double>(m_plot.left(), xOf(of.range.begin)),
                 right = std::min<double>(m_plot.right() + 1.0, xOf(of.range.end));
    if (right <= left) return {};
    const double height = laneHeight();
    return {left, m_plot.top() + of.lane * height + height * kLaneGap / 2, std::max(1.0, right - left),
            height * (1 - kLaneGap)};
}

std::optional<std::uint32_t> PipelineCanvas::blockAt(const QPoint& at) const {
    for (std::uint32_t b = 0; m_picture != nullptr && b < m_picture->blocks.size(); ++b) {
        if (blockRect(b).contains(at)) return b;
    }
    return std::nullopt;
}

QString PipelineCanvas::tipAt(const QPoint& at) {
    const auto found = blockAt(at);
    if (!found) return {};
    const PipelinePicture::Block& block = m_picture->blocks[*found];
    const QString title =
        block.isBackward ? tr("%1: backward pass of micro-batch %2") : tr("%1: forward pass of micro-batch %2");
    return title.arg(m_names[static_cast<qsizetype>(block.lane)]).arg(block.microBatch) + u'\n' +
           formatExactNs(block.range.length()) + u'\n' +
           tr("From %1 of the step's first pass on").arg(formatExactNs(block.range.begin - m_picture->range.begin));
}

// --- painting -----------------------------------------------------------------------------------------------------

void PipelineCanvas::paintPicture(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    if (m_picture == nullptr || m_window.empty() || m_plot.width() <= 0 || m_plot.height() <= 0) return;
    painter.setFont(scaledFont(font(), kSmall));
    paintAxis(painter);
    const QFontMetricsF metrics(painter.font());
    for (std::uint32_t b = 0; b < m_picture->blocks.size(); ++b) {
        const QRectF box = blockRect(b);
        if (box.isEmpty()) continue;
        const PipelinePicture::Block& block = m_picture->blocks[b];
        const QColor fill = blockColour(theme, block.isBackward);
        painter.fillRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0), fill);
        // Colour alone does not tell the directions apart.
        if (block.isBackward && box.width() > 3)
            painter.fillRect(QRectF(box.left(), box.bottom() - 3, box.width() - 1, 3), theme.text);
        const QString number = QString::number(block.microBatch);
        if (box.width() < metrics.horizontalAdvance(number) + 4 || box.height() < metrics.height()) continue;
        painter.setPen(textOn(fill.rgb()));
        painter.drawText(box, Qt::AlignCenter, number);
    }
    paintArrows(painter);
    paintLegend(painter);
}

void PipelineCanvas::paintAxis(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const TimeRange window = m_window.range();
    const double bottom = m_plot.top() + laneHeight() * static_cast<double>(m_names.size());
    for (const TimeNs tick :
         ticksWithin(window, m_picture->range.begin, tickStep(window.length(), m_plot.width(), kLabelSpacing))) {
        const double x = xOf(tick);
        painter.setPen(theme.hairLine);
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, bottom));
        const QString label = formatDuration(tick - m_picture->range.begin);
        painter.setPen(theme.muted);
        painter.drawText(
            QPointF(tickLabelLeft(x, metrics.horizontalAdvance(label), width()), bottom + metrics.ascent() + 2), label);
    }
    painter.setPen(theme.muted);
    for (qsizetype lane = 0; lane < m_names.size(); ++lane) {
        const QRectF room(kEdge, m_plot.top() + static_cast<double>(lane) * laneHeight(), m_plot.left() - 2 * kEdge,
                          laneHeight());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, m_names[lane]);
    }
}

/// From the end of a pass to the begin of the one that goes on with its micro-batch.
void PipelineCanvas::paintArrows(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    painter.save();
    painter.setClipRect(m_plot);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = theme.text;
    colour.setAlphaF(0.55F);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(colour);
    const double height = laneHeight();
    const auto middle = [&](std::uint32_t lane) { return m_plot.top() + (lane + 0.5) * height; };
    for (const PipelinePicture::Arrow& arrow : m_picture->arrows) {
        const PipelinePicture::Block &from = m_picture->blocks[arrow.from], &to = m_picture->blocks[arrow.to];
        const double half = height * (1 - kLaneGap) / 2 * (to.lane > from.lane ? 1 : -1);
        const QPointF begin(xOf(from.range.end), middle(from.lane) + half),
            end(xOf(to.range.begin), middle(to.lane) - half);
        if (end.x() < m_plot.left() || begin.x() > m_plot.right()) continue;
        painter.drawLine(begin, end);
        const QPointF along = end - begin;
        const double length = std::hypot(along.x(), along.y());
        if (length < kSeenArrow) continue;
        const QPointF unit = along / length * kArrowHead, across(-unit.y() / 2, unit.x() / 2);
        painter.drawPolygon(QPolygonF{end, end - unit + across, end - unit - across});
    }
    painter.restore();
}

void PipelineCanvas::paintLegend(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    double x = m_plot.left();
    for (const bool isBackward : {false, true}) {
        const QRectF sample(x, kEdge / 2.0 + 2, metrics.ascent(), metrics.ascent());
        painter.fillRect(sample, blockColour(theme, isBackward));
        if (isBackward) painter.fillRect(QRectF(sample.left(), sample.bottom() - 3, sample.width(), 3), theme.text);
        const QString name = isBackward ? tr("backward") : tr("forward");
        painter.setPen(theme.muted);
        painter.drawText(QPointF(sample.right() + 4, sample.bottom() - 1), name);
        x = sample.right() + 4 + metrics.horizontalAdvance(name) + 2 * kEdge;
    }
}

void PipelineCanvas::paintOverlay(QPainter& painter) {
    if (!m_chosen) return;
    const QRectF box = blockRect(*m_chosen);
    if (box.isEmpty()) return;
    painter.setPen(QPen(themeOf(palette()).accent, 2));
    painter.drawRect(box);
}

// --- keys and mouse -----------------------------------------------------------------------------------------------

void PipelineCanvas::choose(std::optional<std::uint32_t> block) {
    m_chosen = block;
    update();
}

/// The next block of the lane, or that of another lane which begins nearest.
void PipelineCanvas::chooseBeside(int along, int lanes) {
    if (m_picture == nullptr || m_picture->blocks.empty()) return;
    const auto& blocks = m_picture->blocks;
    if (!m_chosen) return choose(0);
    const PipelinePicture::Block& own = blocks[*m_chosen];
    std::optional<std::uint32_t> best;
    std::int64_t nearest = 0;
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        if (b == *m_chosen || std::int64_t{blocks[b].lane} != std::int64_t{own.lane} + lanes) continue;
        const std::int64_t apart = (blocks[b].range.begin - own.range.begin).value;
        if (along != 0 && (apart > 0) != (along > 0)) continue;
        if (best && std::abs(apart) >= nearest) continue;
        best = b;
        nearest = std::abs(apart);
    }
    if (!best) return;
    choose(best);
    const TimeRange range = blocks[*best].range;
    if (overlaps(range, m_window.range())) return;
    const DurationNs half{m_window.range().length().value / 2};
    changeTime([&](ViewWindow& window) {
        window.show({range.begin - half, range.begin + half}, HistoryMark::Continue);
    });
}

void PipelineCanvas::changeTime(const WindowChange& change) {
    if (m_window.empty()) return;
    change(m_window);
    drop();
}

// Keys of Cluster, pipeline:
// - `Left`, `Right`, `Up`, `Down`: Choose the next pass of the stage, or one of the stage beside it
// - `Enter`: Go to the chosen pass in the timeline
bool PipelineCanvas::handleKey(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Left: chooseBeside(-1, 0); return true;
    case Qt::Key_Right: chooseBeside(1, 0); return true;
    case Qt::Key_Up: chooseBeside(0, -1); return true;
    case Qt::Key_Down: chooseBeside(0, 1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_chosen) break;
        emit blockOpened(*m_chosen);
        return true;
    default: break;
    }
    return PlotCanvas::handleKey(event);
}

void PipelineCanvas::openAt(const QPoint& at) {
    if (const auto block = blockAt(at)) return emit blockOpened(*block);
    showAll();
}

void PipelineCanvas::fillMenu(QMenu& menu, std::optional<QPoint> at) {
    if (at) choose(blockAt(*at));
    if (!m_chosen) return;
    menu.addAction(tr("Show in the &timeline"), this, [this, picture = m_picture, block = *m_chosen] {
        // The menu may be open when another picture comes.
        if (picture == m_picture) emit blockOpened(block);
    });
}

}  // namespace altiscope
