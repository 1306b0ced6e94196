#include "views/communication/canvas/collective_canvas.h"

#include "views/common/plots/colour_ramp.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLabelPart = 0.9, kRowScale = 1.6;
constexpr int kMaxRowHeights = 2;

}  // namespace

CollectiveCanvas::CollectiveCanvas(Session& session, QWidget* parent)
    : PlotCanvas(session, parent), m_scroll(new QScrollBar(Qt::Vertical, this)) {
    m_scroll->setSingleStep(1);
    connect(m_scroll, &QScrollBar::valueChanged, this, &CollectiveCanvas::drop);
}

void CollectiveCanvas::setChart(std::shared_ptr<const CollectiveChart> chart, std::vector<QString> labels,
                                TimeNs origin) {
    m_chart = std::move(chart);
    m_origin = origin;
    m_labels = std::move(labels);
    m_selected.reset();
    m_peers.clear();
    if (m_chart == nullptr || m_chart->range().empty()) {
        m_window.reset();
    } else {
        const bool wasHome = m_window.empty() || m_window.atHome();
        m_window.setExtent(m_chart->range(), m_chart->range());
        if (wasHome) m_window.show(m_window.home(), HistoryMark::Continue);
    }
    layOut();
}

void CollectiveCanvas::setLabels(std::vector<QString> labels) {
    m_labels = std::move(labels);
    layOut();
}

void CollectiveCanvas::setColours(Colours colours) {
    if (std::exchange(m_colours, colours) != colours) drop();
}

void CollectiveCanvas::showRange(TimeRange range) {
    changeTime([&](ViewWindow& window) { window.show(range, HistoryMark::NewStep); });
}

void CollectiveCanvas::setPeers(std::vector<Place> peers) {
    m_peers = std::move(peers);
    update();
}

void CollectiveCanvas::showRow(std::size_t row) {
    const std::size_t first = firstRow(), count = rowsInSight();
    if (row < first || row >= first + count) m_scroll->setValue(static_cast<int>(row));
}

void CollectiveCanvas::select(std::optional<Place> place) {
    if (m_selected == place) return;
    m_selected = place;
    m_peers.clear();
    if (place && m_chart != nullptr) {
        showRow(place->row);
        const TimeRange own = m_chart->aligned(place->row, place->item), seen = m_window.range();
        const bool hasTime = m_chart->set().ranks[place->row].items[place->item].begin.has_value();
        if (hasTime && !m_window.empty() && (own.end <= seen.begin || seen.end <= own.begin)) {
            const DurationNs half{std::max(seen.length().value, own.length().value * 4) / 2};
            const TimeNs middle = own.begin + DurationNs{own.length().value / 2};
            showRange({middle - half, middle + half});
        }
    }
    update();
}

// --- places -------------------------------------------------------------------------------------------------------

std::size_t CollectiveCanvas::firstRow() const { return static_cast<std::size_t>(m_scroll->value()); }

std::size_t CollectiveCanvas::rowsInSight() const {
    return static_cast<std::size_t>(std::max(1, plotRect().height() / rowHeight()));
}

QRect CollectiveCanvas::rowRect(std::size_t row) const {
    const QRect plot = plotRect();
    const int top = plot.top() + (static_cast<int>(row) - m_scroll->value()) * rowHeight();
    return {plot.left(), top, plot.width(), rowHeight()};
}

/// Requested with every bar, so it is reckoned once.
void CollectiveCanvas::layOut() {
    const QFontMetrics metrics(scaledFont(font(), kLabelPart));
    int widest = 0;
    const std::size_t step = std::max<std::size_t>(1, m_labels.size() / 64);
    for (std::size_t i = 0; i < m_labels.size(); i += step)
        widest = std::max(widest, metrics.horizontalAdvance(m_labels[i]));
    if (!m_labels.empty()) widest = std::max(widest, metrics.horizontalAdvance(m_labels.back()));
    m_labelWidth = std::min(widest, width() / 4);
    m_plot = rect().adjusted(m_labelWidth + 16, 2 * metrics.height() + 12, -m_scroll->sizeHint().width() - 4, -4);
    // Few ranks have higher rows.
    const int min = static_cast<int>(std::lround(fontMetrics().height() * kRowScale));
    m_rowHeight =
        std::clamp(m_plot.height() / std::max(1, static_cast<int>(m_labels.size())), min, kMaxRowHeights * min);
    const int rows = static_cast<int>(m_labels.size()), seen = static_cast<int>(rowsInSight());
    m_scroll->setGeometry(width() - m_scroll->sizeHint().width(), plotRect().top(), m_scroll->sizeHint().width(),
                          std::max(0, plotRect().height()));
    m_scroll->setRange(0, std::max(0, rows - seen));
    m_scroll->setPageStep(seen);
    m_scroll->setVisible(rows > seen);
    drop();
}

QRect CollectiveCanvas::barRect(std::size_t row, std::size_t lane, const CollectiveChart::Bar& bar) const {
    const QRect whole = rowRect(row).adjusted(0, 2, 0, -2);
    const auto lanes = static_cast<int>(std::max<std::size_t>(1, m_chart->laneCount(row)));
    const int top = whole.top() + whole.height() * static_cast<int>(lane) / lanes,
              bottom = whole.top() + whole.height() * (static_cast<int>(lane) + 1) / lanes;
    return {whole.left() + bar.first, top, bar.last - bar.first, std::max(1, bottom - top - (lanes > 1 ? 1 : 0))};
}

std::optional<QRect> CollectiveCanvas::placeRect(const Place& place) const {
    if (m_chart == nullptr || m_window.empty() || place.row < firstRow() || place.row > firstRow() + rowsInSight())
        return std::nullopt;
    const TimeRange own = m_chart->aligned(place.row, place.item), seen = m_window.range();
    if (own.end < seen.begin || seen.end < own.begin) return std::nullopt;
    const PixelScale scale(seen, plotRect().width());
    const int first = std::max(0, scale.column(own.begin)),
              last = std::min(plotRect().width(), std::max(first + 1, scale.column(own.end)));
    // Its lane is the one in which it is drawn when nothing else is near.
    const TimeRange near{own.begin, std::max(own.end, own.begin + DurationNs{1})};
    for (std::size_t lane = 0; lane < m_chart->laneCount(place.row); ++lane) {
        for (const auto& bar : m_chart->bars(place.row, lane, near, 1)) {
            if (bar.item == place.item) return barRect(place.row, lane, {first, last, place.item, 1});
        }
    }
    return rowRect(place.row).adjusted(first, 2, last - rowRect(place.row).width(), -2);
}

// --- painting -----------------------------------------------------------------------------------------------------

void CollectiveCanvas::paintPicture(QPainter& painter) {
    painter.setFont(scaledFont(font(), kLabelPart));
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.background);
    const QRect plot = plotRect();
    if (m_chart == nullptr || m_window.empty() || plot.width() <= 0 || plot.height() <= 0) {
        painter.setPen(theme.muted);
        if (m_chart != nullptr)
            painter.drawText(rect(), Qt::AlignCenter, tr("No collective of this selection has a time."));
        return;
    }
    paintLegend(painter, plot);
    paintAxis(painter, plot);
    paintRows(painter, plot);
}

void CollectiveCanvas::paintAxis(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const TimeRange window = m_window.range();
    const DurationNs extent{
        std::max(std::abs((window.begin - m_origin).value), std::abs((window.end - m_origin).value))};
    const auto label = [&](TimeNs at, DurationNs tick) { return formatAxisTime(at - m_origin, tick, extent); };
    DurationNs tick = tickStep(window.length(), plot.width(), 60);
    for (int i = 0; i < 2; ++i)
        tick = tickStep(window.length(), plot.width(),
                        std::max(metrics.horizontalAdvance(label(window.begin, tick)),
                                 metrics.horizontalAdvance(label(window.end, tick))) +
                            24);
    const PixelScale scale(window, plot.width());
    for (const TimeNs at : ticksWithin(window, m_origin, tick)) {
        const double x = plot.left() + std::floor(scale.x(at)) + 0.5;
        painter.setPen(theme.hairLine);
        painter.drawLine(QPointF(x, plot.top() - 4), QPointF(x, plot.bottom()));
        painter.setPen(theme.muted);
        const QString text = label(at, tick);
        const double width = metrics.horizontalAdvance(text);
        painter.drawText(QPointF(tickLabelLeft(x, width, this->width()), plot.top() - 6 - metrics.descent()), text);
    }
}

QColor CollectiveCanvas::colourOf(std::size_t, const CollectiveItem& item) const {
    const Theme& theme = themeOf(palette());
    if (m_colours == Colours::Type) return theme.hueOf(m_chart->set().types[item.type]);
    const double share =
        item.spent.elapsed > 0 ? static_cast<double>(item.spent.wait) / static_cast<double>(item.spent.elapsed) : 0;
    return QColor::fromRgb(ColourRamp::colourOf(1 - share));
}

void CollectiveCanvas::paintRows(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const std::size_t last = std::min(m_labels.size(), firstRow() + rowsInSight() + 1);
    constexpr int kLabelled = 40;
    for (std::size_t row = firstRow(); row < last; ++row) {
        const QRect own = rowRect(row);
        painter.setPen(theme.muted);
        if (own.bottom() <= plot.bottom() + rowHeight() / 2)
            painter.drawText(QRectF(4, own.top(), m_labelWidth + 4.0, own.height()), Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(m_labels[row], Qt::ElideMiddle, m_labelWidth + 2));
        painter.setClipRect(plot);
        painter.setPen(theme.hairLine);
        painter.drawLine(plot.left(), own.bottom(), plot.right(), own.bottom());
        const RankCollectives& rank = m_chart->set().ranks[row];
        for (std::size_t lane = 0; lane < m_chart->laneCount(row); ++lane) {
            constexpr int kNarrow = 3;
            int filled = plot.left() - 2;  // the last column of the bar before
            for (const CollectiveChart::Bar& bar : m_chart->bars(row, lane, m_window.range(), plot.width())) {
                const CollectiveItem& item = rank.items[bar.item];
                QRect box = barRect(row, lane, bar);
                // Neighbours of one type would be one bar; both may lie in the column where they meet.
                if (box.left() <= filled + 1 && box.right() - filled > kNarrow) box.setLeft(filled + 2);
                filled = std::max(filled, box.right());
                const QColor colour = colourOf(row, item);
                painter.fillRect(box, colour);
                if (box.width() < kLabelled || box.height() < metrics.height() - 2) continue;
                painter.setPen(m_colours == Colours::Type ? theme.label : textOn(colour.rgb()));
                const QRect room = box.adjusted(3, 0, -2, 0);
                painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                                 metrics.elidedText(toQString(rank.name(item)), Qt::ElideRight, room.width()));
            }
        }
        painter.setClipping(false);
    }
    painter.setPen(theme.hairLine);
    painter.drawLine(plot.topLeft(), plot.topRight());
}

void CollectiveCanvas::paintLegend(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    double x = plot.left();
    const double box = metrics.height() - 4;
    const auto entry = [&](const QColor& colour, const QString& text) {
        const double width = box + 4 + metrics.horizontalAdvance(text) + 12;
        if (x + width > plot.right()) return;
        painter.fillRect(QRectF(x, 4, box, box), colour);
        painter.setPen(theme.muted);
        painter.drawText(QPointF(x + box + 4, 2 + metrics.ascent()), text);
        x += width;
    };
    if (m_colours == Colours::Type) {
        for (const std::string& type : m_chart->set().types) entry(theme.hueOf(type), toQString(type));
        return;
    }
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        entry(QColor::fromRgb(ColourRamp::colourOf(1 - share)), share == 0 ? tr("waits 0 %") : formatPercent(share));
}

void CollectiveCanvas::paintOverlay(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    painter.setClipRect(plot);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1));
    for (const Place& peer : m_peers) {
        if (const auto box = placeRect(peer)) painter.drawRect(box->adjusted(0, 0, -1, -1));
    }
    if (m_selected) {
        painter.setPen(QPen(theme.accent, 2));
        if (const auto box = placeRect(*m_selected)) painter.drawRect(box->adjusted(-1, -1, 1, 1));
    }
}

}  // namespace altiscope
