#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

/// What a node of the graph of a rank is. Source of the graph: core/analysis/FORMULAS.md section I.
enum class NodeKind : std::uint8_t {
    Kernel,     ///< A task that computes.
    Copy,       ///< A task that copies between host and device.
    Task,       ///< Any other task of a stream.
    Record,     ///< EVENT_RECORD
    EventWait,  ///< EVENT_WAIT, from its turn to its end.
    Arrival,    ///< Begin of a collective; no duration.
    Departure,  ///< End of a collective; no duration.
    Dequeue,    ///< The worker of the framework's queue takes up a task.
    HostPoint,  ///< The host goes on: end of an enqueuing, begin of a launching or synchronising call.
    SyncEnd,    ///< End of a call that waits for the device.
    Border,     ///< Of a step, on the host.
};
/// Whether a node is on a stream of the device.
constexpr bool isOnDevice(NodeKind kind) { return kind <= NodeKind::Departure; }

/// Why a node waits for another one.
enum class EdgeKind : std::uint8_t {
    Stream,   ///< The task before it on the stream.
    Launch,   ///< The call that launched it.
    Event,    ///< The record that it waits for.
    Inside,   ///< From a collective's begin to its end.
    Worker,   ///< The dequeuing before it.
    Queue,    ///< The enqueuing.
    Host,     ///< The host's point before it.
    Awaited,  ///< The task that the host waited for.
    Call,     ///< Begin of the same call.
};

/// A node starts `weight` ns after the time that it waits for, at the earliest.
struct GraphEdge {
    std::uint32_t node = kNoNode;  ///< That is waited for.
    bool fromStart = false;        ///< For its start, else for its end.
    EdgeKind kind = EdgeKind::Stream;
    std::int64_t weight = 0;
    std::int64_t fixed = 0;  ///< The part of it that is no delay: from a dequeuing's begin to its launch.
};

struct GraphNode {
    std::int64_t start = 0, end = 0;  ///< ns, on the clock of the rank; the host's are earlier by RankGraph::skew.
    SliceIndex slice = kNoSlice;      ///< Of a point of the host: what ends or begins there.
    std::uint32_t track = 0;          ///< Of the slice.
    NodeKind kind = NodeKind::Task;
    std::uint8_t edgeCount = 0;
    std::uint8_t binding = 0;     ///< Which edge came last.
    std::uint32_t firstEdge = 0;  ///< In RankGraph::edges.
};

/// A collective of a rank in its graph.
struct GraphCollective {
    SliceIndex slice;
    std::uint32_t track = 0;  ///< The group's.
    std::uint32_t arrival = kNoNode, departure = kNoNode;
};

/// What waited for what on one rank: tasks by stream, events, collectives as one, calls of the host that launched them
/// and what those waited for. Constant.
struct RankGraph {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;                    ///< By node.
    std::vector<GraphCollective> collectives;        ///< By track and begin.
    std::vector<std::uint32_t> borders;              ///< Nodes, one more than steps; empty if the host states no steps.
    std::vector<std::optional<std::int64_t>> steps;  ///< Numbers between the borders.
    std::int64_t skew = 0;                           ///< ns: the host's clock was later than the device's by this.
    std::int64_t typicalGap = 0;                     ///< ns between tasks that were queued.
    std::int64_t typicalLag = 0;                     ///< ns from a launch to its task on an idle stream.
    std::uint64_t tasks = 0, launched = 0, waitsWithoutRecord = 0;
    std::uint64_t contradictions = 0;       ///< Tasks that begin before what they wait for.
    bool hasSynchronization = false;        ///< In every step, or without any at all, a call waits for the device.
    std::vector<std::uint32_t> hostTracks;  ///< Tracks whose time the host's points are on, CANN's and Python's.

    std::span<const GraphEdge> edgesOf(std::uint32_t node) const {
        return {edges.data() + nodes[node].firstEdge, nodes[node].edgeCount};
    }
};

/// @pre hasEvents(rank).
/// @param device  Tracks of this one only, where the trace holds several.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(slices of the device and the host * log), and the
/// arguments of tasks and calls of CANN are read back from the source.
std::optional<RankGraph> makeRankGraph(const RankEntry& rank, std::optional<std::int64_t> device,
                                       const CancelToken& cancel);

}  // namespace altiscope
