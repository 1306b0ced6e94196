#include "core/analysis/account/job_graph.h"

#include "core/analysis/account/median.h"
#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace altiscope {

namespace {

constexpr std::int64_t kNoAnchor = std::numeric_limits<std::int64_t>::min();

/// The graph before its nodes are in order.
struct LooseGraph {
    std::vector<std::uint32_t> firstEdge{0};
    std::vector<std::int64_t> anchor, duration;
    std::vector<std::uint32_t> from;
    std::vector<std::int64_t> weight;

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(duration.size()); }
    void close(std::int64_t start, std::int64_t length) {
        const bool waits = from.size() > firstEdge.back();
        anchor.push_back(waits ? kNoAnchor : start);
        duration.push_back(length);
        firstEdge.push_back(static_cast<std::uint32_t>(from.size()));
    }
};

class JobBuilder {
public:
    JobBuilder(const std::vector<std::optional<RankGraph>>& graphs, const JobCollectives& collectives)
        : m_graphs(graphs), m_collectives(collectives) {}

    JobGraph make() {
        findOffsets();
        std::size_t ranks = 0;
        for (std::size_t r = 0; r < m_graphs.size(); ++r) {
            if (!m_graphs[r]) continue;
            ++ranks;
            const auto& clocks = m_collectives.clocks.ranks;
            const bool isAligned = r < clocks.size() && clocks[r].isAligned();
            if (!isAligned && m_job.withoutClock == kNoRank) m_job.withoutClock = rankIndex(r);
            addRank(r, *m_graphs[r]);
        }
        if (ranks < 2) m_job.withoutClock = kNoRank;
        addInstances();
        addSteps();
        order();
        return std::move(m_job);
    }

private:
    void findOffsets();
    void addRank(std::size_t r, const RankGraph& graph);
    void addInstances();
    void addSteps();
    void order();

    const std::vector<std::optional<RankGraph>>& m_graphs;
    const JobCollectives& m_collectives;
    JobGraph m_job;
    LooseGraph m_loose;
    std::vector<std::uint32_t> m_offsets;                  // first node of each rank
    std::vector<std::vector<std::uint32_t>> m_departures;  // by rank and node: member, or kNoNode
    std::uint32_t m_firstInstance = 0;
    std::int64_t m_base = 0;
};

void JobBuilder::findOffsets() {
    bool any = false;
    for (std::size_t r = 0; r < m_graphs.size(); ++r) {
        m_offsets.push_back(m_firstInstance);
        if (!m_graphs[r]) continue;
        m_firstInstance += static_cast<std::uint32_t>(m_graphs[r]->nodes.size());
        for (const GraphNode& node : m_graphs[r]->nodes) {
            const std::int64_t start = m_collectives.aligned(r, node.start);
            m_base = any ? std::min(m_base, start) : start;
            any = true;
        }
    }
    m_departures.resize(m_graphs.size());
    for (std::size_t r = 0; r < m_graphs.size(); ++r)
        m_departures[r].assign(m_graphs[r] ? m_graphs[r]->nodes.size() : 0, kNoNode);
    m_job.memberEdge.assign(m_collectives.members.size(), kNoNode);
    m_job.memberNode.assign(m_collectives.members.size(), kNoNode);
    m_job.groupNode.assign(m_collectives.instances.size(), kNoNode);
    std::uint32_t next = m_firstInstance;
    for (std::size_t i = 0; i < m_collectives.instances.size(); ++i) {
        const CollectiveInstance& instance = m_collectives.instances[i];
        std::uint32_t known = 0;
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            const CollectiveMember& member = m_collectives.members[m];
            const GraphCollective& collective = m_graphs[member.rank.value]->collectives[member.collective];
            if (collective.departure == kNoNode) continue;
            ++known;
            m_job.memberNode[m] = m_offsets[member.rank.value] + collective.arrival;
            m_departures[member.rank.value][collective.departure] = m;
        }
        if (known >= 2) m_job.groupNode[i] = next++;
    }
}

void JobBuilder::addRank(std::size_t r, const RankGraph& graph) {
    const auto time = [&](std::int64_t own) { return m_collectives.aligned(r, own) - m_base; };
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const GraphNode& node = graph.nodes[i];
        const std::uint32_t member = m_departures[r][i];
        if (member != kNoNode) {
            const auto instance = m_collectives.shares[r][m_collectives.members[member].collective].instance;
            const std::uint32_t group = m_job.groupNode[instance];
            if (group != kNoNode) {
                m_job.memberEdge[member] = static_cast<std::uint32_t>(m_loose.from.size());
                m_loose.from.push_back(2 * group + 1);
                m_loose.weight.push_back(time(node.start));  // less the last arrival, which follows
                m_loose.close(time(node.start), 0);
                continue;
            }
        }
        for (const GraphEdge& edge : graph.edgesOf(i)) {
            m_loose.from.push_back(2 * (m_offsets[r] + edge.node) + (edge.fromStart ? 0 : 1));
            m_loose.weight.push_back(edge.weight);
        }
        m_loose.close(time(node.start), node.end - node.start);
    }
}

void JobBuilder::addInstances() {
    for (std::size_t i = 0; i < m_collectives.instances.size(); ++i) {
        if (m_job.groupNode[i] == kNoNode) continue;
        const CollectiveInstance& instance = m_collectives.instances[i];
        std::int64_t latest = kNoAnchor;
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            if (m_job.memberNode[m] == kNoNode) continue;
            const CollectiveMember& member = m_collectives.members[m];
            const std::size_t r = member.rank.value;
            const GraphNode& arrival = m_graphs[r]->nodes[m_graphs[r]->collectives[member.collective].arrival];
            latest = std::max(latest, m_collectives.aligned(r, arrival.start) - m_base);
            m_loose.from.push_back(2 * m_job.memberNode[m]);
            m_loose.weight.push_back(0);
        }
        m_loose.close(latest, 0);
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            if (m_job.memberEdge[m] != kNoNode) m_loose.weight[m_job.memberEdge[m]] -= latest;
        }
    }
}

/// Steps of the host, or of a rank without any all of its time: to the end of the last task of each stream.
void JobBuilder::addSteps() {
    std::map<std::optional<std::int64_t>, std::uint32_t> numbers;
    for (const auto& graph : m_graphs) {
        if (!graph) continue;
        if (graph->steps.empty()) numbers.emplace(std::nullopt, 0);
        for (const auto& step : graph->steps) numbers.emplace(step, 0);
    }
    for (auto& [number, place] : numbers) {
        place = static_cast<std::uint32_t>(m_job.steps.size());
        m_job.steps.push_back(number);
    }
    for (std::uint32_t r = 0; r < m_graphs.size(); ++r) {
        if (!m_graphs[r] || m_graphs[r]->nodes.empty()) continue;
        const RankGraph& graph = *m_graphs[r];
        for (std::size_t i = 0; i + 1 < graph.borders.size(); ++i) {
            m_job.rankSteps.push_back({r, numbers[graph.steps[i]], m_offsets[r] + graph.borders[i],
                                       m_offsets[r] + graph.borders[i + 1],
                                       graph.nodes[graph.borders[i + 1]].start - graph.nodes[graph.borders[i]].start});
        }
        if (!graph.borders.empty()) continue;
        std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = kNoAnchor;
        const auto base = [&](std::int64_t own) { return m_collectives.aligned(r, own) - m_base; };
        std::map<std::uint32_t, std::uint32_t> ends;  // by track
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            if (!isOnDevice(graph.nodes[i].kind)) continue;
            first = std::min(first, graph.nodes[i].start);
            last = std::max(last, graph.nodes[i].end);
            std::uint32_t& end = ends.try_emplace(graph.nodes[i].track, i).first->second;
            if (graph.nodes[i].end >= graph.nodes[end].end) end = i;
        }
        if (ends.empty()) continue;
        const std::uint32_t begin = m_loose.nodes();
        m_loose.close(base(first), 0);
        for (const auto& [track, node] : ends) {
            m_loose.from.push_back(2 * (m_offsets[r] + node) + 1);
            m_loose.weight.push_back(0);
        }
        m_loose.close(base(last), 0);
        m_job.rankSteps.push_back({r, numbers[std::nullopt], begin, begin + 1, last - first});
    }
}

/// Kahn's order.
void JobBuilder::order() {
    const std::uint32_t count = m_loose.nodes();
    std::vector<std::uint32_t> firstOut(count + 1, 0), waiting(count, 0), out(m_loose.from.size());
    for (const std::uint32_t code : m_loose.from) ++firstOut[code / 2 + 1];
    for (std::uint32_t i = 0; i < count; ++i) firstOut[i + 1] += firstOut[i];
    std::vector<std::uint32_t> next(firstOut.begin(), firstOut.end() - 1);
    for (std::uint32_t node = 0; node < count; ++node) {
        waiting[node] = m_loose.firstEdge[node + 1] - m_loose.firstEdge[node];
        for (std::uint32_t e = m_loose.firstEdge[node]; e < m_loose.firstEdge[node + 1]; ++e)
            out[next[m_loose.from[e] / 2]++] = node;
    }
    std::vector<std::uint32_t> sorted;
    sorted.reserve(count);
    for (std::uint32_t node = 0; node < count; ++node) {
        if (waiting[node] == 0) sorted.push_back(node);
    }
    for (std::size_t at = 0; at < sorted.size(); ++at) {
        for (std::uint32_t o = firstOut[sorted[at]]; o < firstOut[sorted[at] + 1]; ++o) {
            if (--waiting[out[o]] == 0) sorted.push_back(out[o]);
        }
    }
    m_job.hasCycle = sorted.size() < count;
    if (m_job.hasCycle) return;
    std::vector<std::uint32_t> place(count), edgePlace(m_loose.from.size());
    for (std::uint32_t i = 0; i < count; ++i) place[sorted[i]] = i;
    m_job.firstEdge.push_back(0);
    for (const std::uint32_t node : sorted) {
        for (std::uint32_t e = m_loose.firstEdge[node]; e < m_loose.firstEdge[node + 1]; ++e) {
            edgePlace[e] = static_cast<std::uint32_t>(m_job.from.size());
            m_job.from.push_back(2 * place[m_loose.from[e] / 2] + m_loose.from[e] % 2);
            m_job.weight.push_back(m_loose.weight[e]);
        }
        m_job.firstEdge.push_back(static_cast<std::uint32_t>(m_job.from.size()));
        m_job.anchor.push_back(m_loose.anchor[node]);
        m_job.duration.push_back(m_loose.duration[node]);
    }
    const auto move = [](std::vector<std::uint32_t>& numbers, const std::vector<std::uint32_t>& places) {
        for (std::uint32_t& number : numbers) {
            if (number != kNoNode) number = places[number];
        }
    };
    move(m_job.memberEdge, edgePlace);
    move(m_job.memberNode, place);
    move(m_job.groupNode, place);
    for (JobGraph::RankStep& step : m_job.rankSteps) {
        step.begin = place[step.begin];
        step.end = place[step.end];
    }
    m_job.nodeOf.resize(m_graphs.size());
    m_job.edgeOf.resize(m_graphs.size());
    for (std::size_t r = 0; r < m_graphs.size(); ++r) {
        if (!m_graphs[r]) continue;
        m_job.edgeOf[r].assign(m_graphs[r]->edges.size(), kNoNode);
        for (std::uint32_t i = 0; i < m_graphs[r]->nodes.size(); ++i) {
            const std::uint32_t loose = m_offsets[r] + i;
            m_job.nodeOf[r].push_back(place[loose]);
            const GraphNode& node = m_graphs[r]->nodes[i];
            for (std::uint32_t e = 0; e < node.edgeCount; ++e)
                m_job.edgeOf[r][node.firstEdge + e] = edgePlace[m_loose.firstEdge[loose] + e];
        }
    }
}

/// Of a few tasks nothing is typical.
constexpr std::size_t kTypicalCount = 5;

}  // namespace

JobGraph makeJobGraph(const std::vector<std::optional<RankGraph>>& graphs, const JobCollectives& collectives) {
    return JobBuilder(graphs, collectives).make();
}

Replay::Replay(const JobGraph& graph)
    : m_graph(graph), m_durations(graph.duration), m_weights(graph.weight), m_times(2 * graph.nodeCount()) {}

void Replay::add(const std::vector<GraphChange>& changes) {
    for (const GraphChange& change : changes) (change.isEdge ? m_weights : m_durations)[change.index] += change.delta;
}

void Replay::addWithin(const std::vector<GraphChange>& changes) {
    for (const GraphChange& change : changes) {
        std::int64_t& value = (change.isEdge ? m_weights : m_durations)[change.index];
        const bool isNoWait = change.isEdge && change.delta <= -kNoStepNs;
        value = isNoWait ? value + change.delta : std::max(value + change.delta, std::min<std::int64_t>(0, value));
    }
}

void Replay::run() {
    const std::size_t count = m_graph.nodeCount();
    const std::uint32_t* from = m_graph.from.data();
    std::int64_t* times = m_times.data();
    std::uint32_t edge = 0;
    for (std::size_t node = 0; node < count; ++node) {
        std::int64_t start = m_graph.anchor[node];
        for (const std::uint32_t last = m_graph.firstEdge[node + 1]; edge < last; ++edge)
            start = std::max(start, times[from[edge]] + m_weights[edge]);
        times[2 * node] = start;
        times[2 * node + 1] = start + m_durations[node];
    }
}

std::vector<std::int64_t> Replay::steps() const {
    std::vector<std::int64_t> lengths;
    for (const JobStep& step : jobSteps(m_graph, *this)) lengths.push_back(step.end - step.begin);
    return lengths;
}

std::vector<JobStep> jobSteps(const JobGraph& job, const Replay& replay) {
    std::vector<JobStep> steps(job.steps.size());
    std::vector<std::int64_t> begins(steps.size(), kNoAnchor), ends(begins);
    std::vector<std::uint32_t> last(steps.size(), kNoNode);
    for (std::uint32_t i = 0; i < job.rankSteps.size(); ++i) {
        const JobGraph::RankStep& of = job.rankSteps[i];
        const std::int64_t begin = replay.start(of.begin), end = replay.start(of.end);
        JobStep& step = steps[of.step];
        if (end - begin > step.end - step.begin || step.last == kNoNode) step = {begin, std::max(begin, end), i, false};
        begins[of.step] = std::max(begins[of.step], begin);
        if (last[of.step] == kNoNode || end > ends[of.step]) last[of.step] = i;
        ends[of.step] = std::max(ends[of.step], end);
    }
    for (std::size_t i = 0; job.withoutClock == kNoRank && i < steps.size(); ++i) {
        if (last[i] != kNoNode && ends[i] > begins[i]) steps[i] = {begins[i], ends[i], last[i], true};
    }
    return steps;
}

std::size_t stepOfNode(const JobGraph& job, const RankGraph& graph, std::uint32_t node) {
    std::optional<std::int64_t> number;
    if (!graph.borders.empty()) {
        const auto after =
            std::upper_bound(graph.borders.begin(), graph.borders.end(), graph.nodes[node].start,
                             [&](std::int64_t time, std::uint32_t border) { return time < graph.nodes[border].start; });
        const auto place = static_cast<std::size_t>(after - graph.borders.begin());
        if (place == 0 || place > graph.steps.size()) return job.steps.size();
        number = graph.steps[place - 1];
    }
    return static_cast<std::size_t>(std::find(job.steps.begin(), job.steps.end(), number) - job.steps.begin());
}

std::vector<std::int64_t> typicalWeights(const JobGraph& job, const std::vector<std::optional<RankGraph>>& graphs) {
    std::vector<std::int64_t> weights = job.weight;
    for (std::size_t r = 0; r < graphs.size(); ++r) {
        if (!graphs[r]) continue;
        const RankGraph& graph = *graphs[r];
        constexpr std::size_t kKinds = static_cast<std::size_t>(NodeKind::Departure) + 1;
        std::array<std::vector<std::int64_t>, kKinds> gaps, lags;
        const auto eachBinding = [&](auto body) {
            for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
                const GraphNode& node = graph.nodes[i];
                if (!isOnDevice(node.kind) || node.kind == NodeKind::Copy || node.edgeCount == 0) continue;
                const GraphEdge& edge = graph.edgesOf(i)[node.binding];
                const bool isGap = edge.kind == EdgeKind::Stream;
                if (!isGap && edge.kind != EdgeKind::Launch) continue;
                body(static_cast<std::size_t>(node.kind), isGap, edge, node.firstEdge + node.binding);
            }
        };
        eachBinding([&](std::size_t kind, bool isGap, const GraphEdge& edge, std::uint32_t) {
            (isGap ? gaps : lags)[kind].push_back(edge.weight - edge.fixed);
        });
        std::array<std::int64_t, kKinds> gap{}, lag{};
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            if (gaps[kind].size() < kTypicalCount) gaps[kind].clear();
            if (lags[kind].size() < kTypicalCount) lags[kind].clear();
            gap[kind] = upperMedian(gaps[kind], graph.typicalGap);
            lag[kind] = upperMedian(lags[kind], graph.typicalLag);
        }
        eachBinding([&](std::size_t kind, bool isGap, const GraphEdge& edge, std::uint32_t at) {
            weights[job.edgeOf[r][at]] = edge.fixed + (isGap ? gap[kind] : lag[kind]);
        });
    }
    return weights;
}

}  // namespace altiscope
