#pragma once

#include "core/analysis/slices/flow_bundles.h"
#include "views/timeline/scene/timeline_scene.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace altiscope {

/// The indexes of traces; what is missing is not drawn (yet).
using FlowIndexes = std::map<const TraceStore*, std::shared_ptr<const FlowIndex>>;

/// Request for the flows in sight. Places are heights on the canvas in logical pixels, perhaps outside of
/// it.
struct FlowsInSight {
    FlowRequest request;
    std::vector<std::string> categories;  ///< By their numbers in the request.
};

/// Flows of the chosen categories that may cross the canvas: those of ranks with a row in sight, but for lanes with
/// both ends above or below. An end on a track that a collapsed row hides is in that row, one on a track that is left
/// out in that of its process, else of its rank, and one on merged threads, whose lanes each slice has by itself, in
/// the middle of their row; what pinned rows or their border hide is at that border. O(rows in sight + lanes of their
/// ranks), and O(rows) if tracks are not shown. GUI thread.
/// @param widthPx  Device pixels of the canvas.
FlowsInSight flowsInSight(const TimelineScene& scene, const FlowIndexes& indexes, const std::set<std::string>& chosen,
                          int widthPx, std::optional<TimeRange> only = {});

}  // namespace altiscope
