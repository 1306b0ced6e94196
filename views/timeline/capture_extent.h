#pragma once

#include "core/base/time.h"

#include <optional>

namespace altiscope {

struct CaptureStore;

/// What a capture opens on, and everything it holds, on its own clock. nullopt while it holds no event.
struct CaptureExtent {
    std::optional<TimeRange> run, all;
};

/// Pure; any thread; O(tracks).
CaptureExtent extentOf(const CaptureStore& store);

/// The least range that contains both.
TimeRange united(TimeRange a, TimeRange b);

} // namespace altiscope
