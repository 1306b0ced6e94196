#include "views/common/plots/plot_view.h"

#include "views/common/plots/plot_tickers.h"
#include "views/common/theme/meaning_look.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace altiscope {

// Drawing of each kind of content of PlotView.

namespace {

using namespace Qt::StringLiterals;

/// Smallest width of a bar with its gap, and of a label.
constexpr double kBarWidth = 6;
constexpr int kLabelChars = 9;

QBrush brushOf(const BarSeries& series, const Theme& theme) {
    return series.hatched ? QBrush(theme.*series.colour, Qt::DiagCrossPattern) : meaningBrush(theme, series.colour);
}

}  // namespace

void PlotView::setLabels(const QStringList& labels, const QString& title) {
    m_plot->xAxis->setTicker(
        QSharedPointer<LabelTicker>::create(labels, *m_plot->xAxis, fontMetrics().averageCharWidth() * kLabelChars));
    m_plot->xAxis->setLabel(title);
    setValues(CellUnit::Duration, {});
}

/// The vertical axis.
void PlotView::setValues(CellUnit unit, const QString& title) {
    QSharedPointer<QCPAxisTicker> ticker;
    if (unit == CellUnit::Duration) ticker = QSharedPointer<DurationTicker>::create();
    else ticker = QSharedPointer<ValueTicker>::create(unit);
    ticker->setTickCount(std::clamp(m_plot->axisRect()->height() / (2 * fontMetrics().height()), 2, 6));
    m_plot->yAxis->setTicker(ticker);
    m_plot->yAxis->setLabel(title);
}

void PlotView::buildBars(const StackedBars& bars) {
    const Theme& theme = themeOf(palette());
    setLabels(bars.labels, bars.bottomTitle);
    setValues(bars.unit, bars.leftTitle);
    const auto [first, last] = inSight();
    m_folds =
        foldedRanges(first, last, static_cast<std::size_t>(std::max(1.0, m_plot->axisRect()->width() / kBarWidth)));
    std::vector<double> totals(pointCount(), 0.0);
    for (const BarSeries& series : bars.series) {
        for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += series.values[i];
    }
    QCPBars* below = nullptr;
    double highest = 0, lowest = 0;
    for (const BarSeries& series : bars.series) {
        auto* drawn = new QCPBars(m_plot->xAxis, m_plot->yAxis);
        drawn->setName(series.name);
        drawn->setAntialiased(false);
        // Stripes show the ground between them: the end of a bar is drawn.
        const MeaningPattern pattern = patternOf(series.colour);
        const bool isStriped =
            series.hatched || pattern == MeaningPattern::Rising || pattern == MeaningPattern::Falling;
        drawn->setPen(isStriped ? QPen(theme.*series.colour, 0) : QPen(Qt::NoPen));
        drawn->setBrush(brushOf(series, theme));
        drawn->setWidth(m_folds.empty() ? 0.8
                                        : 0.8 * static_cast<double>(m_folds.front().second - m_folds.front().first));
        if (below != nullptr) drawn->moveAbove(below);
        below = drawn;
        QVector<double> places, values;
        for (const auto& [begin, end] : m_folds) {
            const std::size_t until = std::min(end, pointCount());
            double sum = 0;
            for (std::size_t i = begin; i < until; ++i) sum += series.values[i];
            places << (static_cast<double>(begin) + static_cast<double>(until) - 1) / 2;
            values << sum / static_cast<double>(until - begin);
        }
        drawn->setData(places, values, true);
    }
    const bool folded = !m_folds.empty() && m_folds.front().second - m_folds.front().first > 1;
    auto* spread = folded ? new QCPErrorBars(m_plot->xAxis, m_plot->yAxis) : nullptr;
    auto* means = folded ? m_plot->addGraph() : nullptr;
    for (const auto& [begin, end] : m_folds) {
        const auto from = totals.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = totals.begin() + static_cast<std::ptrdiff_t>(std::min(end, totals.size()));
        if (from == to) continue;
        const double min = *std::min_element(from, to), max = *std::max_element(from, to);
        highest = std::max(highest, max);
        lowest = std::min(lowest, min);
        if (!folded) continue;
        const double mean = std::accumulate(from, to, 0.0) / static_cast<double>(to - from);
        means->addData((static_cast<double>(begin) + static_cast<double>(std::min(end, totals.size())) - 1) / 2, mean);
        spread->addData(mean - min, max - mean);
    }
    if (folded) {
        means->setLineStyle(QCPGraph::lsNone);
        means->removeFromLegend();
        spread->removeFromLegend();
        spread->setDataPlottable(means);
        spread->setPen(QPen(theme.text, 0));
        spread->setWhiskerWidth(3);
    }
    m_plot->yAxis->setRange(lowest * 1.05, highest > 0 ? highest * 1.05 : lowest < 0 ? 0 : 1);
    m_plot->yAxis->setRangeReversed(false);
    m_plot->legend->setVisible(true);
    int widest = 1;
    for (const BarSeries& series : bars.series)
        widest = std::max(widest, QFontMetrics(m_plot->legend->font()).horizontalAdvance(series.name));
    constexpr int kIconAndGaps = 36;
    m_plot->legend->setIconSize(14, 10);
    m_plot->legend->setRowSpacing(0);
    m_plot->legend->setMargins({});
    m_plot->legend->setWrap(std::max(1, m_plot->width() / (widest + kIconAndGaps)));
    // The entries are there already, in lines as they were wrapped before.
    m_plot->legend->setFillOrder(m_plot->legend->fillOrder());
}

void PlotView::buildLine(const EnvelopeLine& line) {
    const Theme& theme = themeOf(palette());
    setLabels(line.labels, line.bottomTitle);
    const auto [first, last] = inSight();
    m_folds = foldedRanges(first, last, static_cast<std::size_t>(std::max(1, m_plot->axisRect()->width())));
    QCPGraph* graphs[3] = {m_plot->addGraph(), m_plot->addGraph(), m_plot->addGraph()};
    double highest = 0;
    for (const auto& [begin, end] : m_folds) {
        const auto until = static_cast<std::ptrdiff_t>(std::min(end, pointCount())),
                   from = static_cast<std::ptrdiff_t>(begin);
        const double place = static_cast<double>(from + until - 1) / 2;
        const double min = *std::min_element(line.min.begin() + from, line.min.begin() + until);
        const double max = *std::max_element(line.max.begin() + from, line.max.begin() + until);
        const double mean = std::accumulate(line.mean.begin() + from, line.mean.begin() + until, 0.0) /
                            static_cast<double>(until - from);
        graphs[0]->addData(place, min);
        graphs[1]->addData(place, max);
        graphs[2]->addData(place, mean);
        highest = std::max(highest, max);
    }
    QColor band = theme.accent;
    band.setAlphaF(0.25F);
    graphs[0]->setPen(Qt::NoPen);
    graphs[1]->setPen(Qt::NoPen);
    graphs[1]->setBrush(band);
    graphs[1]->setChannelFillGraph(graphs[0]);
    graphs[2]->setPen(QPen(theme.accent, 1.5));
    graphs[2]->setScatterStyle(m_folds.size() < 100 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4) : QCPScatterStyle());
    graphs[2]->setName(line.name);
    m_plot->yAxis->setRange(0, highest > 0 ? highest * 1.05 : 1);
}

namespace {

/// Range of what is no NaN, with a size above 0. The library's own search ends at a NaN in the first place.
QCPRange rangeOf(const std::vector<double>& values) {
    double min = std::numeric_limits<double>::infinity(), max = -min;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        min = std::min(min, value);
        max = std::max(max, value);
    }
    if (!(min <= max)) return {0, 1};
    return {min, max > min ? max : min + 1};
}

}  // namespace

void PlotView::buildHeat(const HeatMap& map) {
    setLabels(map.columns, map.bottomTitle);
    const auto columns = static_cast<int>(map.columns.size()), rows = static_cast<int>(map.rows.size());
    if (columns == 0 || rows == 0) return;
    // The library samples the nearest cell, so cells that share a pixel are joined here, by the largest.
    const int acrossMost = std::max(1, m_plot->axisRect()->width()),
              downMost = std::max(1, m_plot->axisRect()->height());
    const int acrossBy = (columns + acrossMost - 1) / acrossMost, downBy = (rows + downMost - 1) / downMost;
    const int across = (columns + acrossBy - 1) / acrossBy, down = (rows + downBy - 1) / downBy;
    auto* drawn = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
    drawn->data()->setSize(across, down);
    const auto ends = [](int count, int by) { return QCPRange((by - 1) / 2.0, (count - 1) * by + (by - 1) / 2.0); };
    drawn->data()->setRange(ends(across, acrossBy), ends(down, downBy));
    drawn->data()->fill(std::numeric_limits<double>::quiet_NaN());
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const double value = map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                                            static_cast<std::size_t>(column)];
            const double before = drawn->data()->cell(column / acrossBy, row / downBy);
            if (!std::isnan(value) && !(before >= value))
                drawn->data()->setCell(column / acrossBy, row / downBy, value);
        }
    }
    QCPColorGradient gradient;
    gradient.clearColorStops();
    // Viridis: equal steps look equal, also without colours.
    static constexpr unsigned kStops[] = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                          0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
    for (std::size_t i = 0; i < std::size(kStops); ++i)
        gradient.setColorStopAt(static_cast<double>(i) / (std::size(kStops) - 1),
                                QColor::fromRgb(0xff000000U | kStops[i]));
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    auto* scale = new QCPColorScale(m_plot);
    m_plot->plotLayout()->addElement(0, 1, scale);
    const Theme& theme = themeOf(palette());
    scale->setType(QCPAxis::atRight);
    // From then on the scale follows the map; before, the map would take over what the scale begins with.
    drawn->setColorScale(scale);
    drawn->setGradient(gradient);
    drawn->setInterpolate(false);
    drawn->setDataRange(rangeOf(map.values));
    scale->axis()->setTicker(QSharedPointer<DurationTicker>::create());
    scale->axis()->setLabel(map.valueTitle);
    scale->axis()->setTickLabelColor(theme.muted);
    scale->axis()->setLabelColor(theme.muted);
    scale->axis()->setTickLabelFont(scaledFont(font(), 0.9));
    scale->axis()->setLabelFont(scaledFont(font(), 0.9));
    scale->axis()->setBasePen(QPen(theme.hairLine));
    scale->axis()->setTickPen(QPen(theme.hairLine));
    scale->axis()->setSubTickPen(Qt::NoPen);
    m_plot->yAxis->setTicker(
        QSharedPointer<LabelTicker>::create(map.rows, *m_plot->yAxis, fontMetrics().height() * 1.5));
    m_plot->yAxis->setLabel(map.leftTitle);
    m_plot->yAxis->setRange(-0.5, rows - 0.5);
}

}  // namespace altiscope
