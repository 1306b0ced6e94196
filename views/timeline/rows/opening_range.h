#pragma once

#include "core/base/values/time.h"
#include "views/timeline/rows/shown_steps.h"
#include "views/timeline/rows/timeline_sources.h"

#include <optional>
#include <vector>

namespace altiscope {

/// The part of a run that is worth to be seen first, on the axis: its steps, if they are less than half of it; without
/// steps, where most slices lie, if hardly any lie elsewhere, and then without empty ends. nullopt: the whole run.
/// @param steps  From the first to the last; nullopt: there are none.
/// @param home   The whole run; not empty.
/// Pure; bounded: looks at the first depth of the fullest tracks of some ranks only, whatever the size of the run.
std::optional<TimeRange> openingRange(const TimelineSources& sources, std::optional<TimeRange> steps, TimeRange home);

/// One whole step of all ranks, of a typical length, to be seen first in place of what openingRange() chose: where that
/// is too long for names to be read on slices, and more can be read on the step. nullopt: what was chosen is well, or
/// there are no two steps in it.
/// @param steps  By source and rank.
/// @param shown  Not empty.
/// Pure; bounded: looks at a few lanes (keyLanes) of the first ranks.
std::optional<TimeRange> openingStep(const TimelineSources& sources,
                                     const std::vector<std::vector<std::vector<ShownStep>>>& steps, TimeRange shown);

}  // namespace altiscope
