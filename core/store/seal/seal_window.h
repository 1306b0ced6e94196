#pragma once

#include "core/base/columns/raw_array.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/nesting.h"
#include "core/store/seal/seal.h"
#include "core/store/seal/seal_flows.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// The extents of all slices of a trace of which only a window is kept, those that are kept among them, by track.
class WindowExtents {
public:
    /// Frees what was left out of the segments as it goes, where nobody else holds it.
    /// @param extra  Slices that are kept and lie in no segment.
    WindowExtents(SealInput& input, const Segment::Slices& extra, const std::vector<std::uint32_t>& trackIndexOf,
                  std::size_t tracks, const CancelToken& cancel);

    /// Those of one track, in file order; they are forgotten here.
    RawArray<SliceExtent> take(std::size_t track) { return std::exchange(m_tracks[track], {}); }

private:
    std::vector<RawArray<SliceExtent>> m_tracks;
};

/// Data of the seal of slices when only a window is kept.
struct WindowSeal {
    WindowExtents extents;
    const FlowDraft& flows;
    std::vector<std::vector<std::uint32_t>> endsByTrack;  ///< See flowEndsByTrack().
    std::vector<std::uint32_t> sliceOf{};  ///< By number of a flow's end: its slice if that is kept, else kNoSlice.
};

/// The nesting of one track of which only some slices are kept: they get the depth, parent and self time that they have
/// among all.
class NestingAmongAll {
public:
    /// @param everything  All slices of the track, in any order.
    /// @param kept        Those that are kept, sorted by outerFirst.
    NestingAmongAll(RawArray<SliceExtent> everything, std::span<const SliceItem> kept, const CancelToken& cancel);

    /// Counts of the kept ones. Depths at which none of them lies have a count of 0.
    Nesting& kept() { return m_kept; }

    /// Attaches the ends of flows on this track as sealFlows() would if all slices were kept.
    /// @param ends   Numbers of ends, by time.
    /// @param place  SliceIndex by kept slice.
    void attach(std::span<const std::uint32_t> ends, const FlowDraft& flows, const std::vector<std::uint32_t>& place,
                std::vector<std::uint32_t>& sliceOf) const;

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    RawArray<SliceExtent> m_memory;
    std::span<const SliceExtent> m_all;   // sorted
    std::vector<std::uint32_t> m_keptOf;  // by slice of m_all: number among the kept ones, or kNone
    std::vector<std::uint32_t> m_depth;   // by slice of m_all
    std::size_t m_depths = 0;
    Nesting m_kept;
};

}  // namespace altiscope
