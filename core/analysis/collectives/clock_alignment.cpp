#include "core/analysis/collectives/clock_alignment.h"

#include "core/analysis/collectives/clock_fit.h"
#include "core/analysis/collectives/collective_ends.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <string_view>

namespace altiscope {

namespace {

/// What a path over one more rank costs beside its residual: shorter paths are better than those that only seem exact.
constexpr std::int64_t kStepCost = 100;

/// Two ranks whose clocks can be compared; the line leads from `from` to `to`.
struct Edge {
    std::uint32_t from = 0, to = 0;
    const std::vector<CollectiveEnd>* fromEnds = nullptr;
    const std::vector<CollectiveEnd>* toEnds = nullptr;
    std::optional<ClockLine> line;
};

/// In each group all ranks are compared with the one that has most to compare.
std::vector<Edge> edgesOf(const std::vector<EndsByGroup>& ranks) {
    std::map<std::string_view, std::vector<std::uint32_t>> members;
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        for (const auto& [group, ends] : ranks[r]) members[group].push_back(r);
    }
    std::vector<Edge> edges;
    for (const auto& [group, list] : members) {
        if (isTransferGroup(group) && list.size() != 2) continue;
        const auto endsIn = [&, name = group](std::uint32_t r) { return &ranks[r].find(name)->second; };
        const std::uint32_t centre = *std::max_element(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
            return endsIn(a)->size() < endsIn(b)->size();
        });
        for (const std::uint32_t r : list) {
            if (r != centre) edges.push_back({r, centre, endsIn(r), endsIn(centre), std::nullopt});
        }
    }
    return edges;
}

/// The ranks that edges join, by the smallest rank of each part.
std::vector<std::uint32_t> partsOf(std::size_t ranks, const std::vector<Edge>& edges) {
    std::vector<std::uint32_t> part(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) part[r] = r;
    const auto root = [&](std::uint32_t r) {
        while (part[r] != r) r = part[r] = part[part[r]];
        return r;
    };
    for (const Edge& edge : edges) {
        if (!edge.line) continue;
        const std::uint32_t a = root(edge.from), b = root(edge.to);
        part[std::max(a, b)] = std::min(a, b);
    }
    for (std::uint32_t r = 0; r < ranks; ++r) part[r] = root(r);
    return part;
}

std::uint32_t referenceOf(const std::vector<std::uint32_t>& parts) {
    std::map<std::uint32_t, std::size_t> sizes;
    for (const std::uint32_t part : parts) ++sizes[part];
    std::uint32_t best = 0;
    std::size_t most = 0;
    for (const auto& [part, size] : sizes) {
        if (size > most) best = part, most = size;
    }
    return best;
}

/// Lines from each rank to the reference along the paths of the smallest residuals.
std::vector<std::optional<ClockLine>> linesTo(std::uint32_t reference, std::size_t ranks,
                                              const std::vector<Edge>& edges) {
    std::vector<std::optional<ClockLine>> lines(ranks);
    std::vector<std::int64_t> cost(ranks, std::numeric_limits<std::int64_t>::max());
    std::vector<std::vector<const Edge*>> at(ranks);
    for (const Edge& edge : edges) {
        if (!edge.line) continue;
        at[edge.from].push_back(&edge);
        at[edge.to].push_back(&edge);
    }
    std::multimap<std::int64_t, std::uint32_t> next{{0, reference}};
    lines[reference] = ClockLine{};
    cost[reference] = 0;
    while (!next.empty()) {
        const auto [sofar, rank] = *next.begin();
        next.erase(next.begin());
        if (sofar > cost[rank]) continue;
        for (const Edge* edge : at[rank]) {
            const std::uint32_t far = edge->from == rank ? edge->to : edge->from;
            const std::int64_t total = sofar + edge->line->residual + kStepCost;
            if (total >= cost[far]) continue;
            cost[far] = total;
            // The edge's line leads to its centre; towards the reference may be the other way.
            const ClockLine step = edge->from == far ? *edge->line : edge->line->inverse();
            lines[far] = step.then(*lines[rank]);
            next.emplace(total, far);
        }
    }
    return lines;
}

}  // namespace

TimeNs RankClock::aligned(TimeNs own) const {
    return {ClockLine{.base = middle.value, .offset = offset, .driftPpb = driftPpb, .residual = 0, .pairs = 0}.at(
        own.value)};
}

std::optional<ClockAlignment> alignClocks(const CaptureStore& capture, const CancelToken& cancel) {
    const std::size_t count = capture.ranks.size();
    const CaptureGroups directory(capture.rows.get());
    std::vector<EndsByGroup> ends(count);
    parallelFor(count, [&](std::size_t r) { ends[r] = collectiveEnds(capture.ranks[r], directory, cancel); });
    std::vector<Edge> edges = edgesOf(ends);
    parallelFor(edges.size(), [&](std::size_t e) {
        if (!cancel.cancelled()) edges[e].line = fitClocks(*edges[e].fromEnds, *edges[e].toEnds);
    });
    if (cancel.cancelled()) return std::nullopt;

    ClockAlignment alignment;
    alignment.ranks.resize(count);
    if (count == 0) return alignment;
    const std::uint32_t reference = referenceOf(partsOf(count, edges));
    const std::vector<std::optional<ClockLine>> lines = linesTo(reference, count, edges);
    const bool any = std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.line.has_value(); });
    for (std::uint32_t r = 0; r < count; ++r) {
        RankClock& clock = alignment.ranks[r];
        if (capture.ranks[r].trace == nullptr || ends[r].empty()) continue;
        clock.state = RankClock::State::NoCommonGroup;
        if (!any || !lines[r]) continue;
        const TimeRange range = capture.ranks[r].trace->homeRange();
        clock.middle = range.begin + DurationNs{range.length().value / 2};
        const ClockLine line = lines[r]->withBase(clock.middle.value);
        clock.state = r == reference ? RankClock::State::Reference : RankClock::State::Aligned;
        clock.offset = line.offset;
        clock.driftPpb = line.driftPpb;
        clock.residual = line.residual;
        clock.offsetResidual = line.residual + std::abs(line.at(range.end.value) - range.end.value - line.offset);
        clock.pairs = line.pairs;
    }
    return alignment;
}

}  // namespace altiscope
