#include "core/analysis/clock_alignment.h"

#include "core/analysis/clock_fit.h"
#include "core/analysis/collective_groups.h"
#include "core/analysis/collective_times.h"
#include "core/analysis/device_activity.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope {

namespace {

/// What a path over one more rank costs beside its residual: shorter paths are better than those that only seem exact.
constexpr std::int64_t kStepCost = 100;
/// Behind the name of a group: its sends and receives.
constexpr char kTransfers = '\n';

/// "hcom_allReduce" of "hcom_allReduce__586_0_1": what comes behind is counted by each rank for itself.
std::string_view kindOf(std::string_view name) {
    const std::size_t at = std::min(name.find("__"), name.find('@'));
    return name.substr(0, at);
}

/// "586" of "hcom_allReduce__586_0_1", which end the hash of the group: what there is where no file tells the groups. Ranks of other
/// groups whose digits are the same do not fit.
std::string groupDigits(std::string_view name) {
    const std::size_t at = name.find("__"), end = at == std::string_view::npos ? at : name.find('_', at + 2);
    return end == std::string_view::npos ? std::string() : std::string(name.substr(at, end - at));
}

/// The collectives of one rank by group, in order of time.
using EndsByGroup = std::map<std::string, std::vector<CollectiveEnd>, std::less<>>;

/// How many bytes a collective of a rank moved, by its name, where its profiler tells it; names are counted on, so that each is one.
std::unordered_map<std::string_view, std::int64_t> sizesOf(const RankEntry& rank) {
    static constexpr auto kName = rowColumn(RowKind::Bandwidth, "op_name");
    static constexpr auto kSize = rowColumn(RowKind::Bandwidth, "size");
    std::unordered_map<std::string_view, std::int64_t> sizes;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Bandwidth);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto name = table->text(kName, row);
        const auto size = table->integer(kSize, row);
        if (name && size) sizes[rank.rows->text(*name)] += *size;
    }
    return sizes;
}

EndsByGroup endsOf(const RankEntry& rank, const GroupDirectory& directory, const CancelToken& cancel) {
    EndsByGroup groups;
    if (!hasEvents(rank)) return groups;
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups names(directory, rank.info.rankId);
    const auto sizes = sizesOf(rank);
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        const Track& track = trace.tracks()[t];
        if (!isGroupTrack(track)) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const std::string_view name = trace.name({i});
            std::string group = names.name(track.name, name);
            if (group.empty()) group = groupDigits(name);
            if (group.empty()) continue;
            if (isPeerToPeerName(name)) {
                groups[group + kTransfers].push_back({trace.end({i}).value, 0});
                continue;
            }
            const auto size = sizes.find(name);
            const std::size_t what = std::hash<std::string_view>()(kindOf(name)) * 31 +
                                     (size == sizes.end() ? 0 : std::hash<std::int64_t>()(size->second));
            groups[group].push_back({trace.end({i}).value, what});
        }
    }
    for (auto& [name, ends] : groups)
        std::sort(ends.begin(), ends.end(),
                  [](const CollectiveEnd& a, const CollectiveEnd& b) { return a.end < b.end; });
    return groups;
}

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
        if (group.ends_with(kTransfers) && list.size() != 2) continue;
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

/// The ranks that edges join, by the least rank of each part.
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

/// Lines from each rank to the reference along the paths of the least residuals.
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
    const GroupDirectory directory(capture.rows.get());
    std::vector<EndsByGroup> ends(count);
    parallelFor(count, [&](std::size_t r) { ends[r] = endsOf(capture.ranks[r], directory, cancel); });
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
