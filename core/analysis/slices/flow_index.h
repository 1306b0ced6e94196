#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace altiscope {

/// All flows of one category that lead from one depth of a track to one depth of a track.
struct FlowLane {
    StringId category;
    std::uint32_t fromRun = 0, toRun = 0;  ///< In TraceStore::runs().
    std::uint32_t firstNode = 0;           ///< In FlowIndex::nodes(): its root.
    std::uint32_t count = 0;
};

/// Some flows of a lane whose ends lie near each other: between which times, and its two halves.
struct FlowNode {
    std::int64_t fromFirst = 0, fromLast = 0, toFirst = 0, toLast = 0;  ///< ns: min and max times of their ends.
    std::uint32_t first = 0, count = 0;                                 ///< In FlowIndex::order().
    std::uint32_t second = 0;  ///< The second half; the first one is the next node. 0: no halves, look at the flows.
    std::uint32_t zero = 0;    ///< Fills the place.
};

/// How many flows of a category there are.
struct FlowCategory {
    StringId name;
    std::uint64_t flows = 0;  ///< Between slices.
    std::uint64_t loose = 0;  ///< With an end that lies in no slice: there is nowhere to draw them.
};

/// The flows of a trace in an order in which those of a window are found, and counted where they share pixels, without
/// looking at each one: in each lane a tree over the times of both ends, halved where these are furthest apart.
/// Constant.
/// @note 10 bytes for each flow.
class FlowIndex {
public:
    /// @return Null if cancelled. O(flows * log); parallel over lanes.
    static std::shared_ptr<const FlowIndex> make(std::shared_ptr<const TraceStore> trace, const CancelToken& cancel);

    const TraceStore& trace() const { return *m_trace; }
    std::span<const FlowLane> lanes() const { return m_lanes; }
    std::span<const FlowCategory> categories() const { return m_categories; }
    std::span<const FlowNode> nodes() const { return m_nodes; }
    /// Numbers of flows; those of a node are neighbours.
    std::span<const std::uint32_t> order() const { return m_order; }

private:
    std::shared_ptr<const TraceStore> m_trace;
    std::vector<FlowLane> m_lanes;
    std::vector<FlowCategory> m_categories;
    std::vector<FlowNode> m_nodes;
    std::vector<std::uint32_t> m_order;
};

}  // namespace altiscope
