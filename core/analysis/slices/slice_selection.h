#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// A selected track, or some of its depths.
struct SelectedTrack {
    TrackIndex track;
    std::uint32_t firstDepth = 0;
    std::uint32_t depthCount = 0xffffffffU;
    DurationNs later{};  ///< Where it lies against its rank: axis time = trace time + SelectedRank::shift + this.
    bool operator==(const SelectedTrack&) const = default;
};

/// What is selected of one rank, and where its clock lies on the common axis: axis time = trace time + shift.
struct SelectedRank {
    RankIndex rank{};  ///< It has a trace.
    DurationNs shift;
    std::vector<SelectedTrack> tracks;  ///< Each once.
    bool operator==(const SelectedRank&) const = default;
};

/// A box over tracks and time. A slice belongs to it if it touches the range: it begins before the range's end, and
/// ends after its begin or begins within it (which lets slices without length in).
struct SliceSelection {
    std::shared_ptr<const CaptureStore> capture;
    std::optional<TimeRange> range;   ///< On the axis; nullopt: all time.
    std::vector<SelectedRank> ranks;  ///< Each once.
    bool operator==(const SliceSelection&) const = default;
};

/// All tracks with slices of all ranks that have events, on their own clocks.
SliceSelection everySlice(std::shared_ptr<const CaptureStore> capture, std::optional<TimeRange> range = {});

/// Selected slices [first, last) of one depth of a track. Of these only the first and the last one may reach beyond the
/// range.
struct SliceSpan {
    std::uint32_t selected = 0;  ///< Position of its rank in SliceSelection::ranks.
    std::uint32_t track = 0;     ///< Number among the selected tracks of all ranks, in their order.
    TrackIndex trackIndex;       ///< Of the rank's store.
    std::uint32_t depth = 0;
    std::uint32_t first = 0, last = 0;  ///< SliceIndex; first < last.
    std::uint32_t top = 0;  ///< First slice of the track's smallest selected depth: a parent below it is not selected.
    DurationNs shift{};     ///< Axis time = trace time + shift.

    std::uint64_t count() const { return last - first; }
};

/// The slices of a selection, by rank, track and depth. O(depths * log slices).
std::vector<SliceSpan> spansOf(const SliceSelection& selection);

/// The store of a selected rank, by its position in the selection. @pre it has one.
inline const TraceStore& storeOf(const SliceSelection& selection, std::uint32_t selected) {
    return *selection.capture->ranks[selection.ranks[selected].rank.value].trace;
}

/// The range on the clock of a span; without a range, all times that there may be.
TimeRange ownRange(const SliceSelection& selection, DurationNs shift);

}  // namespace altiscope
