#pragma once

#include "core/analysis/slices/slice_selection.h"
#include "views/timeline/rows/timeline_model.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// Tracks of one capture that the user has chosen, by their ids, so that they survive a newer store; the depths are
/// those that a box covered.
struct TrackChoice {
    struct Part {
        RankIndex rank{};
        TrackId track;
        std::uint32_t firstDepth = 0, depthCount = 0xffffffffU;
        bool operator==(const Part&) const = default;
    };
    CaptureId capture;
    std::vector<Part> parts;
    bool operator==(const TrackChoice&) const = default;
};

// Pure functions of the rows; GUI thread.

/// The tracks with slices within [top, bottom) of the rows of one source: lanes of a thread, all depths of a collapsed
/// one, everything below a collapsed group. O(rows between).
TrackChoice tracksBetween(const TimelineModel& model, std::uint32_t source, std::int64_t top, std::int64_t bottom);
/// All tracks with slices that a row shows or holds. O(tracks).
TrackChoice tracksOf(const TimelineModel& model, const TimelineRow& row);

void append(TrackChoice& choice, const TrackChoice& more);

/// From the top of the first to the bottom of the last of some tracks, in the height of the rows.
using RowSpan = std::pair<std::int64_t, std::int64_t>;
std::optional<RowSpan> joined(const std::optional<RowSpan>& a, const std::optional<RowSpan>& b);

/// Rows that chosen tracks span. O(tracks * log).
/// @param depths  Only of the chosen depths, where they are shown.
std::optional<RowSpan> spanOf(const TimelineModel& model, const TrackChoice& choice, bool depths);
/// spanOf(tracksBetween()), without looking at more than the first track with slices of each row. O(rows between).
std::optional<RowSpan> spanBetween(const TimelineModel& model, std::uint32_t source, std::int64_t top,
                                   std::int64_t bottom, bool depths);

/// Scope of a query about slices.
/// @param choice   Null: all tracks with slices that are shown or lie in a collapsed row.
/// @param range    On the axis.
/// @param depths   Whether the chosen depths count; else the whole tracks.
SliceSelection selectionOf(const TimelineModel& model, std::uint32_t source, const TrackChoice* choice,
                           std::optional<TimeRange> range, bool depths);

}  // namespace altiscope
