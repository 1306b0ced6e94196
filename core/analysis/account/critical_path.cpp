#include "core/analysis/account/critical_path.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace altiscope {

namespace {

/// Walks back along what each node waited for last. Not thread-safe.
class PathWalk {
public:
    PathWalk(const CandidateInput& input, const Replay& recorded, const CancelToken& cancel)
        : m_input(input), m_job(input.job), m_recorded(recorded), m_cancel(cancel), m_places(input.job.nodeCount()),
          m_hosts(input.graphs.size()) {
        for (std::uint32_t r = 0; r < input.graphs.size(); ++r) {
            if (!input.graphs[r]) continue;
            const auto& nodes = input.job.nodeOf[r];
            for (std::uint32_t i = 0; i < nodes.size(); ++i) m_places[nodes[i]] = {r, i, kNoNode};
            const auto& collectives = input.graphs[r]->collectives;
            for (std::uint32_t c = 0; c < collectives.size(); ++c)
                if (collectives[c].departure != kNoNode) m_places[nodes[collectives[c].departure]].collective = c;
        }
    }

    void add(std::uint32_t step, const JobStep& of, std::vector<PathPiece>& path) {
        if (of.last == kNoNode || of.end <= of.begin) return;
        const JobGraph::RankStep& last = m_job.rankSteps[of.last];
        m_pieces.clear();
        m_step = step;
        m_rank = last.rank;
        m_begin = of.begin;
        m_cursor = of.end;
        walk(last.end);
        // Nothing says what the first of them waited for.
        if (m_cursor > m_begin) push({m_begin, std::exchange(m_cursor, m_begin)}, PathKind::Wait, kNoSlice);
        path.insert(path.end(), m_pieces.rbegin(), m_pieces.rend());
    }

private:
    /// A node of a rank; kNoNode: one of the job, with no rank of its own.
    struct Place {
        std::uint32_t rank = kNoNode, node = kNoNode;
        std::uint32_t collective = kNoNode;  ///< That ends there: in RankGraph::collectives.
    };
    /// Time of the replay, that of the pieces until they are on the clock of their rank.
    struct Span {
        std::int64_t begin = 0, end = 0;
    };

    void walk(std::uint32_t node);
    std::optional<std::uint32_t> bindingEdge(std::uint32_t node) const;
    /// What lies between a time and the cursor, which goes back to it.
    Span upTo(std::int64_t time) {
        const Span span{std::max(m_begin, std::min(time, m_cursor)), m_cursor};
        m_cursor = span.begin;
        return span;
    }
    void addDuration(Span time, const Place& place);
    void addEdge(Span time, const Place& place, std::uint32_t edge);
    void addInside(Span time, const Place& place);
    void addHost(Span time, std::uint32_t track, std::uint32_t other, PathKind uncovered);
    void push(Span time, PathKind kind, SliceIndex slice);
    const HostCover& hostOf(std::uint32_t rank) {
        if (m_hosts[rank] == nullptr)
            m_hosts[rank] = std::make_unique<HostCover>(*m_input.capture.ranks[rank].trace, m_cancel);
        return *m_hosts[rank];
    }

    const CandidateInput& m_input;
    const JobGraph& m_job;
    const Replay& m_recorded;
    const CancelToken& m_cancel;
    std::vector<Place> m_places;                      // by node
    std::vector<std::unique_ptr<HostCover>> m_hosts;  // by rank; of those that a path passes
    std::uint32_t m_step = 0, m_rank = 0;
    std::int64_t m_offset = 0;  // from the time of the replay to the clock of the device of m_rank
    std::int64_t m_begin = 0, m_cursor = 0;
    std::vector<PathPiece> m_pieces;  // of the step, backwards
};

std::optional<std::uint32_t> PathWalk::bindingEdge(std::uint32_t node) const {
    std::optional<std::uint32_t> binding;
    std::int64_t latest = 0, from = 0;
    for (std::uint32_t e = m_job.firstEdge[node]; e < m_job.firstEdge[node + 1]; ++e) {
        const std::uint32_t other = m_job.from[e] / 2;
        const std::int64_t time = m_job.from[e] % 2 == 1 ? m_recorded.end(other) : m_recorded.start(other);
        const std::int64_t ready = time + m_job.weight[e];
        if (binding && (ready < latest || (ready == latest && time <= from))) continue;
        binding = e;
        latest = ready;
        from = time;
    }
    return binding;
}

void PathWalk::walk(std::uint32_t node) {
    bool fromStart = true;
    while (m_cursor > m_begin) {
        const Place place = m_places[node];
        if (place.rank != kNoNode) {
            m_rank = place.rank;
            m_offset = m_input.graphs[place.rank]->nodes[place.node].start - m_recorded.start(node);
        }
        if (!fromStart) {
            const Span time = upTo(m_recorded.start(node));
            if (time.begin < time.end) addDuration(time, place);
        }
        const auto edge = bindingEdge(node);
        if (!edge) return;
        const std::uint32_t other = m_job.from[*edge] / 2;
        fromStart = m_job.from[*edge] % 2 == 0;
        const Span time = upTo(fromStart ? m_recorded.start(other) : m_recorded.end(other));
        if (time.begin < time.end) addEdge(time, place, *edge);
        node = other;
    }
}

void PathWalk::addDuration(Span time, const Place& place) {
    if (place.rank == kNoNode) return push(time, PathKind::Wait, kNoSlice);
    const GraphNode& node = m_input.graphs[place.rank]->nodes[place.node];
    switch (node.kind) {
    case NodeKind::Kernel:
    case NodeKind::Copy:
    case NodeKind::Task: return push(time, PathKind::Compute, node.slice);
    case NodeKind::Dequeue: return addHost(time, node.track, node.track, PathKind::Host);
    default: return push(time, PathKind::Wait, node.slice);
    }
}

void PathWalk::addEdge(Span time, const Place& place, std::uint32_t edge) {
    if (place.rank == kNoNode) return push(time, PathKind::Wait, kNoSlice);
    const RankGraph& graph = *m_input.graphs[place.rank];
    const GraphNode& node = graph.nodes[place.node];
    const std::uint32_t jobNode = m_job.nodeOf[place.rank][place.node];
    // The departure from a collective of several ranks waits for all of them instead.
    if (m_places[m_job.from[edge] / 2].rank == kNoNode) return push(time, PathKind::Communication, node.slice);
    const GraphEdge& own = graph.edgesOf(place.node)[edge - m_job.firstEdge[jobNode]];
    const GraphNode& from = graph.nodes[own.node];
    switch (own.kind) {
    case EdgeKind::Stream:
    case EdgeKind::Event: return push(time, PathKind::Wait, kNoSlice);
    case EdgeKind::Launch: return addHost(time, from.track, from.track, PathKind::Wait);
    case EdgeKind::Inside: return addInside(time, place);
    case EdgeKind::Worker:
    case EdgeKind::Queue: return addHost(time, node.track, node.track, PathKind::Host);
    case EdgeKind::Awaited: return push(time, PathKind::Host, node.slice);
    case EdgeKind::Host:
    case EdgeKind::Call: {
        const std::uint32_t track = node.slice == kNoSlice ? from.track : node.track;
        return addHost(time, track, from.slice == kNoSlice ? track : from.track, PathKind::Host);
    }
    }
}

/// A collective that no other rank here is in: what of it is transfer is in its share.
void PathWalk::addInside(Span time, const Place& place) {
    const SliceIndex slice = m_input.graphs[place.rank]->nodes[place.node].slice;
    if (place.collective == kNoNode) return push(time, PathKind::Communication, slice);
    const CollectiveShare& share = m_input.collectives.shares[place.rank][place.collective];
    const std::int64_t wait = share.isAbsent ? share.transferBegin : share.arrived;
    const std::int64_t border = std::clamp(wait - m_offset, time.begin, time.end);
    push({border, time.end}, PathKind::Communication, slice);
    push({time.begin, border}, PathKind::Wait, slice);
}

void PathWalk::addHost(Span time, std::uint32_t track, std::uint32_t other, PathKind uncovered) {
    // The host's clock is later than the device's by the skew.
    const DurationNs shift{m_offset + m_input.graphs[m_rank]->skew};
    std::vector<CausePiece> pieces;
    hostOf(m_rank).cut({TimeNs{time.begin} + shift, TimeNs{time.end} + shift}, track, other, pieces);
    std::sort(pieces.begin(), pieces.end(),
              [](const CausePiece& a, const CausePiece& b) { return b.range.begin < a.range.begin; });
    for (const CausePiece& piece : pieces) {
        const Span own{(piece.range.begin - shift).value, (piece.range.end - shift).value};
        push(own, piece.cause == Cause::Unknown ? uncovered : PathKind::Host, piece.slice);
    }
}

void PathWalk::push(Span time, PathKind kind, SliceIndex slice) {
    if (time.begin >= time.end) return;
    // Host times are those of the host's slices.
    const bool isOfHost = kind == PathKind::Host;
    const std::int64_t shift = m_offset + (isOfHost ? m_input.graphs[m_rank]->skew : 0);
    const PathPiece made{m_step, rankIndex(m_rank), slice, {time.begin + shift}, time.end - time.begin, kind};
    if (!m_pieces.empty()) {
        PathPiece& after = m_pieces.back();
        const bool isOne = after.rank == made.rank && after.kind == kind && after.slice == slice;
        if (isOne && after.begin.value == made.begin.value + made.duration) {
            after.begin = made.begin;
            after.duration += made.duration;
            return;
        }
    }
    m_pieces.push_back(made);
}

}  // namespace

std::string_view pathKindName(PathKind kind) {
    switch (kind) {
    case PathKind::Compute: return "compute";
    case PathKind::Communication: return "communication";
    case PathKind::Host: return "host";
    case PathKind::Wait: return "wait";
    }
    return {};
}

std::vector<PathPiece> criticalPaths(const CandidateInput& input, const Replay& recorded, const CancelToken& cancel) {
    std::vector<PathPiece> path;
    PathWalk walk(input, recorded, cancel);
    const std::vector<JobStep> steps = jobSteps(input.job, recorded);
    for (std::uint32_t step = 0; step < steps.size() && !cancel.cancelled(); ++step) walk.add(step, steps[step], path);
    return path;
}

}  // namespace altiscope
