#include "views/timeline/rows/track_choice.h"

#include <algorithm>

namespace altiscope {

namespace {

/// All tracks with slices of a row, until `visit` returns false.
template <class Visit>
void visitTracks(const TimelineModel& model, const TimelineRow& row, Visit visit) {
    const CaptureStore& store = *model.sources()[row.source].store;
    const auto visitRange = [&](RankIndex rank, std::uint32_t first, std::uint32_t count) {
        const TraceStore* trace = store.ranks[rank.value].trace.get();
        for (std::uint32_t t = first; trace != nullptr && t < first + count; ++t) {
            if (trace->extent({t}).sliceCount > 0 && !visit(rank, *trace, TrackIndex{t})) return false;
        }
        return true;
    };
    if (row.merged != nullptr || row.streams != nullptr) {
        for (const TrackIndex track : tracksIn(row)) {
            if (!visitRange(row.rank, track.value, 1)) return;
        }
    } else if (model.sources().rankOf(row) != nullptr) {
        if (!row.memory) visitRange(row.rank, row.firstTrack, row.trackCount);
    } else {
        for (RankIndex rank; rank.value < store.ranks.size(); ++rank.value) {
            if (row.kind == TimelineRowKind::Host &&
                store.ranks[rank.value].info.host != store.ranks[row.firstTrack].info.host)
                continue;
            const TraceStore* trace = store.ranks[rank.value].trace.get();
            if (trace != nullptr && !visitRange(rank, 0, static_cast<std::uint32_t>(trace->tracks().size()))) return;
        }
    }
}

void addRow(TrackChoice& choice, const TimelineModel& model, const TimelineRow& row) {
    visitTracks(model, row, [&](RankIndex rank, const TraceStore& trace, TrackIndex track) {
        choice.parts.push_back({.rank = rank, .track = trace.track(track).id});
        return true;
    });
}

bool showsSlices(const TimelineModel& model, const TimelineRow& row) {
    bool any = false;
    visitTracks(model, row, [&](RankIndex rank, const TraceStore&, TrackIndex track) {
        return !(any = model.placeOf(row.source, rank, track).has_value());
    });
    return any;
}

/// Whether a row shows each of its depths on a lane.
bool hasLanes(const TimelineRow& row) {
    // Depths of a merged row are none of its threads.
    return row.kind == TimelineRowKind::Thread && (row.expanded || !row.expandable) && row.merged == nullptr;
}

/// The lane of a row with lanes that holds a height; the nearest one.
std::uint32_t laneAt(const TimelineModel& model, const TimelineRow& row, std::int64_t y) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((y - row.top - model.metrics().gap / 2) / row.lane, 0, std::int64_t{row.lanes} - 1));
}

RowSpan lanesOf(const TimelineModel& model, const TimelineRow& row, std::uint32_t first, std::uint32_t count) {
    const std::int64_t top = row.top + model.metrics().gap / 2 + std::int64_t{first} * row.lane;
    return {top, top + std::int64_t{std::min(count, row.lanes - first)} * row.lane};
}

/// Rows of a source within [top, bottom), but groups whose rows are shown.
template <class Visit>
void visitRows(const TimelineModel& model, std::uint32_t source, std::int64_t top, std::int64_t bottom, Visit visit) {
    if (model.rows().empty()) return;
    for (std::size_t r = model.layout().rowAt(top); r < model.rows().size() && model.rows()[r].top < bottom; ++r) {
        const TimelineRow& row = model.rows()[r];
        if (row.source != source || row.top + row.height <= top || (row.kind < TimelineRowKind::Thread && row.expanded))
            continue;
        visit(row);
    }
}

}  // namespace

TrackChoice tracksBetween(const TimelineModel& model, std::uint32_t source, std::int64_t top, std::int64_t bottom) {
    TrackChoice choice{.capture = model.sources()[source].capture, .parts = {}};
    visitRows(model, source, top, bottom, [&](const TimelineRow& row) {
        const std::size_t before = choice.parts.size();
        addRow(choice, model, row);
        if (!hasLanes(row) || choice.parts.size() == before) return;
        TrackChoice::Part& part = choice.parts.back();
        part.firstDepth = laneAt(model, row, top);
        part.depthCount = laneAt(model, row, bottom - 1) - part.firstDepth + 1;
    });
    return choice;
}

TrackChoice tracksOf(const TimelineModel& model, const TimelineRow& row) {
    TrackChoice choice{.capture = model.sources()[row.source].capture, .parts = {}};
    addRow(choice, model, row);
    return choice;
}

void append(TrackChoice& choice, const TrackChoice& more) {
    choice.parts.insert(choice.parts.end(), more.parts.begin(), more.parts.end());
}

std::optional<RowSpan> joined(const std::optional<RowSpan>& a, const std::optional<RowSpan>& b) {
    if (!a || !b) return a ? a : b;
    return RowSpan{std::min(a->first, b->first), std::max(a->second, b->second)};
}

std::optional<RowSpan> spanOf(const TimelineModel& model, const TrackChoice& choice, bool depths) {
    const auto source = model.sources().sourceOf(choice.capture);
    if (!source) return std::nullopt;
    const CaptureStore& store = *model.sources()[*source].store;
    std::optional<RowSpan> span;
    for (const TrackChoice::Part& part : choice.parts) {
        const TraceStore* trace =
            part.rank.value < store.ranks.size() ? store.ranks[part.rank.value].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        const auto place = track ? model.placeOf(*source, part.rank, *track) : std::nullopt;
        if (!place) continue;
        const TimelineRow& row = model.rows()[place->row];
        const bool inLanes = depths && !place->hidden && hasLanes(row) && part.firstDepth < row.lanes;
        span = joined(span, inLanes ? lanesOf(model, row, part.firstDepth, part.depthCount)
                                    : RowSpan{row.top, row.top + row.height});
    }
    return span;
}

std::optional<RowSpan> spanBetween(const TimelineModel& model, std::uint32_t source, std::int64_t top,
                                   std::int64_t bottom, bool depths) {
    std::optional<RowSpan> span;
    visitRows(model, source, top, bottom, [&](const TimelineRow& row) {
        if (!showsSlices(model, row)) return;
        const std::uint32_t first = hasLanes(row) ? laneAt(model, row, top) : 0;
        const bool inLanes = depths && hasLanes(row);
        span = joined(span, inLanes ? lanesOf(model, row, first, laneAt(model, row, bottom - 1) - first + 1)
                                    : RowSpan{row.top, row.top + row.height});
    });
    return span;
}

namespace {

DurationNs laterOf(const TimelineModel& model, std::uint32_t source, RankIndex rank, TrackIndex track) {
    return {model.sources().shiftOf(source, rank, track).value - model.sources().shiftOf(source, rank).value};
}

}  // namespace

SliceSelection selectionOf(const TimelineModel& model, std::uint32_t source, const TrackChoice* choice,
                           std::optional<TimeRange> range, bool depths) {
    const TimelineSource& shown = model.sources()[source];
    if (choice == nullptr) {
        SliceSelection all = everySlice(shown.store, range);
        std::erase_if(all.ranks, [&](const SelectedRank& rank) {
            return !model.context().holds(shown.store->ranks[rank.rank.value].info);
        });
        for (SelectedRank& rank : all.ranks) {
            rank.shift = model.sources().shiftOf(source, rank.rank);
            // A track that the filter excludes has no row.
            std::erase_if(rank.tracks,
                          [&](const SelectedTrack& track) { return !model.placeOf(source, rank.rank, track.track); });
            for (SelectedTrack& track : rank.tracks) track.later = laterOf(model, source, rank.rank, track.track);
        }
        std::erase_if(all.ranks, [](const SelectedRank& rank) { return rank.tracks.empty(); });
        return all;
    }
    SliceSelection selection{.capture = shown.store, .range = range, .ranks = {}};
    for (const TrackChoice::Part& part : choice->parts) {
        const TraceStore* trace =
            part.rank.value < shown.store->ranks.size() ? shown.store->ranks[part.rank.value].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        // Filtered and excluded tracks are not shown, so that they do not count.
        if (!track || !model.placeOf(source, part.rank, *track)) continue;
        if (selection.ranks.empty() || selection.ranks.back().rank != part.rank)
            selection.ranks.push_back(
                {.rank = part.rank, .shift = model.sources().shiftOf(source, part.rank), .tracks = {}});
        SelectedTrack selected{.track = *track};
        if (depths) selected = {.track = *track, .firstDepth = part.firstDepth, .depthCount = part.depthCount};
        selected.later = laterOf(model, source, part.rank, *track);
        selection.ranks.back().tracks.push_back(selected);
    }
    return selection;
}

}  // namespace altiscope
