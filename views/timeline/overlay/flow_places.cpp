#include "views/timeline/overlay/flow_places.h"

#include "views/common/plots/time_axis.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

/// More lines than this nobody can follow, and they take a frame to draw.
constexpr std::size_t kMaxLines = 2500;

/// Where an end is on the canvas, and whether it is above (-1) or below (1) the part of it in which its row can be
/// seen.
struct EndHeight {
    std::int32_t y = 0;
    int side = 0;
};

/// Finds the heights of ends for one request.
class EndHeights {
public:
    explicit EndHeights(const TimelineScene& scene) : m_scene(scene), m_model(scene.model()) {}

    /// nullopt if nothing of the rank is shown.
    std::optional<EndHeight> of(std::uint32_t source, RankIndex rank, TrackIndex track, std::uint32_t depth);

private:
    EndHeight at(const TimelineRow& row, std::int64_t height) const;
    EndHeight middleOf(const TimelineRow& row) const { return at(row, row.top + row.height / 2); }
    std::optional<EndHeight> groupOf(std::uint32_t source, RankIndex rank, TrackIndex track);

    const TimelineScene& m_scene;
    const TimelineModel& m_model;
    /// Rows of ranks and processes; looked up only if a track is excluded.
    std::optional<std::map<std::pair<std::uint32_t, RankIndex>, std::vector<const TimelineRow*>>> m_groups;
};

EndHeight EndHeights::at(const TimelineRow& row, std::int64_t height) const {
    const auto [first, after] = m_scene.viewport().partOf(row);
    std::int64_t y = m_scene.viewport().yOf(row, height);
    const int side = y < first ? -1 : y >= after ? 1 : 0;
    // Beyond the canvas lines go on; below other rows they end.
    if (first > 0) y = std::max<std::int64_t>(y, first);
    if (row.pinned) y = std::clamp<std::int64_t>(y, first, after);
    return {static_cast<std::int32_t>(y), side};
}

std::optional<EndHeight> EndHeights::groupOf(std::uint32_t source, RankIndex rank, TrackIndex track) {
    if (!m_groups) {
        m_groups.emplace();
        for (const TimelineRow& row : m_model.rows()) {
            if (row.kind == TimelineRowKind::Rank || (row.kind == TimelineRowKind::Process && !row.memory))
                (*m_groups)[{row.source, row.rank}].push_back(&row);
        }
    }
    const TimelineRow* group = nullptr;
    for (const TimelineRow* row : (*m_groups)[{source, rank}]) {
        if (row->kind == TimelineRowKind::Rank ||
            (row->firstTrack <= track.value && track.value < row->firstTrack + row->trackCount)) {
            if (group == nullptr || group->kind == TimelineRowKind::Rank) group = row;
        }
    }
    return group == nullptr ? std::nullopt : std::optional(middleOf(*group));
}

std::optional<EndHeight> EndHeights::of(std::uint32_t source, RankIndex rank, TrackIndex track, std::uint32_t depth) {
    const auto place = m_model.placeOf(source, rank, track);
    if (!place) return groupOf(source, rank, track);
    const TimelineRow& row = m_model.rows()[place->row];
    if (place->hidden || row.merged != nullptr) return middleOf(row);
    const int gap = m_model.metrics().gap;
    if (row.expandable && !row.expanded) {
        const std::uint32_t shown = std::min(depth, std::max(row.lanes, 1U) - 1);
        const auto yOf = [&](std::uint32_t strip) {
            return stripBegin(row, row.height - gap, m_model.metrics().lane, strip);
        };
        return at(row, row.top + gap / 2 + (yOf(shown) + yOf(shown + 1)) / 2);
    }
    return at(row, row.top + gap / 2 + static_cast<std::int64_t>(depth) * row.lane + row.lane / 2);
}

/// Ranks with a row in sight, by source.
std::set<std::pair<std::uint32_t, RankIndex>> ranksInSight(const TimelineScene& scene) {
    std::set<std::pair<std::uint32_t, RankIndex>> ranks;
    const auto& rows = scene.model().rows();
    for (const std::size_t row : scene.viewport().rowsInSight(scene.viewport().height())) {
        if (rows[row].rank != kNoRank) ranks.emplace(rows[row].source, rows[row].rank);
    }
    return ranks;
}

}  // namespace

FlowsInSight flowsInSight(const TimelineScene& scene, const FlowIndexes& indexes, const std::set<std::string>& chosen,
                          int widthPx, std::optional<TimeRange> only) {
    FlowsInSight flows{.request = {.widthPx = widthPx, .most = kMaxLines, .parts = {}},
                       .categories = {chosen.begin(), chosen.end()}};
    const TimelineModel& model = scene.model();
    EndHeights ends(scene);
    for (const auto& [source, rank] : ranksInSight(scene)) {
        const auto& trace = model.sources()[source].store->ranks[rank.value].trace;
        const auto known = trace == nullptr ? indexes.end() : indexes.find(trace.get());
        if (known == indexes.end() || known->second == nullptr) continue;
        const TimeRange window = shifted(scene.window().range(), {-model.sources().shiftOf(source, rank).value});
        // Held at the end of representable time by its shift: nothing of this rank can be in sight.
        if (window.length() != scene.window().range().length()) continue;
        const auto selected =
            only ? std::optional(shifted(*only, {-model.sources().shiftOf(source, rank).value})) : std::nullopt;
        std::map<std::uint32_t, std::optional<EndHeight>> heights;  // by run
        const auto heightOf = [&, of = trace.get(), inSource = source, ofRank = rank](std::uint32_t run) {
            const auto [place, isNew] = heights.try_emplace(run);
            if (isNew) place->second = ends.of(inSource, ofRank, {of->runs()[run].track}, of->runs()[run].depth);
            return place->second;
        };
        const FlowIndex& index = *known->second;
        std::map<std::uint32_t, std::uint32_t> numbers;  // of categories, by their text in this trace
        for (const FlowCategory& category : index.categories()) {
            const auto at = chosen.find(std::string(trace->text(category.name)));
            if (at != chosen.end())
                numbers[category.name.value] = static_cast<std::uint32_t>(std::distance(chosen.begin(), at));
        }
        for (std::uint32_t lane = 0; lane < index.lanes().size(); ++lane) {
            const FlowLane& of = index.lanes()[lane];
            const auto number = numbers.find(of.category.value);
            if (number == numbers.end()) continue;
            const auto laterOf = [&, of = trace.get(), inSource = source, ofRank = rank](std::uint32_t run) {
                return model.sources().shiftOf(inSource, ofRank, {of->runs()[run].track}).value -
                       model.sources().shiftOf(inSource, ofRank).value;
            };
            const std::int64_t later = laterOf(of.fromRun), toLater = laterOf(of.toRun) - later;
            const auto from = heightOf(of.fromRun), to = heightOf(of.toRun);
            if (!from || !to || (from->side != 0 && from->side == to->side)) continue;
            flows.request.parts.push_back({known->second, lane, shifted(window, {-later}), number->second, from->y,
                                           to->y, selected ? std::optional(shifted(*selected, {-later})) : std::nullopt,
                                           toLater});
        }
    }
    return flows;
}

}  // namespace altiscope
