#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// Disjoint half-open intervals by time, none empty and no two touching: the one shape of its set of points.
using IntervalSet = std::vector<TimeRange>;

/// The set of all points of intervals in any order, which may overlap; empty ones are no points. Intervals that come
/// sorted by their begin cost O(n), parallel on the workers of the arena; others O(n log n).
/// @return  An incomplete set if `cancel` requests a stop.
IntervalSet unionOf(std::vector<TimeRange> intervals, const CancelToken& cancel);

/// The same of sets that were made of parts of the intervals. Parts that follow each other in time cost O(parts +
/// copying).
IntervalSet unionOfParts(std::vector<IntervalSet> parts, const CancelToken& cancel);

/// Points of both, of a or b, and of a alone. O(a + b).
IntervalSet intersectionOf(std::span<const TimeRange> a, std::span<const TimeRange> b);
IntervalSet unionOf(std::span<const TimeRange> a, std::span<const TimeRange> b);
IntervalSet differenceOf(std::span<const TimeRange> a, std::span<const TimeRange> b);
/// The part of a set within a window. O(log n + result).
IntervalSet clipped(std::span<const TimeRange> set, TimeRange window);
/// The gaps between the intervals of a set, from its first to its last point. O(n).
IntervalSet gapsOf(std::span<const TimeRange> set);

/// Sum of the lengths, in ns: the measure of a set. O(n).
DurationNs lengthOf(std::span<const TimeRange> set);
/// Length of the intersection of a set with a window. O(log n + intervals within).
DurationNs lengthWithin(std::span<const TimeRange> set, TimeRange window);

}  // namespace altiscope
