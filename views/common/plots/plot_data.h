#pragma once

#include "core/tables/sources/table_source.h"
#include "views/common/theme/theme.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

// Content of plots. Values on the vertical axis are ns unless a plot says otherwise.

/// A value of a plot with its unit: rounded, and with every digit. A Time reads as seconds since 0.
QString plotValueText(CellUnit unit, double value);
QString exactPlotValueText(CellUnit unit, double value);

/// A part of every bar.
struct BarSeries {
    QString name;                     ///< Translated, for the legend.
    QColor Theme::*colour = nullptr;  ///< Its meaning.
    bool hatched = false;             ///< Crosswise, in place of the pattern of its meaning.
    std::vector<double> values;       ///< One per bar.
};

/// Bars of stacked parts. More bars than fit are folded: neighbours share one that shows their mean, with a line from
/// the smallest to the largest total.
struct StackedBars {
    QStringList labels;  ///< One per bar.
    std::vector<BarSeries> series;
    QString bottomTitle;
    /// Text of a tooltip on bar `first`, or of bars [first, last) that share one.
    std::function<QString(std::size_t first, std::size_t last)> tip;
    CellUnit unit = CellUnit::Duration;  ///< Unit of the values; those below 0 hang from the axis.
    QString leftTitle = {};
};

/// A line with the range of what it is the mean of. More points than pixels are folded by min and max value.
struct EnvelopeLine {
    QStringList labels;
    std::vector<double> min, mean, max;
    QString name;
    QString bottomTitle;
    std::function<QString(std::size_t first, std::size_t last)> tip;
};

/// Lines over numbers. Where there are more points than pixels, each pixel column shows its first, last, highest and
/// lowest point, so that no spike is lost.
struct NumberLines {
    struct Line {
        QString name;
        std::vector<double> values;  ///< One per place; NaN: none, and the line goes on after it.
    };
    std::vector<double> places;  ///< Ascending.
    std::vector<Line> lines;     ///< In the hues of the theme.
    CellUnit bottomUnit = CellUnit::None, leftUnit = CellUnit::None;
    QString bottomTitle, leftTitle;
    std::function<QString(std::size_t place)> tip;  ///< Text about the point that is nearest to the pointer.
};

/// Values by row and column, each cell drawn in one colour; cells that share a pixel show the largest value.
struct HeatMap {
    QStringList columns, rows;
    std::vector<double> values;  ///< Row by row; NaN: none.
    QString bottomTitle, leftTitle, valueTitle;
    std::function<QString(std::size_t row, std::size_t column)> tip;
};

/// How values spread, ns: whole numbers counted in intervals of equal width. Neighbouring intervals are joined for
/// drawing, so that there are about as many bars as the values deserve (twice the cube root of their number); zooming
/// in parts them again.
struct Histogram {
    static constexpr std::size_t kMaxIntervals = 8192;

    std::int64_t first = 0;             ///< Where the first interval begins.
    std::int64_t width = 1;             ///< Width of each interval: [first + i * width, first + (i + 1) * width).
    std::vector<std::uint64_t> counts;  ///< By interval.
    QString bottomTitle, leftTitle;
    std::function<QString(std::size_t first, std::size_t last)> tip;  ///< Text about the intervals [first, last).
    CellUnit unit = CellUnit::Duration;
    double scale = 1;  ///< A value is the whole number times this: for values that are no whole numbers.

    /// Where an interval begins; after the largest integer: that one.
    std::int64_t edge(std::size_t interval) const;
    /// Values in intervals [first, last).
    std::uint64_t count(std::size_t begin, std::size_t end) const;
};

/// Without titles and tip; no intervals if there are no values. O(values).
Histogram histogramOf(const std::vector<std::int64_t>& values);

/// Five numbers of a sample, ns. Quartiles lie between two values in proportion (R-7, as spreadsheets and numpy do by
/// default).
struct BoxValues {
    double min = 0, lowerQuartile = 0, median = 0, upperQuartile = 0, max = 0;
    std::size_t count = 0;
};
/// All 0 without values. O(values log values).
BoxValues boxOf(std::vector<std::int64_t> values);

/// Boxes from quartile to quartile, with the median and lines to the min and max value. Of boxes that share a
/// place the one with the largest median is shown.
struct BoxPlot {
    QStringList labels;
    std::vector<BoxValues> boxes;
    QString bottomTitle;
    /// Text about box `shown`, which stands for boxes [first, last).
    std::function<QString(std::size_t shown, std::size_t first, std::size_t last)> tip;

    /// Which box of [first, last) stands for them.
    std::size_t shownOf(std::size_t begin, std::size_t end) const;
};

/// Something that is drawn along the bottom axis of a plot, whatever it shows: a mark, or the marked range. Places are
/// those of the axis: bar i lies from i - 0.5 to i + 0.5, on an axis of time they are times.
struct PlotRange {
    double begin = 0, end = 0;       ///< Equal: a line.
    std::optional<std::size_t> hue;  ///< Mark::colour; nullopt: the marked range, in the accent colour.
    QString name, tip;               ///< Written at the top as far as there is room; shown by the tooltip.
    bool operator==(const PlotRange&) const = default;
};

/// Neighbours that share a bar: [begin, end) of each, at most `most` of them, of [first, last).
std::vector<std::pair<std::size_t, std::size_t>> foldedRanges(std::size_t first, std::size_t last, std::size_t most);

}  // namespace altiscope
