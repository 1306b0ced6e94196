#pragma once

#include "views/common/theme.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <vector>

namespace altiscope {

// What plots show. Values on the vertical axis are ns unless a plot says otherwise.

/// A part of every bar.
struct BarSeries {
    QString name;                     ///< Translated, for the legend.
    QColor Theme::* colour = nullptr; ///< Its meaning.
    bool hatched = false;             ///< Free time is.
    std::vector<double> values;       ///< One per bar.
};

/// Bars of stacked parts. More bars than fit are folded: neighbours share one that shows their mean, with a line from the least
/// to the greatest total.
struct StackedBars {
    QStringList labels;  ///< One per bar.
    std::vector<BarSeries> series;
    QString bottomTitle;
    /// What a tooltip says of bar `first`, or of bars [first, last) that share one.
    std::function<QString(std::size_t first, std::size_t last)> tip;
};

/// A line with the range of what it is the mean of. More points than pixels are folded by least and greatest value.
struct EnvelopeLine {
    QStringList labels;
    std::vector<double> least, mean, greatest;
    QString name;
    QString bottomTitle;
    std::function<QString(std::size_t first, std::size_t last)> tip;
};

/// Values by row and column, each cell drawn in one colour; cells that share a pixel show the greatest value.
struct HeatMap {
    QStringList columns, rows;
    std::vector<double> values;  ///< Row by row; NaN: none.
    QString bottomTitle, leftTitle, valueTitle;
    std::function<QString(std::size_t row, std::size_t column)> tip;
};

/// Neighbours that share a bar: [begin, end) of each, at most `most` of them, of [first, last).
std::vector<std::pair<std::size_t, std::size_t>> foldedRanges(std::size_t first, std::size_t last, std::size_t most);

}  // namespace altiscope
