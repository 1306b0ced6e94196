#pragma once

#include "core/base/values/time.h"

#include <cstdint>
#include <optional>

namespace altiscope {

struct CaptureStore;
struct RankShifts;

/// The range that a capture opens on, and all that it holds, on its own clock. nullopt while it holds no event.
struct CaptureExtent {
    std::optional<TimeRange> run, all;
    std::optional<TimeRange> axis;  ///< The run from where its times are counted.
};

/// @param origin  Begin of the whole run, if it is known: times of a capture of which a part was read are counted from
/// there.
/// @param shifts  Of its ranks; null: all as recorded.
/// Pure; any thread; O(tracks).
CaptureExtent extentOf(const CaptureStore& store, std::optional<TimeNs> origin, const RankShifts* shifts = nullptr);

/// The smallest range that contains both.
TimeRange united(TimeRange a, TimeRange b);

}  // namespace altiscope
