#pragma once

#include "core/base/values/time.h"
#include "views/timeline/rows/timeline_sources.h"

#include <optional>

namespace altiscope {

/// The part of a run that is worth to be seen first, on the axis: its steps, if they are less than half of it; without
/// steps, where most slices lie, if hardly any lie elsewhere, and then without empty ends. nullopt: the whole run.
/// @param steps  From the first to the last; nullopt: there are none.
/// @param home   The whole run; not empty.
/// Pure; bounded: looks at the first depth of some of the fullest tracks only, whatever the size of the run.
std::optional<TimeRange> openingRange(const TimelineSources& sources, std::optional<TimeRange> steps, TimeRange home);

}  // namespace altiscope
