#include "views/timeline/track_choice.h"

#include <algorithm>

namespace altiscope {

namespace {

void addTracks(TrackChoice& choice, const CaptureStore& store, std::uint32_t rank, std::uint32_t first, std::uint32_t count) {
    const TraceStore* trace = store.ranks[rank].trace.get();
    for (std::uint32_t t = first; trace != nullptr && t < first + count; ++t) {
        if (trace->extent({t}).sliceCount > 0) choice.parts.push_back({.rank = rank, .track = trace->track({t}).id});
    }
}

void addRow(TrackChoice& choice, const TimelineModel& model, const TimelineRow& row) {
    const CaptureStore& store = *model.sources()[row.source].store;
    if (model.rankOf(row) != nullptr) {
        for (const TrackIndex track : model.tracksIn(row)) addTracks(choice, store, row.rank, track.value, 1);
        return;
    }
    for (std::uint32_t rank = 0; rank < store.ranks.size(); ++rank) {
        if (row.kind == TimelineRowKind::Host && store.ranks[rank].info.host != store.ranks[row.firstTrack].info.host) continue;
        if (const auto& trace = store.ranks[rank].trace) addTracks(choice, store, rank, 0, static_cast<std::uint32_t>(trace->tracks().size()));
    }
}

/// Whether a row shows each of its depths on a lane.
bool hasLanes(const TimelineRow& row) {
    // Depths of a merged row are none of its threads.
    return row.kind == TimelineRowKind::Thread && (row.expanded || !row.expandable) && row.merged == nullptr;
}

}  // namespace

TrackChoice tracksBetween(const TimelineModel& model, std::uint32_t source, std::int64_t top, std::int64_t bottom) {
    TrackChoice choice{.capture = model.sources()[source].capture, .parts = {}};
    if (model.rows().empty()) return choice;
    for (std::size_t r = model.rowAt(top); r < model.rows().size() && model.rows()[r].top < bottom; ++r) {
        const TimelineRow& row = model.rows()[r];
        if (row.source != source || row.top + row.height <= top || (row.kind < TimelineRowKind::Thread && row.expanded)) continue;
        const std::size_t before = choice.parts.size();
        addRow(choice, model, row);
        if (!hasLanes(row) || choice.parts.size() == before) continue;
        const auto laneAt = [&](std::int64_t y) {
            return static_cast<std::uint32_t>(std::clamp<std::int64_t>((y - row.top - model.metrics().gap / 2) / row.lane, 0, std::int64_t{row.lanes} - 1));
        };
        TrackChoice::Part& part = choice.parts.back();
        part.firstDepth = laneAt(top);
        part.depthCount = laneAt(bottom - 1) - part.firstDepth + 1;
    }
    return choice;
}

TrackChoice tracksOf(const TimelineModel& model, const TimelineRow& row) {
    TrackChoice choice{.capture = model.sources()[row.source].capture, .parts = {}};
    addRow(choice, model, row);
    return choice;
}

std::optional<std::pair<std::int64_t, std::int64_t>> heightOf(const TimelineModel& model, const TrackChoice& choice, bool depths) {
    const auto source = model.sourceOf(choice.capture);
    if (!source) return std::nullopt;
    const CaptureStore& store = *model.sources()[*source].store;
    std::optional<std::pair<std::int64_t, std::int64_t>> height;
    for (const TrackChoice::Part& part : choice.parts) {
        const TraceStore* trace = part.rank < store.ranks.size() ? store.ranks[part.rank].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        const auto place = track ? model.placeOf(*source, part.rank, *track) : std::nullopt;
        if (!place) continue;
        const TimelineRow& row = model.rows()[place->row];
        std::int64_t top = row.top, bottom = row.top + row.height;
        if (depths && !place->hidden && hasLanes(row) && part.firstDepth < row.lanes) {
            top += model.metrics().gap / 2 + std::int64_t{part.firstDepth} * row.lane;
            bottom = top + std::int64_t{std::min(part.depthCount, row.lanes - part.firstDepth)} * row.lane;
        }
        height = height ? std::pair(std::min(height->first, top), std::max(height->second, bottom)) : std::pair(top, bottom);
    }
    return height;
}

SliceSelection selectionOf(const TimelineModel& model, std::uint32_t source, const TrackChoice* choice, std::optional<TimeRange> range,
                           bool depths) {
    const TimelineSource& shown = model.sources()[source];
    if (choice == nullptr) {
        SliceSelection all = everySlice(shown.store, range);
        std::erase_if(all.ranks, [&](const SelectedRank& rank) { return !model.context().holds(shown.store->ranks[rank.rank].info); });
        for (SelectedRank& rank : all.ranks) {
            rank.shift = model.shiftOf(source, rank.rank);
            // What the filter of tracks leaves out has no place.
            std::erase_if(rank.tracks, [&](const SelectedTrack& track) { return !model.placeOf(source, rank.rank, track.track); });
        }
        std::erase_if(all.ranks, [](const SelectedRank& rank) { return rank.tracks.empty(); });
        return all;
    }
    SliceSelection selection{.capture = shown.store, .range = range, .ranks = {}};
    for (const TrackChoice::Part& part : choice->parts) {
        const TraceStore* trace = part.rank < shown.store->ranks.size() ? shown.store->ranks[part.rank].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        // What is filtered or left out is not shown, so that it does not count.
        if (!track || !model.placeOf(source, part.rank, *track)) continue;
        if (selection.ranks.empty() || selection.ranks.back().rank != part.rank)
            selection.ranks.push_back({.rank = part.rank, .shift = model.shiftOf(source, part.rank), .tracks = {}});
        SelectedTrack selected{.track = *track};
        if (depths) selected = {.track = *track, .firstDepth = part.firstDepth, .depthCount = part.depthCount};
        selection.ranks.back().tracks.push_back(selected);
    }
    return selection;
}

}  // namespace altiscope
