#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Which part of a track is wanted. Work is bounded by depths times widthPx.
struct WindowQuery {
    TrackIndex track;
    TimeRange window;              ///< Not empty.
    std::uint32_t widthPx = 0;     ///< Device pixels that the window is drawn on; > 0.
    std::uint32_t firstDepth = 0;  ///< Of a counter: number of the first of its series, from 0.
    std::uint32_t depthCount = 0xffffffffU;
};

/// One thing to draw: a slice at least a pixel wide, or a run of neighbours that fall into the same pixel. Where a
/// pixel holds many, slices of up to a pixel after its border may count for it; no pixel is covered but by slices
/// that touch it.
struct WindowItem {
    TimeNs begin;             ///< Of the first slice of the run; may lie before the window.
    TimeNs end;               ///< Of the last slice of the run.
    SliceIndex slice;         ///< The slice, or the longest one of the run.
    std::uint32_t count = 1;  ///< Slices in the run.
    std::uint32_t depth = 0;
    StringId name;      ///< Of `slice`.
    DurationNs length;  ///< Of `slice`.
    /// Columns [left, right) of the window that the run touches from its begin to its end: at least one.
    std::int32_t left = 0, right = 1;
};

/// Drawable items of one track: by depth, then time. Every slice that touches the window is in exactly one item, and at
/// most 2 * widthPx + 1 items have one depth.
struct TrackWindow {
    TrackIndex track;
    TimeRange window;
    std::vector<WindowItem> items;
};

/// @return Cancelled; never an Error.
/// @note Pure; any thread; O(depths * (widthPx + log n)).
Result<TrackWindow> queryTrackWindow(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel);

/// One pixel column of a counter line: what the value did there.
struct CounterColumn {
    std::uint32_t px = 0;  ///< From the left of the window.
    /// First and last value that is valid within the pixel (carried in from before if need be).
    double first = 0, last = 0;
    double minimum = 0, maximum = 0;
    std::uint32_t samples = 0;  ///< Samples that lie in this pixel.
};

/// One series as steps: a value holds from its sample to the next one. Pixels without a sample between two listed
/// columns hold `last` of the column before. Nothing is drawn before the first sample.
struct SeriesWindow {
    std::uint32_t series = 0;            ///< In TraceStore::series().
    std::vector<CounterColumn> columns;  ///< Ascending px; at most widthPx.
};

/// Drawable columns of one counter track, by series.
struct CounterWindow {
    TrackIndex track;
    TimeRange window;
    double minimum = 0, maximum = 0;   ///< Over the whole track, all series, not only the window.
    std::vector<SeriesWindow> series;  ///< Those of the query.
};

/// @return Cancelled; never an Error.
/// @note Pure; any thread; O(all series + series of the query * widthPx * log samples). No spike is lost: minimum and
/// maximum are exact per pixel.
Result<CounterWindow> queryCounterWindow(const TraceStore& store, const WindowQuery& query, const CancelToken& cancel);

/// The value of a series that holds at `time`; nullopt before its first sample. O(log samples).
std::optional<double> counterValueAt(const TraceStore& store, const CounterSeries& series, TimeNs time);

}  // namespace altiscope
