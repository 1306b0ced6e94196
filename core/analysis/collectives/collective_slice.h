#pragma once

#include "core/base/values/time.h"
#include "core/store/columns/trace_store.h"

#include <optional>
#include <string_view>

namespace altiscope {

/// The slice of a collective by its name: on a group's track, of several the one that begins nearest to a time, or else
/// the first.
/// @return nullopt if the timeline has none of that name. Any thread. O(slices on group tracks).
std::optional<SliceIndex> collectiveSlice(const TraceStore& trace, std::string_view name, std::optional<TimeNs> near);

}  // namespace altiscope
