#include "core/analysis/account/wait_paths.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// A path of more hops tells nobody anything.
constexpr std::size_t kMostHops = 32;

}  // namespace

WaitPaths::WaitPaths(const CandidateInput& input, const Replay& recorded)
    : m_input(input), m_recorded(recorded), m_instanceOf(input.job.nodeCount(), kNoNode),
      m_memberOf(input.job.nodeCount(), kNoNode), m_rankOf(input.job.nodeCount(), kNoRank),
      m_sliceOf(input.job.nodeCount(), kNoSlice) {
    const JobCollectives& all = input.collectives;
    for (std::uint32_t i = 0; i < all.instances.size(); ++i) {
        if (input.job.groupNode[i] != kNoNode) m_instanceOf[input.job.groupNode[i]] = i;
    }
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (!input.graphs[r]) continue;
        const RankGraph& graph = *input.graphs[r];
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            m_rankOf[input.job.nodeOf[r][i]] = rankIndex(r);
            m_sliceOf[input.job.nodeOf[r][i]] = graph.nodes[i].slice;
        }
    }
    for (std::uint32_t m = 0; m < all.members.size(); ++m) {
        const auto [rank, c] = all.members[m];
        const std::uint32_t departure = input.graphs[rank.value]->collectives[c].departure;
        if (departure != kNoNode) m_memberOf[input.job.nodeOf[rank.value][departure]] = m;
    }
}

void WaitPaths::setCause(const std::vector<GraphChange>& changes, const std::vector<CauseSlice>& slices) {
    const JobGraph& job = m_input.job;
    m_slices = &slices;
    m_ways.clear();
    m_wayOf.assign(job.nodeCount(), kNoNode);
    m_changed.assign(job.nodeCount(), 0);
    std::map<std::uint32_t, std::vector<std::uint32_t>> withoutWait;  // edges by node
    for (const GraphChange& change : changes) {
        std::uint32_t node = change.index;
        if (change.isEdge) {
            const auto after = std::upper_bound(job.firstEdge.begin(), job.firstEdge.end(), change.index);
            node = static_cast<std::uint32_t>(after - job.firstEdge.begin()) - 1;
        }
        if (change.delta <= -kNoStepNs) withoutWait[node].push_back(change.index);
        else m_changed[node] -= change.delta;
    }
    for (const auto& [node, edges] : withoutWait) m_changed[node] += waitFor(node, edges);
}

std::int64_t WaitPaths::waitFor(std::uint32_t node, const std::vector<std::uint32_t>& edges) const {
    const JobGraph& job = m_input.job;
    std::int64_t latest = job.anchor[node];
    bool waitsForOthers = false;
    for (std::uint32_t e = job.firstEdge[node]; e < job.firstEdge[node + 1]; ++e) {
        if (std::find(edges.begin(), edges.end(), e) != edges.end()) continue;
        const std::uint32_t other = job.from[e] / 2;
        const std::int64_t time = job.from[e] % 2 == 1 ? m_recorded.end(other) : m_recorded.start(other);
        latest = std::max(latest, time + job.weight[e]);
        waitsForOthers = true;
    }
    // Of what waits for nothing else no begin is known.
    return waitsForOthers ? std::max<std::int64_t>(0, m_recorded.start(node) - latest) : 0;
}

std::uint32_t WaitPaths::lateMember(std::uint32_t instance) const {
    const CollectiveInstance& one = m_input.collectives.instances[instance];
    std::uint32_t late = kNoNode;
    for (std::uint32_t m = one.firstMember; m < one.firstMember + one.memberCount; ++m) {
        const std::uint32_t node = m_input.job.memberNode[m];
        if (node == kNoNode) continue;
        if (late == kNoNode || m_recorded.start(node) > m_recorded.start(m_input.job.memberNode[late])) late = m;
    }
    return late;
}

WaitPaths::Way WaitPaths::wayBefore(std::uint32_t instance) {
    const std::uint32_t late = lateMember(instance);
    if (late == kNoNode) return {};
    std::vector<std::uint32_t> walked;
    const Way way = walkFrom(m_input.job.memberNode[late], walked);
    for (const std::uint32_t node : walked) m_wayOf[node] = static_cast<std::uint32_t>(m_ways.size());
    if (!walked.empty()) m_ways.push_back(way);
    return way;
}

WaitPaths::Way WaitPaths::walkFrom(std::uint32_t node, std::vector<std::uint32_t>& walked) const {
    const JobGraph& job = m_input.job;
    Way way;
    while (node != kNoNode) {
        if (m_wayOf[node] != kNoNode) return m_ways[m_wayOf[node]];
        walked.push_back(node);
        std::uint32_t before = kNoNode;
        std::int64_t latest = 0, from = 0;
        for (std::uint32_t e = job.firstEdge[node]; e < job.firstEdge[node + 1]; ++e) {
            const std::uint32_t other = job.from[e] / 2;
            const std::int64_t time = job.from[e] % 2 == 1 ? m_recorded.end(other) : m_recorded.start(other);
            if (before != kNoNode && time + job.weight[e] <= latest) continue;
            latest = time + job.weight[e];
            from = time;
            before = other;
        }
        if (m_changed[node] > 0) {
            way.cause = node;
            way.from = before == kNoNode ? m_recorded.start(node) : from;
            return way;
        }
        if (before != kNoNode && m_instanceOf[before] != kNoNode) {
            way.before = m_instanceOf[before];
            way.waiting = m_memberOf[node];
            return way;
        }
        node = before;
    }
    return way;
}

CauseSlice WaitPaths::sliceOf(std::uint32_t member) const {
    const auto [rank, c] = m_input.collectives.members[member];
    const TraceStore& trace = *m_input.capture.ranks[rank.value].trace;
    const SliceIndex slice = m_input.graphs[rank.value]->collectives[c].slice;
    CauseSlice made{rank, trace.id(slice), std::string(trace.name(slice)), {trace.begin(slice), trace.end(slice)}, 0};
    const std::uint32_t instance = m_input.collectives.shares[rank.value][c].instance;
    made.amount = m_recorded.start(m_input.job.groupNode[instance]) - m_recorded.start(m_input.job.memberNode[member]);
    return made;
}

CauseSlice WaitPaths::causeSlice(const Way& way) const {
    const RankIndex rank = m_rankOf[way.cause];
    CauseSlice made;
    if (rank == kNoRank) return made;
    const TraceStore& trace = *m_input.capture.ranks[rank.value].trace;
    made.rank = rank;
    made.amount = m_changed[way.cause];
    if (const SliceIndex slice = m_sliceOf[way.cause]; slice != kNoSlice) {
        made.slice = trace.id(slice);
        made.name = trace.name(slice);
        made.range = {trace.begin(slice), trace.end(slice)};
    }
    // A collection of garbage that covers the time before it says more than the call that came late.
    const std::int64_t base = made.range.end.value - m_recorded.end(way.cause);
    for (const CauseSlice& one : *m_slices) {
        if (one.rank != rank || one.range.end.value - base <= way.from) continue;
        if (one.range.begin.value - base >= m_recorded.end(way.cause)) continue;
        return one;
    }
    return made;
}

std::vector<CauseSlice> WaitPaths::pathOf(std::uint32_t instance) {
    std::vector<CauseSlice> path;
    for (std::size_t hops = 0; hops < kMostHops; ++hops) {
        const Way way = wayBefore(instance);
        if (way.cause != kNoNode) {
            path.push_back(causeSlice(way));
            if (path.back().slice.value == 0) path.clear();
            return path;
        }
        if (way.before == kNoNode || way.waiting == kNoNode) break;
        if (way.waiting != lateMember(way.before)) path.push_back(sliceOf(way.waiting));
        instance = way.before;
    }
    return {};
}

}  // namespace altiscope
