#include "views/common/plots/plot_view.h"

#include "views/common/plots/plot_tickers.h"
#include "views/common/theme/mark_colour.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace altiscope {

// Drawing of lines over numbers.

namespace {

/// Fewer points than these are marked by a disc each.
constexpr std::size_t kFewPoints = 100;

/// The first, last, highest and lowest point of a line in each pixel column.
class ColumnPoints {
public:
    ColumnPoints(const std::vector<double>& places, const std::vector<double>& values)
        : m_places(places), m_values(values) {}

    void add(std::size_t at, double column) {
        if (std::isnan(m_values[at])) return;
        if (m_any && column != m_column) flush();
        if (!m_any) m_first = m_min = m_max = at;
        m_any = true;
        m_column = column;
        m_last = at;
        if (m_values[at] < m_values[m_min]) m_min = at;
        if (m_values[at] > m_values[m_max]) m_max = at;
    }
    void flush() {
        if (!m_any) return;
        std::size_t points[] = {m_first, m_min, m_max, m_last};
        std::sort(std::begin(points), std::end(points));
        for (std::size_t i = 0; i < std::size(points); ++i) {
            if (i > 0 && points[i] == points[i - 1]) continue;
            keys.push_back(m_places[points[i]]);
            values.push_back(m_values[points[i]]);
        }
        m_any = false;
    }

    QVector<double> keys, values;

private:
    const std::vector<double>&m_places, &m_values;
    bool m_any = false;
    double m_column = 0;
    std::size_t m_first = 0, m_last = 0, m_min = 0, m_max = 0;
};

}  // namespace

void PlotView::buildNumbers(const NumberLines& lines) {
    const Theme& theme = themeOf(palette());
    const QCPRange range = m_plot->xAxis->range();
    const double columns = std::max(1, m_plot->axisRect()->width());
    const auto [first, last] = inSight();
    double min = std::numeric_limits<double>::infinity(), max = -min;
    for (std::size_t i = 0; i < lines.lines.size(); ++i) {
        const NumberLines::Line& line = lines.lines[i];
        ColumnPoints points(lines.places, line.values);
        for (std::size_t at = first; at < last; ++at)
            points.add(at, std::floor((lines.places[at] - range.lower) / range.size() * columns));
        points.flush();
        for (const double value : points.values) {
            min = std::min(min, value);
            max = std::max(max, value);
        }
        QCPGraph* graph = m_plot->addGraph();
        graph->setName(line.name);
        graph->setPen(QPen(markColour(i * 5, theme), 1.5));
        graph->setScatterStyle(last - first < kFewPoints ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4)
                                                         : QCPScatterStyle());
        graph->setData(points.keys, points.values, true);
    }
    QSharedPointer<QCPAxisTicker> bottom;
    if (lines.bottomUnit == CellUnit::Duration || lines.bottomUnit == CellUnit::Time)
        bottom = QSharedPointer<DurationTicker>::create();
    else bottom = QSharedPointer<ValueTicker>::create(lines.bottomUnit);
    bottom->setTickCount(std::clamp(m_plot->axisRect()->width() / (fontMetrics().averageCharWidth() * 14), 2, 8));
    m_plot->xAxis->setTicker(bottom);
    m_plot->xAxis->setLabel(lines.bottomTitle);
    setValues(lines.leftUnit, lines.leftTitle);
    if (min > max) min = max = 0;
    const double margin = max > min ? (max - min) * 0.05 : std::max(1.0, std::abs(max) * 0.05);
    m_plot->yAxis->setRange(min >= 0 && min - margin < 0 ? 0 : min - margin, max + margin);
    m_plot->yAxis->setRangeReversed(false);
    m_plot->legend->setVisible(lines.lines.size() > 1);
}

QString PlotView::numbersTip(const NumberLines& lines, double place) const {
    if (lines.places.empty() || !lines.tip) return {};
    auto at = std::lower_bound(lines.places.begin(), lines.places.end(), place);
    if (at == lines.places.end() || (at != lines.places.begin() && place - *std::prev(at) < *at - place)) --at;
    return lines.tip(static_cast<std::size_t>(at - lines.places.begin()));
}

}  // namespace altiscope
