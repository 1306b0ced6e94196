#pragma once

#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <vector>

namespace altiscope::generate {

inline constexpr std::uint32_t kHbmUnits = 4;
inline constexpr std::uint32_t kCacheUnits = 2;
inline constexpr std::uint32_t kAccelerators = 28;  ///< `acc_id` 0..27; the first half is sampled twice in a period.
/// Resolution of CounterSample::value by kind: HBM 1/16384 MB/s, cache throughput 1/1000 MB/s, hit rate 1/1000, memory
/// KB, frequency MHz, others as they are.
inline constexpr std::int64_t kHbmResolution = 16'384;

/// Samples of all hardware counters that fall into the unit's window, by time. Bandwidths follow whether the device is
/// busy; the process's memory is what the allocators have reserved. O(window / period + tasks).
std::vector<CounterSample> counterSamples(const Run& run, std::uint32_t rank, const UnitRecord& record);

/// Index of the last frequency point of a run, which is written without decimals.
inline constexpr std::uint32_t kLastFrequency = 1;

/// Times at which the process's memory is sampled within a window.
/// @param profilerStart  By the rank's clock.
std::vector<TimeNs> memorySampleTimes(TimeNs profilerStart, const TimeRange& window);
/// Blocks that the process holds at a time of the unit.
std::uint64_t processBlocks(const Run& run, const UnitRecord& record, TimeNs time);

}  // namespace altiscope::generate
