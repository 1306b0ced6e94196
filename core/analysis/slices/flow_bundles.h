#pragma once

#include "core/analysis/slices/flow_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// A lane of flows that is to be drawn, and where: lanes of several traces may lead to the same places.
struct FlowPart {
    std::shared_ptr<const FlowIndex> index;
    std::uint32_t lane = 0;      ///< In FlowIndex::lanes().
    TimeRange window;            ///< What is in sight, on the trace's clock; not empty, and of one length in all parts.
    std::uint32_t category = 0;  ///< The asker's number for it.
    std::int32_t from = 0, to = 0;    ///< The asker's numbers for the places of its ends.
    std::optional<TimeRange> only{};  ///< Flows without an end in it are left out; on the trace's clock.
    std::int64_t toLater = 0;  ///< ns; by what times of the ends that flows lead to are drawn later than recorded.
};

/// Which flows are to be bundled, and how finely.
struct FlowRequest {
    int widthPx = 0;       ///< Device pixels that the windows are drawn on; > 0.
    std::size_t most = 0;  ///< Not many more bundles than this; > 0.
    std::vector<FlowPart> parts;
};

/// Flows that look like one line: of one category, between the same places and pixel columns.
struct FlowBundle {
    std::uint32_t category = 0;
    std::int32_t from = 0, to = 0;
    double fromX = 0,
           /// Of one of them: pixels right of the window's left edge, limited to kFlowWidths widths outside.
        toX = 0;
    std::uint64_t count = 0;
    std::uint32_t part = 0, flow = 0;  ///< That one: in FlowRequest::parts, and its number in the trace.
};

/// All that is to be drawn of the flows of a request.
struct FlowBundles {
    int cellPx = 1;  ///< How many pixel columns count as one: more than one where there were too many bundles.
    std::vector<FlowBundle> bundles;
    bool cancelled = false;
};

/// Ends that lie outside are distinguished by how many windows away they lie, up to this many.
inline constexpr int kFlowWidths = 4;

/// Number of the cell that holds a time: [0, cells of the width) in sight, below and above outside. Ascending with
/// time.
int flowCell(TimeNs time, TimeRange window, int widthPx, int cellPx);

/// All flows of the parts that have an end in sight or pass through, each in exactly one bundle. A flow whose ends both
/// lie left of the window, or both right of it, is not among them.
/// @note Pure; any thread. O(parts + bundles * log flows), whatever the number of flows.
FlowBundles bundleFlows(const FlowRequest& request, const CancelToken& cancel);

}  // namespace altiscope
