#pragma once

#include "core/base/values/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace altiscope {

/// Times of a window against pixels across it. Absolute times stay 64-bit integers; only differences, which a screen
/// cannot resolve better than a double does, are converted.
class PixelScale {
public:
    /// @pre window is not empty and shorter than 2^62 ns; widthPx > 0.
    PixelScale(TimeRange window, int widthPx)
        : m_begin(window.begin), m_length(window.length().value), m_width(widthPx),
          m_pxPerNs(static_cast<double>(widthPx) / static_cast<double>(window.length().value)) {}

    /// Pixels right of the window's left edge; any value for times outside.
    double x(TimeNs time) const { return static_cast<double>((time - m_begin).value) * m_pxPerNs; }
    /// The nanosecond that pixel position `x` falls into.
    TimeNs timeAt(double x) const;

    /// Number of the pixel column that holds `time`, exact also where a double is a hair off; -1 for all times left of
    /// the window, widthPx for all from its end on.
    int column(TimeNs time) const {
        const std::int64_t offset = (time - m_begin).value;
        if (offset < 0) return -1;
        if (offset >= m_length) return m_width;
        const double value = static_cast<double>(offset) * m_pxPerNs;
        const auto whole = static_cast<int>(value);
        return isBetweenBorders(value - whole) ? whole : exactColumn(offset);
    }
    /// First column that lies wholly at or after `time`, exact; 0 for all times at or before the window's begin,
    /// widthPx for all in its last column or after.
    int columnAfter(TimeNs time) const {
        const std::int64_t offset = (time - m_begin).value;
        if (offset <= 0) return 0;
        if (offset >= m_length) return m_width;
        const double value = static_cast<double>(offset) * m_pxPerNs;
        const auto whole = static_cast<int>(value);
        return isBetweenBorders(value - whole) ? whole + 1 : exactColumnAfter(offset);
    }

private:
    /// Doubles decide all but the times that lie on a border between two pixels, or next to one.
    static bool isBetweenBorders(double part) { return part > 1e-6 && part < 1 - 1e-6; }
    int exactColumn(std::int64_t offset) const;
    int exactColumnAfter(std::int64_t offset) const;

    TimeNs m_begin;
    std::int64_t m_length;
    int m_width;
    double m_pxPerNs;
};

/// Whether a change of the window is a step of its own for undo, or goes on with the gesture before (a key that
/// repeats, a drag).
enum class HistoryMark : unsigned char { NewStep, Continue };

/// The part of the time axis that is in sight, and the way back to earlier ones. Values only; GUI thread.
///
/// The window is at least 1 ns long, never longer than everything there is plus a margin, and always touches it.
class ViewWindow {
public:
    static constexpr std::size_t kHistory = 200;

    /// True until setExtent() was called: there is no axis yet.
    bool empty() const { return m_range.empty(); }
    TimeRange range() const { return m_range; }
    /// The window that shows the whole run, with a small margin.
    TimeRange home() const { return m_home; }
    /// Limits of panning and zooming out.
    TimeRange limits() const { return m_limits; }
    bool atHome() const { return m_range == m_home; }

    /// Tells what there is to see.
    /// @param run  What a view opens on. May be empty (one instant); the home window is then 10 ns long.
    /// @param all  Every event, also those absurdly far away; contains `run`.
    /// A window that showed home follows it, so that a run that is still being read stays wholly visible; one of which
    /// nothing is left goes home. Such windows leave the history too.
    void setExtent(TimeRange run, TimeRange all);
    /// Moves everything, history included: the axis has been laid out anew and what was in sight is now `by` later.
    void shiftAxis(DurationNs by);
    /// Back to empty(): nothing is open any more.
    void reset() { *this = ViewWindow(); }

    /// Multiplies the length by `factor` (below 1 zooms in), keeping the time at `fraction` (0 left, 1 right) in place.
    /// A factor other than 1 changes the length by at least 1 ns unless a limit is reached.
    void zoomAt(double fraction, double factor, HistoryMark mark);
    /// Moves by a part of the window's length; positive shows later times.
    void panBy(double fraction, HistoryMark mark);
    void show(TimeRange range, HistoryMark mark);

    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    void undo();
    void redo();

private:
    TimeRange clamped(TimeRange range) const;
    void walk(std::vector<TimeRange>& from, std::vector<TimeRange>& to);

    TimeRange m_range, m_home, m_limits;
    std::vector<TimeRange> m_past, m_future;
};

}  // namespace altiscope
