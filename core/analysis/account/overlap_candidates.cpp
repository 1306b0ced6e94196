#include "core/analysis/account/candidates.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

/// A reduction of less than this share of the one before is no bucket of gradients, but a norm or a flag.
constexpr std::int64_t kBucketShare = 10;

/// Waits of one rank's streams for reductions of gradients.
class OverlapReader {
public:
    OverlapReader(const CandidateInput& input, std::size_t r)
        : m_input(input), m_graph(*input.graphs[r]), m_trace(*input.capture.ranks[r].trace), m_rank(r),
          m_reductionOf(m_graph.nodes.size(), kNoNode) {
        const CollectiveGroups groups(input.directory, input.facts[r].rankId);
        for (std::uint32_t c = 0; c < m_graph.collectives.size(); ++c) {
            const GraphCollective& collective = m_graph.collectives[c];
            if (collective.departure == kNoNode) continue;
            const std::string& track = m_trace.track({collective.track}).name;
            const std::string_view name = m_trace.name(collective.slice);
            if (isReduction(collectiveType(name)) && isOfGradients(groups.parallelType(track, name), collective.track))
                m_reductionOf[collective.departure] = c;
        }
    }

    void read(CauseCandidate& candidate) {
        std::vector<Wait> waits;  // of one stream, by time
        for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
            const GraphNode& node = m_graph.nodes[i];
            if (!isOnDevice(node.kind)) continue;
            if (!waits.empty() && waits.front().track != node.track) drop(waits, candidate);
            if (node.kind == NodeKind::Kernel && !waits.empty()) waits.back().computes = true;
            if (node.kind != NodeKind::EventWait) continue;
            for (std::uint32_t e = node.firstEdge; e < node.firstEdge + node.edgeCount; ++e) {
                const std::uint32_t c = reductionBefore(m_graph.edges[e]);
                if (c != kNoNode) waits.push_back({node.track, i, e, c, false});
            }
        }
        drop(waits, candidate);
    }

private:
    struct Wait {
        std::uint32_t track = 0, node = 0, edge = 0, collective = 0;
        bool computes = false;  ///< Kernels of the stream come before the next such wait.
    };

    /// "reduce" is a reduceScatter, too.
    static bool isReduction(std::string_view type) { return type == "allreduce" || type == "reduce"; }
    bool isOfGradients(std::string_view parallelType, std::uint32_t track) const {
        const std::vector<std::uint32_t>& activations = m_input.facts[m_rank].activationTracks;
        if (parallelType.empty()) return !std::binary_search(activations.begin(), activations.end(), track);
        return areOfGradients(parallelType);
    }
    /// The reduction that a record stands right behind; kNoNode if there is none.
    std::uint32_t reductionBefore(const GraphEdge& edge) const {
        if (edge.kind != EdgeKind::Event) return kNoNode;
        for (const GraphEdge& before : m_graph.edgesOf(edge.node)) {
            if (before.kind == EdgeKind::Stream) return m_reductionOf[before.node];
        }
        return kNoNode;
    }
    std::ptrdiff_t stepOf(std::int64_t time) const {
        return std::upper_bound(
                   m_graph.borders.begin(), m_graph.borders.end(), time,
                   [&](std::int64_t value, std::uint32_t node) { return value < m_graph.nodes[node].start; }) -
               m_graph.borders.begin();
    }
    std::int64_t transferOf(std::uint32_t collective) const {
        const CollectiveShare& share = m_input.collectives.shares[m_rank][collective];
        return share.end - share.transferBegin;
    }
    /// Whether more gradients of the same kind are reduced in the step after a wait, and are waited for: what needs the
    /// sums of all waits for those, as collectives of one group come one after the other.
    bool isEarly(const Wait& wait, const Wait& later) const {
        const GraphNode& node = m_graph.nodes[wait.node];
        const GraphCollective &own = m_graph.collectives[wait.collective],
                              &next = m_graph.collectives[later.collective];
        const std::int64_t begin = m_trace.begin(next.slice).value;
        return begin >= node.end && stepOf(begin) == stepOf(node.start) && own.track == next.track &&
               collectiveType(m_trace.name(own.slice)) == collectiveType(m_trace.name(next.slice)) &&
               transferOf(later.collective) * kBucketShare >= transferOf(wait.collective);
    }
    void drop(std::vector<Wait>& waits, CauseCandidate& candidate) {
        for (std::size_t i = 0; i < waits.size(); ++i) {
            const Wait& wait = waits[i];
            bool computes = wait.computes;
            std::size_t later = i + 1;
            for (; later < waits.size() && !(computes && isEarly(wait, waits[later])); ++later)
                computes = computes || waits[later].computes;
            if (later == waits.size()) continue;
            candidate.changes.push_back({m_input.job.edgeOf[m_rank][wait.edge], true, -kNoStepNs});
            std::int64_t before = m_graph.nodes[wait.node].start;
            for (const GraphEdge& edge : m_graph.edgesOf(wait.node)) {
                if (edge.kind == EdgeKind::Stream) before = m_graph.nodes[edge.node].end;
            }
            keepSlice(candidate, m_trace, rankIndex(m_rank), m_graph.collectives[wait.collective].slice,
                      m_graph.nodes[wait.node].end - before);
        }
        waits.clear();
    }

    const CandidateInput& m_input;
    const RankGraph& m_graph;
    const TraceStore& m_trace;
    std::size_t m_rank;
    std::vector<std::uint32_t> m_reductionOf;  // by node of a departure: place in RankGraph::collectives
};

}  // namespace

void addOverlapCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel) {
    CauseCandidate candidate;
    candidate.cause = Cause::Transfer;
    candidate.kind = CauseKind::NotHidden;
    for (std::size_t r = 0; r < input.graphs.size() && !cancel.cancelled(); ++r) {
        if (!input.graphs[r]) continue;
        const std::size_t before = candidate.changes.size();
        OverlapReader(input, r).read(candidate);
        if (candidate.changes.size() > before) candidate.ranks.push_back(rankIndex(r));
    }
    if (candidate.total() > 0) found.push_back(std::move(candidate));
}

}  // namespace altiscope
