#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>

namespace altiscope {

struct CaptureStore;
struct ClockAlignment;

/// What a capture opens on, and everything it holds, on its own clock. nullopt while it holds no event.
struct CaptureExtent {
    std::optional<TimeRange> run, all;
    std::optional<TimeRange> axis;  ///< The run from where its times are counted.
};

/// @param origin  Begin of the whole run, if it is known: times of a capture of which a part was read are counted from there.
/// @param clocks  Where the ranks' clocks lie, if they are to be aligned; then all times are those of the reference.
/// Pure; any thread; O(tracks).
CaptureExtent extentOf(const CaptureStore& store, std::optional<TimeNs> origin, const ClockAlignment* clocks = nullptr);
/// What is added to a rank's times to align them, by its place; 0 if it is not aligned, or there is no alignment.
DurationNs alignmentOf(const ClockAlignment* clocks, std::uint32_t rank);

/// The least range that contains both.
TimeRange united(TimeRange a, TimeRange b);

} // namespace altiscope
