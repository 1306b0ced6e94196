#pragma once

#include "core/base/values/time.h"

#include <optional>
#include <vector>

namespace altiscope {

class TimelineScene;

/// A part of the canvas in which some times step back.
struct Veil {
    double top = 0, bottom = 0;     ///< Logical pixels of the canvas.
    std::vector<TimeRange> ranges;  ///< On the axis.
    bool operator==(const Veil&) const = default;
};

/// Gaps between times, and before and after them, within `all`; empty if there are no times to keep to.
std::vector<TimeRange> outsideOf(const std::optional<std::vector<TimeRange>>& times, TimeRange all);

/// Veils over the parts of the rows in sight that the context excludes: of each rank all outside of its own steps. One
/// part over the whole canvas where that is the same for all. O(rows in sight * times).
std::vector<Veil> veilsOf(const TimelineScene& scene);

}  // namespace altiscope
