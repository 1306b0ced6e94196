#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// From when on the cores of a device ran how fast.
struct RawFrequency {
    std::uint64_t time = 0;  ///< Device counter.
    std::uint64_t hertz = 0;
};
/// By time; the first one is of the start of the device. Empty if nothing is known. "raw.bad_time" (lost): changes at
/// times that no run has. Source: FORMAT.md.
std::vector<RawFrequency> readRawFrequencies(const RawDeviceFiles& files, const RawSettings& settings,
                                             RawContext& context);

/// The frequency as a counter, by wall time in ns: from the begin of the collection, at which holds what was before it,
/// to its end. Changes at times that no run has are left out. Empty if there are no frequencies.
std::vector<std::pair<std::int64_t, std::uint64_t>> frequencyPoints(const std::vector<RawFrequency>& frequencies,
                                                                    const RawSettings& settings);

/// How much a memory was read or written.
struct RawBandwidth {
    std::int64_t time = 0;  ///< Wall time in ns.
    std::uint32_t memory = 0;
    bool isWrite = false;
    double megabytesPerSecond = 0;
};
/// By time. "raw.bad_record" (lost): records of such times, blank ones, and kinds and memories that no device has;
/// "raw.repeated" (lost) for a time and memory that came before, "raw.out_of_order" (repaired).
/// Source: FORMAT.md.
std::vector<RawBandwidth> readRawBandwidths(const RawDeviceFiles& files, const RawSettings& settings,
                                            RawContext& context);

}  // namespace altiscope::reader
