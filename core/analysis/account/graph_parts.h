#pragma once

#include "core/analysis/account/rank_graph.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

// Parts that makeRankGraph puts together.

/// Where a task was launched: at a point of the host, or some time after a dequeuing began.
struct LaunchPoint {
    std::uint32_t node = kNoNode;
    bool fromStart = true;
    std::int64_t offset = 0;  ///< ns after that.
    std::int64_t time = 0;    ///< Of the host, less the skew.
    bool known() const { return node != kNoNode; }
};

/// Collects edges in any order.
class EdgeList {
public:
    void add(std::uint32_t to, GraphEdge edge) { m_edges.emplace_back(to, edge); }
    /// Puts them into the graph, those of a node in the order in which they were added.
    void moveTo(RankGraph& graph);

private:
    std::vector<std::pair<std::uint32_t, GraphEdge>> m_edges;
};

/// The slices of the host that matter, by track and begin.
struct HostSlices {
    std::vector<std::uint32_t> tracks;  ///< Of CANN and Python.
    std::vector<bool> isWorker;         ///< By track: of a thread that dequeues.
    std::vector<SliceIndex> enqueues, dequeues, synchronizations;
    std::unordered_map<std::int64_t, SliceIndex> calls;  ///< Of CANN by connection, the innermost.
};
HostSlices hostSlices(const RankEntry& rank, const CancelToken& cancel);

/// A slice of a stream, in the order of its stream.
struct StreamTask {
    SliceIndex slice;
    std::uint32_t track = 0;
    NodeKind kind = NodeKind::Task;
    std::int64_t start = 0, end = 0;
    std::int64_t connection = -1;
    std::uint32_t collective = kNoNode;  ///< Place in DeviceSlices::collectives: this one begins on this stream here.
};
struct DeviceSlices {
    std::vector<StreamTask> tasks;  ///< By stream and start; without the tasks inside of collectives.
    std::vector<GraphCollective> collectives;
    std::vector<std::int64_t> connections;  ///< Of the collectives.
};
DeviceSlices deviceSlices(const RankEntry& rank, std::optional<std::int64_t> device, const CancelToken& cancel);

/// A call of the host that waits for the device.
struct HostWait {
    std::uint32_t end = kNoNode, begin = kNoNode;  ///< Nodes.
    std::uint32_t previous = kNoNode;              ///< The point of the host before its end; may be its begin.
};

/// Nodes of the host, and what joins them.
class HostNodes {
public:
    HostNodes(const RankEntry& rank, HostSlices slices);

    /// Makes them. @param connections  Of tasks: which calls launched something.
    void make(RankGraph& graph, EdgeList& edges, const std::vector<std::int64_t>& connections);
    /// Where a task was launched.
    LaunchPoint launchOf(SliceIndex task, std::int64_t connection, std::int64_t start) const;
    /// Begin of the call of a connection, on the host's clock; nullopt if there is none.
    std::optional<std::int64_t> callBegin(std::int64_t connection) const;
    bool hasCalls() const { return !m_slices.calls.empty(); }
    /// By time; their ends have no edges yet.
    const std::vector<HostWait>& synchronizations() const { return m_synchronizations; }

private:
    void addDequeues(RankGraph& graph, EdgeList& edges);
    void addPoints(RankGraph& graph, EdgeList& edges, const std::vector<std::int64_t>& connections);
    std::uint32_t dequeueAt(std::uint32_t track, std::int64_t time) const;
    LaunchPoint launchByFlow(SliceIndex task, std::int64_t start) const;

    const RankEntry& m_rank;
    const TraceStore& m_trace;
    HostSlices m_slices;
    std::int64_t m_skew = 0;
    std::vector<HostWait> m_synchronizations;
    std::vector<std::uint32_t> m_dequeueNodes;                       // as m_slices.dequeues
    std::unordered_map<std::uint32_t, std::uint32_t> m_enqueueNode;  // by slice
    std::unordered_map<std::uint32_t, std::uint32_t> m_dequeueOf;    // by slice of an enqueuing: node
    std::unordered_map<std::uint32_t, std::uint32_t> m_pointOf;      // by slice of a direct call: node
};

/// It is not known when a task was launched.
inline constexpr std::int64_t kNoLaunch = std::numeric_limits<std::int64_t>::min();

}  // namespace altiscope
