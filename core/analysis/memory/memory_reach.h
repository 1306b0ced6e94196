#pragma once

#include "core/analysis/memory/memory_series.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>

namespace altiscope {

/// From when to when a rank has samples and allocations.
struct MemoryReach {
    TimeRange data;                ///< Of all; empty and at 0 without any.
    TimeRange home;                ///< Without times that cannot share a clock with most (see mayShareClock).
    std::uint64_t strayTimes = 0;  ///< How many these are; of allocations begin and end count each.
};

/// Of equally many times on both sides of the year 2000 the times of day are at home: 0 stands for a time that was not
/// set. O(series * log samples + allocations / block); blocks with times of both kinds cell by cell.
MemoryReach memoryReach(const RowTables& rows, const MemorySeriesSet& series);

/// Whether samples, or without them allocations, are of another recording than the timeline (isOfAnotherRecording):
/// then they have no times in common. O(blocks of rows).
bool isMemoryOfAnotherRecording(const RankEntry& rank);

}  // namespace altiscope
