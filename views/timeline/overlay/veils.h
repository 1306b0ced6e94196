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

/// What lies between times, and before and after them, within `all`; empty if there are no times to keep to.
std::vector<TimeRange> outsideOf(const std::optional<std::vector<TimeRange>>& times, TimeRange all);

/// What the context does not hold, of the rows in sight: of each rank what lies outside of its own steps. One part over
/// the whole canvas where that is the same for all. O(rows in sight * times).
std::vector<Veil> veilsOf(const TimelineScene& scene);

}  // namespace altiscope
