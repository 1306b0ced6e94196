#include "core/analysis/account/gap_causes.h"

#include <algorithm>
#include <array>
#include <map>

namespace altiscope {

namespace {

/// More than this in one gap is no chain of calls but a fault of the trace.
constexpr std::size_t kLongestChain = 1'000'000;

}  // namespace

GapCauses::GapCauses(const RankGraph& graph, const HostCover& host) : m_graph(graph), m_host(host) {
    for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
        const NodeKind kind = graph.nodes[i].kind;
        if (kind == NodeKind::Kernel || kind == NodeKind::Copy || kind == NodeKind::Arrival)
            m_starts.emplace_back(graph.nodes[i].start, i);
    }
    std::sort(m_starts.begin(), m_starts.end());
}

void GapCauses::addHost(TimeRange time, std::uint32_t track, std::uint32_t other) {
    const DurationNs skew{m_graph.skew};
    const std::size_t first = m_pieces.size();
    m_host.cut({time.begin + skew, time.end + skew}, track, other, m_pieces);
    for (std::size_t i = first; i < m_pieces.size(); ++i)
        m_pieces[i].range = {m_pieces[i].range.begin - skew, m_pieces[i].range.end - skew};
}

void GapCauses::addDevice(TimeRange time, std::int64_t typical, const GraphNode& node) {
    if (node.kind == NodeKind::Copy) {
        m_pieces.push_back({Cause::Copy, time, node.slice});
        return;
    }
    // The device's own time is what comes last.
    const TimeNs border = std::max(time.begin, time.end - DurationNs{typical});
    if (time.begin < border) m_pieces.push_back({Cause::Unknown, {time.begin, border}, kNoSlice});
    if (border < time.end) m_pieces.push_back({Cause::Turnaround, {border, time.end}, kNoSlice});
}

void GapCauses::addLag(TimeRange time, const GraphNode& node, const GraphEdge& edge) {
    const GraphNode& call = m_graph.nodes[edge.node];
    const std::size_t first = m_pieces.size();
    addHost(time, call.track, call.track);
    // What the call did not cover is the device's.
    std::vector<CausePiece> uncovered;
    for (std::size_t i = first; i < m_pieces.size(); ++i) {
        if (m_pieces[i].cause == Cause::Unknown) uncovered.push_back(m_pieces[i]);
    }
    m_pieces.erase(std::remove_if(m_pieces.begin() + static_cast<std::ptrdiff_t>(first), m_pieces.end(),
                                  [](const CausePiece& piece) { return piece.cause == Cause::Unknown; }),
                   m_pieces.end());
    for (const CausePiece& piece : uncovered) addDevice(piece.range, m_graph.typicalLag, node);
}

void GapCauses::addDuration(TimeRange time, const GraphNode& node) {
    if (node.kind == NodeKind::Dequeue) addHost(time, node.track, node.track);
    else if (node.kind == NodeKind::Record || node.kind == NodeKind::EventWait)
        m_pieces.push_back({Cause::Turnaround, time, kNoSlice});
    else m_pieces.push_back({Cause::Unknown, time, kNoSlice});
}

void GapCauses::addEdge(TimeRange time, const GraphNode& node, const GraphEdge& edge) {
    const GraphNode& from = m_graph.nodes[edge.node];
    switch (edge.kind) {
    case EdgeKind::Stream:
    case EdgeKind::Event: addDevice(time, m_graph.typicalGap, node); break;
    case EdgeKind::Launch: addLag(time, node, edge); break;
    case EdgeKind::Awaited: m_pieces.push_back({Cause::Synchronize, time, node.slice}); break;
    case EdgeKind::Worker:
    case EdgeKind::Queue: addHost(time, node.track, node.track); break;
    case EdgeKind::Host:
    case EdgeKind::Call: {
        const std::uint32_t own = node.slice == kNoSlice ? from.track : node.track;
        addHost(time, own, from.slice == kNoSlice ? own : from.track);
        break;
    }
    case EdgeKind::Inside: m_pieces.push_back({Cause::Unknown, time, kNoSlice}); break;
    }
}

void GapCauses::walk(TimeRange gap, std::uint32_t start) {
    TimeNs cursor = gap.end;
    bool fromStart = true;
    std::uint32_t at = start;
    for (std::size_t count = 0; cursor > gap.begin && count < kLongestChain; ++count) {
        const GraphNode& node = m_graph.nodes[at];
        const auto upTo = [&](std::int64_t time) {
            const TimeNs from = std::max(gap.begin, std::min(cursor, TimeNs{time}));
            const TimeRange part{from, cursor};
            cursor = from;
            return part;
        };
        if (!fromStart) {
            const TimeRange part = upTo(node.start);
            if (!part.empty()) addDuration(part, node);
        }
        if (node.edgeCount == 0) break;
        const GraphEdge& edge = m_graph.edgesOf(at)[node.binding];
        const GraphNode& from = m_graph.nodes[edge.node];
        const TimeRange part = upTo(edge.fromStart ? from.start : from.end);
        if (!part.empty()) addEdge(part, node, edge);
        at = edge.node;
        fromStart = edge.fromStart;
    }
    if (cursor > gap.begin) m_pieces.push_back({Cause::Unknown, {gap.begin, cursor}, kNoSlice});
}

const std::vector<CausePiece>& GapCauses::cut(TimeRange gap, std::uint32_t border) {
    m_pieces.clear();
    m_next = kNoNode;
    const auto at = std::lower_bound(m_starts.begin(), m_starts.end(), std::pair(gap.end.value, std::uint32_t{0}));
    if (at != m_starts.end() && at->first == gap.end.value) m_next = at->second;
    const std::uint32_t start = m_next != kNoNode ? m_next : border;
    if (start != kNoNode) walk(gap, start);
    else m_pieces.push_back({Cause::Unknown, gap, kNoSlice});
    return m_pieces;
}

GapFacts factsOf(const TraceStore& trace, TimeRange range, const std::vector<CausePiece>& pieces) {
    GapFacts facts;
    facts.range = range;
    std::array<std::int64_t, kCauseCount> byCause{};
    for (const CausePiece& piece : pieces) byCause[static_cast<std::size_t>(piece.cause)] += piece.range.length().value;
    std::size_t largest = static_cast<std::size_t>(Cause::Unknown);
    for (std::size_t c = 0; c < kCauseCount; ++c) {
        if (c != static_cast<std::size_t>(Cause::Unknown) && byCause[c] > 0 &&
            (largest == static_cast<std::size_t>(Cause::Unknown) || byCause[c] > byCause[largest]))
            largest = c;
    }
    const std::int64_t length = range.length().value;
    if (largest == static_cast<std::size_t>(Cause::Unknown) || length <= 0) return facts;
    facts.coverage = static_cast<double>(byCause[largest]) / static_cast<double>(length);
    if (facts.coverage < kNamedShare) return facts;
    facts.cause = static_cast<Cause>(largest);
    // The innermost slice around more than half of it, else the one that has most of it by itself.
    std::map<std::uint32_t, std::int64_t> around;
    SliceIndex longest = kNoSlice;
    std::int64_t longestTime = 0;
    for (const CausePiece& piece : pieces) {
        if (piece.cause != facts.cause || piece.slice == kNoSlice) continue;
        for (SliceIndex slice = piece.slice; slice != kNoSlice; slice = trace.parent(slice))
            around[slice.value] += piece.range.length().value;
        if (around[piece.slice.value] > longestTime) {
            longestTime = around[piece.slice.value];
            longest = piece.slice;
        }
    }
    SliceIndex named = longest;
    std::int64_t shortest = 0;
    for (const auto& [slice, time] : around) {
        if (2 * time <= byCause[largest]) continue;
        if (trace.name({slice}).starts_with("ProfilerStep#")) continue;
        const std::int64_t own = trace.duration({slice}).value;
        if (shortest != 0 && own >= shortest) continue;
        shortest = own;
        named = {slice};
    }
    if (named == kNoSlice) return facts;
    facts.slice = trace.id(named);
    facts.name = trace.name(named);
    const Track& track = trace.track({trace.runOf(named).track});
    if (track.kind != TrackKind::Hardware) facts.thread = track.thread;
    return facts;
}

}  // namespace altiscope
