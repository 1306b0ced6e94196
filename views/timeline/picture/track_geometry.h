#pragma once

#include "core/analysis/slices/track_window.h"
#include "views/timeline/scene/slice_colours.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// One filled rectangle of a lane: device pixel columns [left, right) of the canvas, at least one wide, within its
/// width.
struct LaneRect {
    int left = 0, right = 0;
    SliceIndex slice{};       ///< The slice, or the longest one of a run of slices that share the pixel.
    std::uint32_t count = 1;  ///< How many slices it stands for.
    ColourIndex colour = 0;
};

/// Geometry of one track: rectangles by lane, then by time. Heights are the painter's matter. Constant.
struct TrackGeometry {
    std::uint32_t firstDepth = 0;           ///< Depth of lane 0.
    std::vector<std::uint32_t> laneBegins;  ///< One more than there are lanes.
    std::vector<LaneRect> rects;

    std::size_t laneCount() const { return laneBegins.empty() ? 0 : laneBegins.size() - 1; }
    std::span<const LaneRect> lane(std::size_t i) const {
        return std::span(rects).subspan(laneBegins[i], laneBegins[i + 1] - laneBegins[i]);
    }
};

/// Rectangles of the window that `query` requested. A slice covers every column that it touches, and the one that
/// it begins in if it has no length; where two share a column, the later one is on top.
/// @param stretch  Each column of the query is this many device pixels wide; 1 for full resolution.
/// @note Pure; any thread; O(items).
TrackGeometry layOutTrack(const TrackWindow& window, const WindowQuery& query, const SliceColours& colours,
                          int stretch = 1);
/// Likewise of a window that was merged from several tracks, with as many depths.
TrackGeometry layOutMerged(const TrackWindow& window, const WindowQuery& query, const SliceColours& colours,
                           std::uint32_t depths);

/// The rectangle of a lane that holds column `x`; with `reach` > 0 the nearest one within that many pixels. Null if
/// none. O(log rects).
const LaneRect* rectAt(std::span<const LaneRect> lane, int x, int reach = 0);

/// One pixel column of a counter line: values as parts of the plot's height, 0 at the bottom, 1 at the top.
struct CounterPoint {
    float low = 0,
          high = 0;   ///< Range that the line covers: the values in this column and the step that leads to them.
    float level = 0;  ///< The value at the column's end: the area below the line is filled up to here.
};

/// One counter line. Constant.
struct CounterLine {
    std::uint32_t series = 0;          ///< In TraceStore::series().
    int firstColumn = 0;               ///< Column of points[0]; nothing is drawn left of it.
    std::vector<CounterPoint> points;  ///< One for each device pixel column up to the right edge.
    ColourIndex colour = 0;
};

/// Lines of the series of a window on one scale, which contains 0 and every value of the track.
/// @param hue  Colour of the track's first series; the others take the hues that follow.
/// @note Pure; any thread; O(series * widthPx).
std::vector<CounterLine> layOutCounter(const CounterWindow& window, const WindowQuery& query, ColourIndex hue);

/// Makes a line a band that also covers what another one covers, in columns of the same query. O(widthPx).
void coverBoth(CounterLine& band, const CounterLine& other);

/// Min and max value of the scale that layOutCounter uses.
MinMax counterScale(const CounterWindow& window);

/// Columns of a window that hold an instant of the track, ascending, each once. O(widthPx * log instants).
std::vector<int> instantColumns(const TraceStore& trace, const WindowQuery& query);

}  // namespace altiscope
