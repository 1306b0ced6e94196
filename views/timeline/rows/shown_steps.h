#pragma once

#include "core/base/values/time.h"
#include "core/tables/scope/context_filter.h"
#include "views/timeline/rows/timeline_row.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// A step of a capture as it is drawn: from where the first of its ranks begins it to where the last one ends it.
struct ShownStep {
    std::int64_t number = 0;
    TimeRange range;  ///< On the axis; not empty.
    bool operator==(const ShownStep&) const = default;
};

/// The steps of the ranks that the context holds, by begin; steps of which no time is known are not drawn.
/// Pure; O(ranks * steps * log).
std::vector<ShownStep> shownSteps(const TimelineSource& source, const ContextFilter& context);

/// The last of them that holds a time; nullopt if none does. O(steps).
std::optional<ShownStep> stepAt(const std::vector<ShownStep>& steps, TimeNs time);

/// The step after the one that is marked, or before it; from anywhere else the first that begins, or last that ends,
/// within what is in sight, else the nearest. nullopt if there is none. O(steps).
std::optional<ShownStep> neighbourStep(const std::vector<ShownStep>& steps, std::optional<TimeRange> marked,
                                       TimeRange window, bool forward);

}  // namespace altiscope
