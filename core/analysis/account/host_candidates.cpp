#include "core/analysis/account/candidates.h"
#include "core/analysis/slices/host_call.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <array>

namespace altiscope {

namespace {

/// What an operator does before it enqueues, if nothing delays it.
constexpr std::int64_t kOperatorSelfNs = 4'000;

/// The candidates of one rank.
class HostReader {
public:
    HostReader(const CandidateInput& input, std::size_t r)
        : m_trace(*input.capture.ranks[r].trace), m_graph(*input.graphs[r]), m_host(*input.hosts[r]),
          m_edgeOf(input.job.edgeOf[r]), m_nodeOf(input.job.nodeOf[r]), m_rank(rankIndex(r)) {}

    void read(std::vector<CauseCandidate>& found, const CancelToken& cancel) {
        for (const Cause cause : {Cause::Gc, Cause::Compile, Cause::DataLoading, Cause::Checkpoint, Cause::Host}) {
            if (!m_host.has(cause) || cancel.cancelled()) continue;
            CauseCandidate candidate;
            candidate.cause = cause;
            if (cause == Cause::Host) candidate.kind = CauseKind::MemoryCalls;
            candidate.ranks = {m_rank};
            readCovered(candidate);
            if (candidate.total() > 0) found.push_back(std::move(candidate));
        }
        CauseCandidate launches;
        launches.cause = Cause::Host;
        launches.ranks = {m_rank};
        readLaunches(launches);
        if (launches.total() > 0) found.push_back(std::move(launches));
    }

private:
    TimeRange onHost(std::int64_t begin, std::int64_t end) const {
        return {{begin + m_graph.skew}, {std::max(begin, end) + m_graph.skew}};
    }
    std::uint32_t trackOf(const GraphNode& node, const GraphNode& from) const {
        return node.slice == kNoSlice ? from.track : node.track;
    }
    /// ns of a time that a cause covers; its slices are kept.
    std::int64_t covered(CauseCandidate& candidate, TimeRange time, std::uint32_t track) {
        m_pieces.clear();
        m_host.slicesOf(candidate.cause, time, track, m_pieces);
        std::int64_t sum = 0;
        for (const CausePiece& piece : m_pieces) {
            sum += piece.range.length().value;
            keepSlice(candidate, m_trace, m_rank, piece.slice, piece.range.length().value);
        }
        return sum;
    }
    void shorten(CauseCandidate& candidate, std::uint32_t edge, std::int64_t ns) {
        if (ns > 0) candidate.changes.push_back({m_edgeOf[edge], true, -ns});
    }
    void readCovered(CauseCandidate& candidate);
    void readLaunches(CauseCandidate& candidate);

    const TraceStore& m_trace;
    const RankGraph& m_graph;
    const HostCover& m_host;
    const std::vector<std::uint32_t>&m_edgeOf, &m_nodeOf;
    RankIndex m_rank;
    std::vector<CausePiece> m_pieces;
};

void HostReader::readCovered(CauseCandidate& candidate) {
    for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
        const GraphNode& node = m_graph.nodes[i];
        if (node.kind == NodeKind::Dequeue) {
            const std::int64_t ns = covered(candidate, onHost(node.start, node.end), node.track);
            if (ns > 0) candidate.changes.push_back({m_nodeOf[i], false, -ns});
        }
        for (std::uint32_t e = node.firstEdge; e < node.firstEdge + node.edgeCount; ++e) {
            const GraphEdge& edge = m_graph.edges[e];
            const GraphNode& from = m_graph.nodes[edge.node];
            if (edge.kind == EdgeKind::Host && edge.weight > 0) {
                const std::int64_t ns = covered(candidate, onHost(from.end, node.start), trackOf(node, from));
                shorten(candidate, e, std::min(ns, edge.weight));
            } else if ((edge.kind == EdgeKind::Worker || edge.kind == EdgeKind::Queue) && edge.weight > 0) {
                const std::int64_t ready = node.start - edge.weight;
                const std::int64_t ns = covered(candidate, onHost(ready, node.start), node.track);
                shorten(candidate, e, std::min(ns, edge.weight));
            } else if (edge.kind == EdgeKind::Launch && edge.fromStart && from.kind == NodeKind::Dequeue) {
                shorten(candidate, e,
                        m_host.covered(candidate.cause, onHost(from.start, from.start + edge.fixed), from.track));
            }
        }
    }
}

void HostReader::readLaunches(CauseCandidate& candidate) {
    for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
        const GraphNode& node = m_graph.nodes[i];
        if (node.kind != NodeKind::HostPoint || node.slice == kNoSlice || node.edgeCount == 0) continue;
        if (m_trace.track({node.track}).kind != TrackKind::Python) continue;
        const GraphEdge& edge = m_graph.edges[node.firstEdge];
        const GraphNode& from = m_graph.nodes[edge.node];
        const TimeRange before = timeBeforeCall(m_trace, m_trace.runOf(node.slice), node.slice.value);
        const std::int64_t begin = std::max(before.begin.value, from.end + m_graph.skew);
        if (edge.kind != EdgeKind::Host || begin >= before.end.value) continue;
        const TimeRange time{{begin}, before.end};
        const std::int64_t others =
            m_host.covered(Cause::Gc, time, node.track) + m_host.covered(Cause::Host, time, node.track);
        const std::int64_t ns = before.end.value - begin - others - kOperatorSelfNs;
        if (ns <= 0) continue;
        shorten(candidate, node.firstEdge, std::min(ns, edge.weight));
        keepSlice(candidate, m_trace, m_rank, m_trace.parent(node.slice), ns);
    }
}

}  // namespace

void addHostCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel) {
    std::vector<std::vector<CauseCandidate>> byRank(input.graphs.size());
    parallelFor(byRank.size(), [&](std::size_t r) {
        if (input.graphs[r] && input.hosts[r]) HostReader(input, r).read(byRank[r], cancel);
    });
    const std::size_t first = found.size();
    std::size_t ranks = 0;
    for (std::size_t r = 0; r < byRank.size(); ++r) {
        if (input.graphs[r]) ++ranks;
        for (CauseCandidate& one : byRank[r]) found.push_back(std::move(one));
    }
    joinCommon(found, first, ranks);
}

}  // namespace altiscope
