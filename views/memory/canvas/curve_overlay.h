#pragma once

#include "core/base/values/time.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// A range that is drawn along the axis: a mark, which may be a moment.
struct CurveRange {
    TimeRange range;
    std::size_t hue = 0;  ///< Mark::colour
    QString name, tip;
};

/// A part of the axis with a name: a step.
struct CurveSection {
    TimeRange range;
    QString name;
};

/// A point on a curve with words: a peak.
struct CurvePoint {
    TimeNs at;
    std::int64_t value = 0;
    std::size_t hue = 0;
    QString tip;
};

/// Content that is drawn over curves.
struct CurveOverlay {
    std::vector<CurveSection> sections;
    std::vector<CurveRange> ranges;
    std::vector<CurvePoint> points;
    std::optional<TimeRange> marked;                ///< By the user, on all pages.
    std::optional<std::vector<TimeRange>> context;  ///< Outside of these all is dimmed; by begin.
    std::optional<TimeNs> moment;                   ///< The one that tables are about.
    std::optional<TimeNs> allocated, released;      ///< Ends of the chosen allocation.
};

}  // namespace altiscope
