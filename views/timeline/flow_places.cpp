#include "views/timeline/flow_places.h"

#include "views/common/time_axis.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

/// More lines than this nobody can follow, and they take a frame to draw.
constexpr std::size_t kMostLines = 2500;
constexpr std::uint32_t kAboveRanks = 0xffffffffU;

std::int32_t middleOf(const TimelineRow& row) { return static_cast<std::int32_t>(row.top + row.height / 2); }

/// The row of the group that a track which is left out belongs to.
std::optional<std::int32_t> heightOfGroup(const TimelineModel& model, std::uint32_t source, std::uint32_t rank, TrackIndex track) {
    std::optional<std::int32_t> height;
    for (const TimelineRow& row : model.rows()) {
        if (row.source != source || row.rank != rank) continue;
        const bool isProcess = row.kind == TimelineRowKind::Process && row.firstTrack <= track.value && track.value < row.firstTrack + row.trackCount;
        if (row.kind == TimelineRowKind::Rank || isProcess) height = middleOf(row);
        if (isProcess) break;
    }
    return height;
}

/// Ranks with a row in sight, by source.
std::set<std::pair<std::uint32_t, std::uint32_t>> ranksInSight(const TimelineScene& scene) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> ranks;
    const auto& rows = scene.model().rows();
    if (rows.empty()) return ranks;
    for (std::size_t row = scene.model().rowAt(scene.scrollTop()); row < rows.size() && rows[row].top < scene.scrollTop() + scene.viewportHeight(); ++row) {
        if (rows[row].rank != kAboveRanks) ranks.emplace(rows[row].source, rows[row].rank);
    }
    return ranks;
}

}  // namespace

std::optional<std::int32_t> heightOfDepth(const TimelineModel& model, std::uint32_t source, std::uint32_t rank, TrackIndex track, std::uint32_t depth) {
    const auto at = model.placeOf(source, rank, track);
    if (!at) return heightOfGroup(model, source, rank, track);
    const TimelineRow& row = model.rows()[at->row];
    if (at->hidden) return middleOf(row);
    const RowMetrics& metrics = model.metrics();
    if (row.expandable && !row.expanded) {
        const std::int64_t lanes = std::max(row.lanes, 1U), lane = std::min<std::int64_t>(depth, lanes - 1);
        return static_cast<std::int32_t>(row.top + metrics.gap / 2 + (2 * lane + 1) * (row.height - metrics.gap) / (2 * lanes));
    }
    return static_cast<std::int32_t>(row.top + metrics.gap / 2 + static_cast<std::int64_t>(depth) * metrics.lane + metrics.lane / 2);
}

FlowsInSight flowsInSight(const TimelineScene& scene, const FlowIndexes& indexes, const std::set<std::string>& chosen, int widthPx) {
    FlowsInSight flows{.request = {.widthPx = widthPx, .most = kMostLines, .parts = {}}, .categories = {chosen.begin(), chosen.end()}};
    const TimelineModel& model = scene.model();
    const std::int64_t top = scene.scrollTop(), bottom = top + scene.viewportHeight();
    for (const auto& [source, rank] : ranksInSight(scene)) {
        const auto& trace = model.sources()[source].store->ranks[rank].trace;
        const auto known = trace == nullptr ? indexes.end() : indexes.find(trace.get());
        if (known == indexes.end() || known->second == nullptr) continue;
        const TimeRange window = shifted(scene.window().range(), {-model.shiftOf(source, rank).value});
        // Held at the end of representable time by its shift: nothing of this rank can be in sight.
        if (window.length() != scene.window().range().length()) continue;
        std::map<std::uint32_t, std::optional<std::int32_t>> heights;  // by run
        const auto heightOf = [&, of = trace.get(), inSource = source, ofRank = rank](std::uint32_t run) {
            const auto [place, isNew] = heights.try_emplace(run);
            if (isNew) place->second = heightOfDepth(model, inSource, ofRank, {of->runs()[run].track}, of->runs()[run].depth);
            return place->second;
        };
        const FlowIndex& index = *known->second;
        std::map<std::uint32_t, std::uint32_t> numbers;  // of categories, by their text in this trace
        for (const FlowCategory& category : index.categories()) {
            const auto at = chosen.find(std::string(trace->text(category.name)));
            if (at != chosen.end()) numbers[category.name.value] = static_cast<std::uint32_t>(std::distance(chosen.begin(), at));
        }
        for (std::uint32_t lane = 0; lane < index.lanes().size(); ++lane) {
            const FlowLane& of = index.lanes()[lane];
            const auto number = numbers.find(of.category.value);
            if (number == numbers.end()) continue;
            const auto from = heightOf(of.fromRun), to = heightOf(of.toRun);
            if (!from || !to || std::max(*from, *to) < top || std::min(*from, *to) >= bottom) continue;
            flows.request.parts.push_back({known->second, lane, window, number->second, *from, *to});
        }
    }
    return flows;
}

}  // namespace altiscope
