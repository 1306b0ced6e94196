#pragma once

#include "core/analysis/account/host_cover.h"
#include "core/analysis/account/rank_graph.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope {

/// Finds out what gaps of a device waited for. Not thread-safe; graph and host must outlive it.
class GapCauses {
public:
    GapCauses(const RankGraph& graph, const HostCover& host);

    /// Cuts a gap along what the task that ends it waited for, backwards. The pieces add up to the gap.
    /// @param border  The gap ends with a step instead, at this node; kNoNode: with a task.
    const std::vector<CausePiece>& cut(TimeRange gap, std::uint32_t border);
    /// The node that ended the gap of the last call; kNoNode: none.
    std::uint32_t next() const { return m_next; }

private:
    void walk(TimeRange gap, std::uint32_t node);
    void addEdge(TimeRange time, const GraphNode& node, const GraphEdge& edge);
    void addLag(TimeRange time, const GraphNode& node, const GraphEdge& edge);
    void addHost(TimeRange time, std::uint32_t track, std::uint32_t other);
    void addDevice(TimeRange time, std::int64_t typical, const GraphNode& node);
    void addDuration(TimeRange time, const GraphNode& node);

    const RankGraph& m_graph;
    const HostCover& m_host;
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_starts;  // of what is no gap, by time
    std::vector<CausePiece> m_pieces;
    std::uint32_t m_next = kNoNode;
};

/// Sums pieces up: the cause that covers the most, and by which slice it is named. `range` is set before.
GapFacts factsOf(const TraceStore& trace, TimeRange range, const std::vector<CausePiece>& pieces);

}  // namespace altiscope
