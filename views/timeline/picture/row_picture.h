#pragma once

#include "core/base/values/cancel.h"
#include "views/timeline/picture/track_geometry.h"
#include "views/timeline/rows/merged_tracks.h"
#include "views/timeline/rows/timeline_model.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// How the content of a row is drawn.
enum class PictureKind : std::uint8_t {
    Lanes,     ///< A thread: each depth on a lane of its own.
    Squeezed,  ///< A collapsed thread: all depths in one line, as thin strips.
    /// A collapsed group: lanes with names (see keyLanes) as far as it has room, and below the first depth of its most
    /// telling tracks as thin strips; of counters alone, the most telling one's plot.
    Preview,
    Plot,     ///< A counter: all series in one plot.
    Plots,    ///< A counter: a plot for each series.
    Nothing,  ///< An expanded group.
};

PictureKind pictureKindOf(const TimelineRow& row);

/// Request for one row. Values and constant data only: goes to a worker.
struct RowRequest {
    RowKey key;
    PictureKind kind = PictureKind::Nothing;
    std::shared_ptr<const SliceColours> colours;  ///< Colours of the row's trace.
    DurationNs shift;                             ///< Axis time = trace time + shift.
    std::uint32_t firstTrack = 0, trackCount = 0;
    /// Preview: these and not [firstTrack, firstTrack + trackCount), where a filter hides some or a model has them.
    std::shared_ptr<const std::vector<TrackIndex>> streams{};
    std::shared_ptr<const MergedTracks> merged{};  ///< Lanes, Squeezed: what is drawn instead of the track.
    /// Depths or series that are in sight; the others are not fetched. Preview: lanes with names, from 0.
    std::uint32_t firstLane = 0, laneCount = 0;
    bool strips = true;                          ///< Preview: there is room for strips below as many lanes.
    std::shared_ptr<const MovedTracks> moved{};  ///< Preview: tracks that are drawn later than `shift`; null: none.
};

struct PictureRequest {
    TimeRange window;           ///< On the axis; not empty.
    std::uint32_t widthPx = 0;  ///< Device pixels; > 0.
    std::vector<RowRequest> rows;
};

/// Everything that is drawn in one row for one window. Constant.
struct RowPicture {
    PictureKind kind = PictureKind::Nothing;
    TimeRange window;  ///< As requested.
    std::uint32_t widthPx = 0;
    DurationNs shift;
    std::shared_ptr<const MovedTracks> moved{};  ///< As requested.
    std::uint32_t firstLane = 0, laneCount = 0;
    std::shared_ptr<const SliceColours> colours;  ///< Keeps the trace that slices and series refer to.
    std::shared_ptr<const MergedTracks> merged;
    std::shared_ptr<const std::vector<TrackIndex>> streams;  ///< As requested.
    std::vector<TrackIndex>
        tracks;               ///< Lanes, Squeezed, Plot(s): one. Preview: of each lane and strip, or the counter.
    bool strips = true;       ///< As requested.
    std::uint32_t named = 0;  ///< Preview: the first so many of its tracks are lanes with names.
    std::vector<TrackGeometry> slices;  ///< By track.
    std::vector<CounterLine> lines;     ///< Plots: series [firstLane, firstLane + laneCount) of the track.
                                        ///< Else all; of more than 64 the last one is a band that covers the rest.
    MinMax scale;                       ///< Range of the lines' values.
    std::vector<int> instants;          ///< Columns with an instant.

    /// Whether this is what `request` requests in that window.
    bool results(const RowRequest& request, TimeRange wantedWindow, std::uint32_t wantedWidthPx) const;
};

struct PictureResult {
    TimeRange window;
    std::uint32_t widthPx = 0;
    std::vector<std::pair<RowKey, std::shared_ptr<const RowPicture>>> rows;
};

/// Fetches rows in parallel on the current worker arena. Cost: lanes in sight * widthPx * log n.
PictureResult queryPicture(const PictureRequest& request, const CancelToken& cancel);

/// Whether a row has room for strips below its lanes, if it is a collapsed group.
bool hasStrips(int height, int lane, std::uint32_t lanes, const RowMetrics& metrics);

/// At most `limit` of the tracks that show most about a group: its overlap tracks, else its streams,
/// else whatever holds most slices; in display order. Tracks without slices are never chosen. O(count log count).
std::vector<TrackIndex> previewTracks(const TraceStore& trace, std::vector<TrackIndex> tracks, std::size_t limit);
/// The counter among the tracks that shows most: one that changes, then the one with most samples, then the
/// first; nullopt if there is none. O(series).
std::optional<TrackIndex> previewCounter(const TraceStore& trace, const std::vector<TrackIndex>& tracks);

}  // namespace altiscope
