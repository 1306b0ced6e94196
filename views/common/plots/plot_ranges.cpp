#include "views/common/plots/plot_library.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/mark_colour.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

// Drawing over the content along the bottom axis.

namespace {

using namespace Qt::StringLiterals;

constexpr int kRangeAlpha = 44;
constexpr double kNameGap = 6;

/// Across the whole height, whatever the vertical axis shows.
void setPlace(QCPItemPosition& position, double x, double y) {
    position.setTypeX(QCPItemPosition::ptPlotCoords);
    position.setTypeY(QCPItemPosition::ptAxisRectRatio);
    position.setCoords(x, y);
}

}  // namespace

void PlotView::buildRanges() {
    const Theme& theme = themeOf(palette());
    const QCPRange shown = m_plot->xAxis->range();
    const QFont small = scaledFont(font(), 0.9);
    const QFontMetricsF metrics(small);
    double namesEnd = -1;
    std::vector<std::pair<long, QRgb>> drawn;  // lines by column: what shares one is drawn once
    for (const PlotRange& range : m_ranges) {
        if (range.end < shown.lower || range.begin > shown.upper) continue;
        const QColor colour = range.hue ? markColour(*range.hue, theme) : theme.accent;
        if (range.end > range.begin) {
            auto* area = new QCPItemRect(m_plot);
            setPlace(*area->topLeft, range.begin, 0);
            setPlace(*area->bottomRight, range.end, 1);
            area->setPen(Qt::NoPen);
            area->setAntialiased(false);
            QColor fill = colour;
            fill.setAlpha(kRangeAlpha);
            area->setBrush(fill);
        }
        for (const double x : {range.begin, range.end}) {
            const std::pair line(std::lround(m_plot->xAxis->coordToPixel(x)), colour.rgb());
            if (std::find(drawn.begin(), drawn.end(), line) != drawn.end()) continue;
            drawn.push_back(line);
            auto* edge = new QCPItemStraightLine(m_plot);
            edge->point1->setCoords(x, 0);
            edge->point2->setCoords(x, 1);
            edge->setPen(QPen(colour, 1));
            edge->setAntialiased(false);
        }
        const double left =
            std::max(m_plot->xAxis->coordToPixel(range.begin), static_cast<double>(m_plot->axisRect()->left())) + 3;
        const double room = m_plot->axisRect()->right() - left;
        if (range.name.isEmpty() || left < namesEnd || room < metrics.averageCharWidth() * 4) continue;
        const QString name =
            metrics.elidedText(range.name, Qt::ElideRight, std::min(room, metrics.averageCharWidth() * 24));
        namesEnd = left + metrics.horizontalAdvance(name) + kNameGap;
        auto* text = new QCPItemText(m_plot);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->position->setType(QCPItemPosition::ptAbsolute);
        text->position->setCoords(left, m_plot->axisRect()->top() + 1);
        text->setText(name);
        text->setFont(small);
        text->setColor(colour);
        QColor ground = theme.background;
        ground.setAlpha(200);
        text->setBrush(ground);
    }
}

/// Text of a tooltip on the ranges there; lines are hit within `reach`.
QString PlotView::rangesAt(double place, double reach) const {
    QStringList tips;
    for (const PlotRange& range : m_ranges) {
        if (range.begin - reach <= place && place <= range.end + reach && !range.tip.isEmpty()) tips << range.tip;
    }
    constexpr qsizetype kMaxTips = 12;
    if (tips.size() > kMaxTips) tips = tips.first(kMaxTips) << u"…"_s;
    return tips.join(u'\n');
}

}  // namespace altiscope
