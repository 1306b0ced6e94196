#pragma once

#include "core/analysis/memory/memory_series.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <vector>

namespace altiscope {

/// A curve of a plot.
struct CurveLine {
    QString name;  ///< Translated.
    std::shared_ptr<const MemorySeries> series;
    MemoryQuantity quantity = MemoryQuantity::Allocated;
    std::size_t hue = 0;  ///< See markColour().
    bool shown = true;
    DurationNs shift{};   ///< Drawn so much later than recorded.
    bool isBase = false;  ///< Drawn dashed.
};

/// Envelopes that a plot draws of its curves: of each shown line the min and max value in every pixel column.
struct CurveEnvelopes {
    TimeRange window;
    std::vector<std::vector<MemoryExtremes>> lines;  ///< As the lines; empty for one that is not shown.
    MemoryExtremes all;                              ///< Lowest and highest value of all lines.
};

/// Exact at every zoom, see MemorySeries::envelope. Columns after `end` stay empty. O(lines * columns * log samples).
CurveEnvelopes curveEnvelopes(const std::vector<CurveLine>& lines, TimeRange window, int columns, TimeNs end);

}  // namespace altiscope
