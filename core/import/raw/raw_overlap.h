#pragma once

#include "core/import/contracts/intervals.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope::reader {

using RawInterval = Interval;

/// What a device did when, by the four tracks of "Overlap Analysis". Each ascending and disjoint.
struct RawOverlap {
    std::vector<RawInterval> computing, communication, notOverlapped, free;
};
/// @param computing      Tasks that compute. @param communication  Collectives. In any order.
/// @param reach          From the first to the last task of any kind, as far as they count: how far Free reaches.
/// Source: FORMAT.md, reference C.6. O(n log n).
RawOverlap rawOverlap(std::vector<RawInterval> computing, std::vector<RawInterval> communication, RawInterval reach);

}  // namespace altiscope::reader
