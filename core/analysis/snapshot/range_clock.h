#pragma once

#include "core/analysis/snapshot/snapshot_clock.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>

namespace altiscope {

/// Finds when a history was, on the clock of a profile, by the ranges that the program named (record_function) and that
/// both recorded: as DeviceSnapshot::ranges, and as slices of the same text. If at least three of those that lie within
/// the profile's time, and nine of ten, begin within HistoryTimes::kTolerance of such a slice, the two clocks are one.
/// Else the ranges of texts that both have equally often are compared in their order; if the differences of at least
/// three, and of nine of ten, are one up to the tolerance, that is how far the profile's clock is ahead. Entries are
/// placed by their own times, see addOwnTimes().
/// @return  The clock, with `ranges` and `times` of the agreement; empty if they do not agree or entries have no times.
/// @note  A worker. O(slices + ranges log ranges + entries); cancelled: nothing.
JoinedClock joinByRanges(const DeviceSnapshot& snapshot, const TraceStore& trace, const CancelToken& cancel);

}  // namespace altiscope
