#pragma once

#include "core/base/columns/interval_set.h"

#include <vector>

namespace altiscope::reader {

/// Times of a device in the four tracks of "Overlap Analysis".
struct RawOverlap {
    IntervalSet computing, communication, notOverlapped, free;
};
/// @param computing      Tasks that compute. @param communication  Collectives. In any order.
/// @param reach          From the first to the last task of any kind, as far as they count: how far Free reaches.
/// Source: FORMAT.md. O(n log n).
RawOverlap rawOverlap(std::vector<TimeRange> computing, std::vector<TimeRange> communication, TimeRange reach);

}  // namespace altiscope::reader
