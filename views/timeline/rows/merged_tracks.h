#pragma once

#include "core/analysis/slices/track_window.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Several tracks of one trace as if they were one: all their slices, by begin (of equal ones the longer first), each
/// at the smallest depth at which those before it have ended. Slices keep their numbers, so that whatever knows a slice
/// knows it here. Constant.
class MergedTracks {
public:
    /// Slices of one depth, by begin, none overlapping; and which is the longest of each kFanOut, of each kFanOut of
    /// those, ...
    struct Depth {
        std::vector<std::uint32_t> slices;
        std::vector<std::vector<std::uint32_t>> longest;  ///< Indexes in `slices`.
    };
    static constexpr std::uint32_t kFanOut = 32;

    MergedTracks(std::shared_ptr<const TraceStore> trace, std::vector<TrackIndex> tracks, std::vector<Depth> depths);

    const std::shared_ptr<const TraceStore>& trace() const { return m_trace; }
    const std::vector<TrackIndex>& tracks() const { return m_tracks; }
    std::uint32_t depthCount() const { return static_cast<std::uint32_t>(m_depths.size()); }
    const Depth& depth(std::uint32_t depth) const { return m_depths[depth]; }
    /// nullopt for slices of other tracks. O(log tracks).
    std::optional<std::uint32_t> depthOf(SliceIndex slice) const;
    /// Place of the longest (the first of equal ones) in [first, last) of a depth. O(log). @pre first < last.
    std::uint32_t longestIn(std::uint32_t depth, std::uint32_t first, std::uint32_t last) const;

private:
    void noteDepths();
    /// In m_depthOf.
    std::optional<std::size_t> placeOf(std::uint32_t slice) const;

    std::shared_ptr<const TraceStore> m_trace;
    std::vector<TrackIndex> m_tracks;
    std::vector<Depth> m_depths;
    struct Run {
        std::uint32_t first = 0, count = 0;  ///< Slices
        std::size_t place = 0;               ///< Index of the first in m_depthOf.
    };
    std::vector<Run> m_runs;               // of all tracks, by first slice
    std::vector<std::uint32_t> m_depthOf;  // by slice, run after run
};

/// Null if cancelled. Any thread; O(slices * (log runs + depths)).
std::shared_ptr<const MergedTracks> mergeTracks(std::shared_ptr<const TraceStore> trace, std::vector<TrackIndex> tracks,
                                                const CancelToken& cancel);

/// As queryTrackWindow, of which `query.track` is not looked at: every slice that touches the window is in exactly one
/// item, and at most 2 * widthPx + 1 items stand in one depth. Pure; any thread; O(depths * widthPx * log slices).
TrackWindow queryMergedWindow(const MergedTracks& merged, const WindowQuery& query, const CancelToken& cancel);

}  // namespace altiscope
