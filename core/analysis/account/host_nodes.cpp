#include "core/analysis/account/connections.h"
#include "core/analysis/account/graph_parts.h"

#include <algorithm>
#include <tuple>

namespace altiscope {

namespace {

/// Something that the host did at a time.
struct Point {
    std::int64_t time = 0;
    NodeKind kind = NodeKind::HostPoint;
    SliceIndex slice = kNoSlice;
    bool isSynchronizeBegin = false;

    /// Of points at one time a border comes last: what ends there is of the step before it.
    auto order() const { return std::tuple(time, kind == NodeKind::Border, slice.value); }
};

/// The times of the borders: begins of the steps, and the end of the last one.
std::vector<Point> borderPoints(const RankEntry& rank, RankGraph& graph) {
    std::vector<Step> steps;
    for (const Step& step : rank.steps) {
        if (step.range) steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.range->begin < b.range->begin; });
    std::vector<Point> borders;
    for (const Step& step : steps) {
        graph.steps.push_back(step.number);
        borders.push_back({step.range->begin.value, NodeKind::Border});
    }
    if (!steps.empty())
        borders.push_back({std::max(steps.back().range->end, steps.back().range->begin).value, NodeKind::Border});
    return borders;
}

}  // namespace

HostNodes::HostNodes(const RankEntry& rank, HostSlices slices)
    : m_rank(rank), m_trace(*rank.trace), m_slices(std::move(slices)) {
    std::sort(m_slices.dequeues.begin(), m_slices.dequeues.end(), [&](SliceIndex a, SliceIndex b) {
        return std::pair(m_trace.runOf(a).track, m_trace.begin(a)) <
               std::pair(m_trace.runOf(b).track, m_trace.begin(b));
    });
}

std::optional<std::int64_t> HostNodes::callBegin(std::int64_t connection) const {
    const auto call = m_slices.calls.find(connection);
    return call == m_slices.calls.end() ? std::nullopt : std::optional(m_trace.begin(call->second).value);
}

void HostNodes::make(RankGraph& graph, EdgeList& edges, const std::vector<std::int64_t>& connections) {
    m_skew = graph.skew;
    graph.hostTracks = m_slices.tracks;
    addPoints(graph, edges, connections);
    addDequeues(graph, edges);
}

void HostNodes::addPoints(RankGraph& graph, EdgeList& edges, const std::vector<std::int64_t>& connections) {
    std::vector<Point> points = borderPoints(m_rank, graph);
    for (const SliceIndex slice : m_slices.enqueues)
        points.push_back({m_trace.end(slice).value, NodeKind::HostPoint, slice});
    for (const SliceIndex slice : m_slices.synchronizations) {
        points.push_back({m_trace.begin(slice).value, NodeKind::HostPoint, slice, true});
        points.push_back({m_trace.end(slice).value, NodeKind::SyncEnd, slice});
    }
    std::vector<SliceIndex> direct;
    for (const std::int64_t connection : connections) {
        const auto call = m_slices.calls.find(connection);
        if (call == m_slices.calls.end()) continue;
        const std::uint32_t track = m_trace.runOf(call->second).track;
        if (!m_slices.isWorker[track]) direct.push_back(call->second);
    }
    std::sort(direct.begin(), direct.end());
    direct.erase(std::unique(direct.begin(), direct.end()), direct.end());
    for (const SliceIndex slice : direct) points.push_back({m_trace.begin(slice).value, NodeKind::HostPoint, slice});
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.order() < b.order(); });

    std::unordered_map<std::uint32_t, std::uint32_t> begun;  // node of a synchronisation's begin, by slice
    std::uint32_t previous = kNoNode;
    for (const Point& point : points) {
        const auto node = static_cast<std::uint32_t>(graph.nodes.size());
        const std::int64_t time = point.time - m_skew;
        const std::uint32_t track = point.slice == kNoSlice ? 0 : m_trace.runOf(point.slice).track;
        graph.nodes.push_back({time, time, point.slice, track, point.kind});
        if (point.kind == NodeKind::SyncEnd) {
            const auto begin = begun.find(point.slice.value);
            m_synchronizations.push_back({node, begin == begun.end() ? kNoNode : begin->second, previous});
        } else if (previous != kNoNode) {
            edges.add(node, {previous, false, EdgeKind::Host, time - graph.nodes[previous].start});
        }
        if (point.kind == NodeKind::Border) graph.borders.push_back(node);
        else if (point.isSynchronizeBegin) begun.emplace(point.slice.value, node);
        else if (point.kind == NodeKind::HostPoint) m_pointOf.emplace(point.slice.value, node);
        previous = node;
    }
}

void HostNodes::addDequeues(RankGraph& graph, EdgeList& edges) {
    const auto queue = m_trace.texts().find("async_task_queue");
    const TraceColumns& columns = m_trace.columns();
    std::uint32_t previous = kNoNode, previousTrack = 0;
    for (const SliceIndex slice : m_slices.dequeues) {
        const auto node = static_cast<std::uint32_t>(graph.nodes.size());
        const std::uint32_t track = m_trace.runOf(slice).track;
        const std::int64_t start = m_trace.begin(slice).value - m_skew;
        graph.nodes.push_back({start, m_trace.end(slice).value - m_skew, slice, track, NodeKind::Dequeue});
        m_dequeueNodes.push_back(node);
        std::uint32_t enqueued = kNoNode;
        for (const std::uint32_t flow : m_trace.flowsTo(slice)) {
            if (!queue || columns.flowCategory[flow] != *queue) continue;
            const auto point = m_pointOf.find(columns.flowFrom[flow]);
            if (point != m_pointOf.end()) enqueued = point->second;
            m_dequeueOf.emplace(columns.flowFrom[flow], node);
        }
        const bool follows = previous != kNoNode && previousTrack == track;
        // The later of both, and the same delay after either.
        std::int64_t ready = kNoLaunch;
        if (follows) ready = std::max(ready, graph.nodes[previous].end);
        if (enqueued != kNoNode) ready = std::max(ready, graph.nodes[enqueued].end);
        if (follows) edges.add(node, {previous, false, EdgeKind::Worker, start - ready});
        if (enqueued != kNoNode) edges.add(node, {enqueued, false, EdgeKind::Queue, start - ready});
        previous = node;
        previousTrack = track;
    }
}

std::uint32_t HostNodes::dequeueAt(std::uint32_t track, std::int64_t time) const {
    // CANN's calls and the queue's are on tracks of different processes, but of one thread.
    const std::string& tid = m_trace.track({track}).tid;
    for (const std::uint32_t own : m_slices.tracks) {
        if (!m_slices.isWorker[own] || m_trace.track({own}).tid != tid) continue;
        const auto after =
            std::upper_bound(m_slices.dequeues.begin(), m_slices.dequeues.end(), std::pair(own, time),
                             [&](const std::pair<std::uint32_t, std::int64_t>& value, SliceIndex slice) {
                                 return value < std::pair(m_trace.runOf(slice).track, m_trace.begin(slice).value);
                             });
        if (after == m_slices.dequeues.begin() || m_trace.runOf(*(after - 1)).track != own) continue;
        if (m_trace.end(*(after - 1)).value < time) continue;
        return m_dequeueNodes[static_cast<std::size_t>(after - m_slices.dequeues.begin()) - 1];
    }
    return kNoNode;
}

LaunchPoint HostNodes::launchByFlow(SliceIndex task, std::int64_t start) const {
    const auto category = m_trace.texts().find("async_npu");
    if (!category) return {};
    const TraceColumns& columns = m_trace.columns();
    for (const std::uint32_t flow : m_trace.flowsTo(task)) {
        const std::uint32_t from = columns.flowFrom[flow];
        if (columns.flowCategory[flow] != *category || from == kNoSlice.value) continue;
        const DepthRun& run = m_trace.runOf({from});
        // The first enqueuing within the operator.
        for (const DepthRun& deeper : m_trace.runs(TrackIndex{run.track})) {
            if (deeper.depth < run.depth) continue;
            for (std::uint32_t i = m_trace.firstBeginningAt(deeper, m_trace.begin({from}));
                 i < deeper.first + deeper.count && m_trace.begin({i}) < m_trace.end({from}); ++i) {
                const auto node = m_dequeueOf.find(i);
                if (node == m_dequeueOf.end()) continue;
                const std::int64_t end = m_trace.end(m_slices.dequeues[node->second - m_dequeueNodes.front()]).value;
                const std::int64_t time = std::min(end - m_skew, start);
                return {node->second, false, time - (end - m_skew), time};
            }
        }
    }
    return {};
}

LaunchPoint HostNodes::launchOf(SliceIndex task, std::int64_t connection, std::int64_t start) const {
    const auto call = connection == kNoConnection ? m_slices.calls.end() : m_slices.calls.find(connection);
    if (call == m_slices.calls.end()) return hasCalls() ? LaunchPoint() : launchByFlow(task, start);
    const std::int64_t time = m_trace.begin(call->second).value - m_skew;
    const std::uint32_t track = m_trace.runOf(call->second).track;
    if (m_slices.isWorker[track]) {
        const std::uint32_t node = dequeueAt(track, m_trace.begin(call->second).value);
        if (node == kNoNode) return {};
        const auto place = static_cast<std::size_t>(node - m_dequeueNodes.front());
        return {node, true, time - (m_trace.begin(m_slices.dequeues[place]).value - m_skew), time};
    }
    const auto point = m_pointOf.find(call->second.value);
    return point == m_pointOf.end() ? LaunchPoint() : LaunchPoint{point->second, true, 0, time};
}

}  // namespace altiscope
