#pragma once

#include "core/analysis/flow_bundles.h"
#include "views/timeline/timeline_scene.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace altiscope {

/// The indexes of traces; what is missing is not drawn (yet).
using FlowIndexes = std::map<const TraceStore*, std::shared_ptr<const FlowIndex>>;

/// What to ask for to draw the flows in sight. Places are heights: logical pixels from the top of all rows.
struct FlowsInSight {
    FlowRequest request;
    std::vector<std::string> categories;  ///< By their numbers in the request.
};

/// Flows of the chosen categories that may cross the canvas: those of ranks with a row in sight, but for lanes with both ends above or
/// below. An end on a track that a collapsed row hides is in that row, and one on a track that is left out in that of its process, else of
/// its rank. O(rows in sight + lanes of their ranks). GUI thread.
/// @param widthPx  Device pixels of the canvas.
FlowsInSight flowsInSight(const TimelineScene& scene, const FlowIndexes& indexes, const std::set<std::string>& chosen, int widthPx);

/// The middle of the lane that shows a depth of a track, or of the row that hides it; nullopt if its rank is not shown. GUI thread.
std::optional<std::int32_t> heightOfDepth(const TimelineModel& model, std::uint32_t source, std::uint32_t rank, TrackIndex track, std::uint32_t depth);

}  // namespace altiscope
