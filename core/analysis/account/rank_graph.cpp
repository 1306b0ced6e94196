#include "core/analysis/account/rank_graph.h"

#include "core/analysis/account/connections.h"
#include "core/analysis/account/graph_parts.h"
#include "core/analysis/account/median.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace altiscope {

namespace {

/// A task that was there this long before its turn was queued; a stream that was idle this long waited for a launch.
constexpr std::int64_t kQueuedNs = 150'000;
/// Clocks of host and device agree to some 10 us; what is earlier than this was not launched by its call.
constexpr std::int64_t kMaxSkewNs = 1'000'000;
/// Tasks of a stream follow each other but for what times are rounded to.
constexpr std::int64_t kStreamSlackNs = 1'000;
/// A record may end this much after the wait that it ends.
constexpr std::int64_t kEventSlackNs = 2'000;
/// A call that waits for nothing returns at once.
constexpr std::int64_t kIdleSynchronizeNs = 2'000;
/// How far back a wait looks for its record among those that no wait has.
constexpr std::size_t kRecordsTried = 64;

/// A task of the device by its end.
struct TaskEnd {
    std::int64_t end = 0, launch = 0;
    std::uint32_t node = kNoNode;
};

/// Tasks before they are nodes: what each waits for.
class DeviceNodes {
public:
    DeviceNodes(RankGraph& graph, EdgeList& edges, const DeviceSlices& slices, const HostNodes& host)
        : m_graph(graph), m_edges(edges), m_slices(slices), m_host(host) {}

    void make() {
        addNodes();
        measure();
        addEdges();
    }
    /// By end.
    std::vector<TaskEnd> ends() const {
        std::vector<TaskEnd> ends;
        for (const Wish& wish : m_wishes) {
            const bool isCollective = m_graph.nodes[wish.node].kind == NodeKind::Arrival;
            const std::uint32_t node = wish.node + (isCollective ? 1 : 0);
            const std::int64_t start = m_graph.nodes[wish.node].start;
            ends.push_back({m_graph.nodes[node].end, wish.launch.known() ? wish.launch.time : start, node});
        }
        std::sort(ends.begin(), ends.end(), [](const TaskEnd& a, const TaskEnd& b) {
            return std::pair(a.end, a.node) < std::pair(b.end, b.node);
        });
        return ends;
    }

private:
    struct Wish {
        std::uint32_t node = kNoNode, previous = kNoNode, record = kNoNode;
        LaunchPoint launch;
    };

    void addNodes();
    void measure();
    void addEdges();
    void addEdgesOf(const Wish& wish);
    void addEvents(std::vector<Wish>& wishes);

    RankGraph& m_graph;
    EdgeList& m_edges;
    const DeviceSlices& m_slices;
    const HostNodes& m_host;
    std::vector<Wish> m_wishes;
};

void DeviceNodes::addNodes() {
    std::uint32_t previous = kNoNode, track = kNoNode;
    for (const StreamTask& task : m_slices.tasks) {
        Wish wish;
        wish.node = static_cast<std::uint32_t>(m_graph.nodes.size());
        if (task.track != kNoNode && task.track == track) wish.previous = previous;
        wish.launch = m_host.launchOf(task.slice, task.connection, task.start);
        if (wish.launch.known() && task.start < wish.launch.time) {
            wish.launch = {};
            ++m_graph.contradictions;
        }
        ++m_graph.tasks;
        if (wish.launch.known()) ++m_graph.launched;
        if (task.collective == kNoNode) {
            m_graph.nodes.push_back({task.start, task.end, task.slice, task.track, task.kind});
        } else {
            GraphCollective& collective = m_graph.collectives[task.collective];
            collective.arrival = wish.node;
            collective.departure = wish.node + 1;
            m_graph.nodes.push_back({task.start, task.start, task.slice, collective.track, NodeKind::Arrival});
            m_graph.nodes.push_back({task.end, task.end, task.slice, collective.track, NodeKind::Departure});
            m_edges.add(wish.node + 1, {wish.node, false, EdgeKind::Inside, task.end - task.start});
        }
        if (task.track != kNoNode) {
            previous = static_cast<std::uint32_t>(m_graph.nodes.size()) - 1;
            track = task.track;
        }
        m_wishes.push_back(wish);
    }
    addEvents(m_wishes);
}

void DeviceNodes::addEvents(std::vector<Wish>& wishes) {
    std::vector<std::size_t> records, waits;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const NodeKind kind = m_graph.nodes[wishes[i].node].kind;
        if (kind == NodeKind::Record) records.push_back(i);
        if (kind == NodeKind::EventWait) waits.push_back(i);
    }
    const auto byEnd = [&](std::size_t a, std::size_t b) {
        return m_graph.nodes[wishes[a].node].end < m_graph.nodes[wishes[b].node].end;
    };
    std::stable_sort(records.begin(), records.end(), byEnd);
    std::stable_sort(waits.begin(), waits.end(), byEnd);
    std::vector<std::size_t> open;  // begun records without a wait, by end
    std::size_t next = 0;
    for (const std::size_t wait : waits) {
        const GraphNode& node = m_graph.nodes[wishes[wait].node];
        while (next < records.size() && m_graph.nodes[wishes[records[next]].node].end <= node.end + kEventSlackNs)
            open.push_back(records[next++]);
        const auto isLaunchedBefore = [&](std::size_t record) {
            const LaunchPoint &own = wishes[wait].launch, &its = wishes[record].launch;
            return !own.known() || !its.known() || its.time < own.time;
        };
        std::size_t tried = 0;
        for (auto at = open.rbegin(); at != open.rend() && tried < kRecordsTried; ++at, ++tried) {
            if (m_graph.nodes[wishes[*at].node].track == node.track || !isLaunchedBefore(*at)) continue;
            wishes[wait].record = wishes[*at].node;
            open.erase(std::next(at).base());
            break;
        }
        if (wishes[wait].record == kNoNode) ++m_graph.waitsWithoutRecord;
        if (open.size() > 4 * kRecordsTried)
            open.erase(open.begin(), open.end() - static_cast<std::ptrdiff_t>(kRecordsTried));
    }
}

void DeviceNodes::measure() {
    std::vector<std::int64_t> gaps, lags;
    for (const Wish& wish : m_wishes) {
        if (wish.previous == kNoNode || !wish.launch.known()) continue;
        const GraphNode& node = m_graph.nodes[wish.node];
        if (node.kind == NodeKind::EventWait || node.kind == NodeKind::Copy) continue;
        const std::int64_t end = m_graph.nodes[wish.previous].end;
        if (wish.launch.time < end - kQueuedNs) gaps.push_back(node.start - end);
        if (end < wish.launch.time - kQueuedNs) lags.push_back(node.start - wish.launch.time);
    }
    m_graph.typicalGap = std::max<std::int64_t>(0, upperMedian(gaps));
    m_graph.typicalLag = std::max<std::int64_t>(0, upperMedian(lags));
}

void DeviceNodes::addEdgesOf(const Wish& wish) {
    const GraphNode& node = m_graph.nodes[wish.node];
    struct Way {
        GraphEdge edge;
        std::int64_t ready, typical;  // when it lets the node start, at the earliest and usually
    };
    std::array<Way, 3> ways;
    std::size_t count = 0;
    if (wish.previous != kNoNode) {
        const std::int64_t end = m_graph.nodes[wish.previous].end;
        if (node.start < end - kStreamSlackNs) ++m_graph.contradictions;
        ways[count++] = {{wish.previous, false, EdgeKind::Stream, 0}, end, end + m_graph.typicalGap};
    }
    if (wish.launch.known()) {
        const std::int64_t time = wish.launch.time;
        ways[count++] = {
            {wish.launch.node, wish.launch.fromStart, EdgeKind::Launch, wish.launch.offset, wish.launch.offset},
            time,
            time + m_graph.typicalLag};
    }
    std::size_t binding = 0;
    if (count == 2 && ways[1].typical > ways[0].typical) binding = 1;
    if (wish.record != kNoNode) {
        const std::int64_t end = m_graph.nodes[wish.record].end;
        const bool isLast = std::all_of(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(count),
                                        [end](const Way& way) { return way.ready < end; });
        if (isLast) binding = count;
        ways[count++] = {{wish.record, false, EdgeKind::Event, 0}, end, end};
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t recorded = node.start - ways[i].ready;
        ways[i].edge.weight += i == binding ? recorded : std::min(ways[i].typical - ways[i].ready, recorded);
        m_edges.add(wish.node, ways[i].edge);
    }
    m_graph.nodes[wish.node].binding = static_cast<std::uint8_t>(binding);
}

void DeviceNodes::addEdges() {
    for (const Wish& wish : m_wishes) addEdgesOf(wish);
}

/// ns by which tasks seem to begin before they were launched.
std::int64_t skewOf(const DeviceSlices& device, const HostNodes& host) {
    std::int64_t skew = 0;
    for (const StreamTask& task : device.tasks) {
        const auto begin = host.callBegin(task.connection);
        if (begin && *begin - task.start <= kMaxSkewNs) skew = std::max(skew, *begin - task.start);
    }
    return skew;
}

/// The task that ended last of those that ended by a time and were launched before it; null if there is none.
const TaskEnd* awaitedBy(const std::vector<TaskEnd>& ends, std::int64_t time) {
    auto at = std::upper_bound(ends.begin(), ends.end(), time,
                               [](std::int64_t value, const TaskEnd& task) { return value < task.end; });
    for (std::size_t tried = 0; at != ends.begin() && tried < kRecordsTried; ++tried) {
        --at;
        if (at->launch < time) return &*at;
    }
    return nullptr;
}

/// A call that waited went on after the task that ended last of those launched before.
void addSynchronizations(RankGraph& graph, EdgeList& edges, const std::vector<HostWait>& calls,
                         const std::vector<TaskEnd>& ends) {
    std::vector<bool> waits(std::max<std::size_t>(1, graph.steps.size()));
    for (const HostWait& call : calls) {
        const std::int64_t time = graph.nodes[call.end].start;
        const std::int64_t begin = call.begin == kNoNode ? time : graph.nodes[call.begin].start;
        const TaskEnd* task = awaitedBy(ends, time);
        // What was finished before kept nobody waiting.
        const bool isAwaited = task != nullptr && task->end > begin;
        const std::int64_t shortest = isAwaited ? std::min(time - begin, kIdleSynchronizeNs) : time - begin;
        if (call.begin != kNoNode) edges.add(call.end, {call.begin, false, EdgeKind::Call, shortest});
        // Other threads go on in the meantime; they are before it in the chain, and do not hold it up.
        if (call.previous != kNoNode && call.previous != call.begin)
            edges.add(call.end, {call.previous, false, EdgeKind::Host, 0});
        if (!isAwaited) continue;
        edges.add(call.end, {task->node, false, EdgeKind::Awaited, time - task->end});
        const auto border =
            std::upper_bound(graph.borders.begin(), graph.borders.end(), time,
                             [&](std::int64_t value, std::uint32_t node) { return value < graph.nodes[node].start; });
        const auto place = graph.borders.empty() ? 1 : static_cast<std::size_t>(border - graph.borders.begin());
        if (place > 0 && place <= waits.size()) waits[place - 1] = true;
    }
    graph.hasSynchronization = std::find(waits.begin(), waits.end(), false) == waits.end();
}

/// Of each node that does not know it yet, the edge that came last.
void findBinding(RankGraph& graph) {
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        GraphNode& node = graph.nodes[i];
        if (isOnDevice(node.kind)) continue;
        std::int64_t latest = kNoLaunch;
        for (std::uint8_t e = 0; e < node.edgeCount; ++e) {
            const GraphEdge& edge = graph.edges[node.firstEdge + e];
            const GraphNode& from = graph.nodes[edge.node];
            const std::int64_t ready = (edge.fromStart ? from.start : from.end) + edge.weight;
            // Of edges that bind at once the one without slack in its own right: what was awaited.
            const std::int64_t time = edge.fromStart ? from.start : from.end;
            if (ready < node.start || time < latest) continue;
            latest = time;
            node.binding = e;
        }
    }
}

}  // namespace

void EdgeList::moveTo(RankGraph& graph) {
    std::vector<std::uint32_t> counts(graph.nodes.size() + 1, 0);
    for (const auto& [to, edge] : m_edges) ++counts[to + 1];
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    graph.edges.resize(m_edges.size());
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        graph.nodes[i].firstEdge = counts[i];
        graph.nodes[i].edgeCount = static_cast<std::uint8_t>(counts[i + 1] - counts[i]);
    }
    std::vector<std::uint32_t> next = counts;
    for (const auto& [to, edge] : m_edges) graph.edges[next[to]++] = edge;
    m_edges.clear();
}

std::optional<RankGraph> makeRankGraph(const RankEntry& rank, std::optional<std::int64_t> device,
                                       const CancelToken& cancel) {
    RankGraph graph;
    EdgeList edges;
    DeviceSlices slices = deviceSlices(rank, device, cancel);
    HostNodes host(rank, hostSlices(rank, cancel));
    if (cancel.cancelled()) return std::nullopt;
    graph.collectives = slices.collectives;
    graph.skew = skewOf(slices, host);
    std::vector<std::int64_t> connections;
    for (const StreamTask& task : slices.tasks) {
        if (task.connection != kNoConnection) connections.push_back(task.connection);
    }
    host.make(graph, edges, connections);
    DeviceNodes nodes(graph, edges, slices, host);
    nodes.make();
    if (cancel.cancelled()) return std::nullopt;
    addSynchronizations(graph, edges, host.synchronizations(), nodes.ends());
    edges.moveTo(graph);
    findBinding(graph);
    return graph;
}

}  // namespace altiscope
