#include "views/common/plots/plot_view.h"

#include "views/common/plots/plot_tickers.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

// Drawing of histograms and boxes.

namespace {

/// Smallest width of a box with its gap, and of a bar of a histogram.
constexpr double kBoxWidth = 8, kHistogramBarWidth = 6;
constexpr double kFewestBars = 8;

}  // namespace

void PlotView::buildHistogram(const Histogram& histogram) {
    const Theme& theme = themeOf(palette());
    const auto [first, last] = inSight();
    // Rice's rule: more bars would show the chance in few values, fewer would hide their shape.
    const double deserved =
        std::max(kFewestBars, std::ceil(2 * std::cbrt(static_cast<double>(histogram.count(first, last)))));
    m_folds = foldedRanges(
        first, last,
        static_cast<std::size_t>(std::clamp(m_plot->axisRect()->width() / kHistogramBarWidth, 1.0, deserved)));
    auto* drawn = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    drawn->setAntialiased(false);
    drawn->setBrush(theme.computing);
    drawn->setPen(QPen(theme.background, 0));
    drawn->setWidth(m_folds.empty() ? 1 : static_cast<double>(m_folds.front().second - m_folds.front().first));
    double highest = 0;
    for (const auto& [begin, end] : m_folds) {
        const auto count = static_cast<double>(histogram.count(begin, end));
        drawn->addData((static_cast<double>(begin) + static_cast<double>(end) - 1) / 2, count);
        highest = std::max(highest, count);
    }
    QSharedPointer<QCPAxisTicker> times;
    if (histogram.unit == CellUnit::Duration && histogram.scale == 1)
        times = QSharedPointer<DurationTicker>::create(histogram.first, static_cast<double>(histogram.width), 0.5);
    else
        times =
            QSharedPointer<ValueTicker>::create(histogram.unit, static_cast<double>(histogram.first) * histogram.scale,
                                                static_cast<double>(histogram.width) * histogram.scale, 0.5);
    times->setTickCount(std::clamp(m_plot->axisRect()->width() / (fontMetrics().averageCharWidth() * 14), 2, 8));
    m_plot->xAxis->setTicker(times);
    m_plot->xAxis->setLabel(histogram.bottomTitle);
    m_plot->yAxis->setTicker(QSharedPointer<CountTicker>::create());
    m_plot->yAxis->setLabel(histogram.leftTitle);
    m_plot->yAxis->setRange(0, std::max(1.0, highest * 1.05));
}

void PlotView::buildBoxes(const BoxPlot& boxes) {
    const Theme& theme = themeOf(palette());
    setLabels(boxes.labels, boxes.bottomTitle);
    const auto [first, last] = inSight();
    m_folds =
        foldedRanges(first, last, static_cast<std::size_t>(std::max(1.0, m_plot->axisRect()->width() / kBoxWidth)));
    auto* drawn = new QCPStatisticalBox(m_plot->xAxis, m_plot->yAxis);
    QColor inside = theme.accent;
    inside.setAlphaF(0.25F);
    drawn->setBrush(inside);
    drawn->setPen(QPen(theme.accent, 0));
    drawn->setMedianPen(QPen(theme.text, 2, Qt::SolidLine, Qt::FlatCap));
    drawn->setWhiskerPen(QPen(theme.muted, 0, Qt::SolidLine, Qt::FlatCap));
    drawn->setWhiskerBarPen(QPen(theme.muted, 0));
    const double width = m_folds.empty() ? 1 : static_cast<double>(m_folds.front().second - m_folds.front().first);
    drawn->setWidth(0.6 * width);
    drawn->setWhiskerWidth(0.3 * width);
    double min = 0, max = 0;
    bool any = false;
    for (const auto& [begin, end] : m_folds) {
        const std::size_t until = std::min(end, boxes.boxes.size());
        if (begin >= until) continue;
        const BoxValues& box = boxes.boxes[boxes.shownOf(begin, until)];
        drawn->addData((static_cast<double>(begin) + static_cast<double>(until) - 1) / 2, box.min, box.lowerQuartile,
                       box.median, box.upperQuartile, box.max);
        min = any ? std::min(min, box.min) : box.min;
        max = any ? std::max(max, box.max) : box.max;
        any = true;
    }
    // Boxes tell how values differ: a scale from 0 would press them together.
    const double margin = std::max(1.0, (max - min) * 0.05);
    m_plot->yAxis->setRange(std::max(0.0, min - margin), max + margin);
}

}  // namespace altiscope
