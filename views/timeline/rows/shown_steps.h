#pragma once

#include "core/base/values/time.h"
#include "core/tables/scope/context_filter.h"
#include "views/timeline/rows/timeline_row.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// A rank whose steps are drawn: a step is that of one rank, as ranks of a pipeline do theirs at other times, and
/// clocks differ.
struct StepRank {
    std::uint32_t source = 0;  ///< In TimelineSources.
    RankIndex rank;            ///< In the store of that source.
    bool operator==(const StepRank&) const = default;
};

/// A step of one rank as it is drawn.
struct ShownStep {
    std::int64_t number = 0;
    TimeRange range;  ///< On the axis; not empty.
    bool operator==(const ShownStep&) const = default;
};

/// The steps of each rank (as CaptureStore::ranks) that the context holds, by begin; those of which no time is known
/// are not drawn. Pure; O(ranks * steps * log).
std::vector<std::vector<ShownStep>> shownSteps(const TimelineSource& source, const ContextFilter& context);

/// From the first begin to the last end; nullopt without steps. O(steps).
std::optional<TimeRange> hullOf(const std::vector<std::vector<ShownStep>>& steps);

/// The last of them that holds a time; nullopt if none does. O(steps).
std::optional<ShownStep> stepAt(const std::vector<ShownStep>& steps, TimeNs time);

/// The step after the one of a number, or before it; without it the first that begins, or last that ends, within what
/// is in sight, else the nearest. nullopt if there is none. O(steps).
std::optional<ShownStep> neighbourStep(const std::vector<ShownStep>& steps, std::optional<std::int64_t> number,
                                       TimeRange window, bool forward);

}  // namespace altiscope
