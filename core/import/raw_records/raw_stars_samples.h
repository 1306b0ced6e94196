#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_records/raw_device.h"
#include "core/store/raw/sample_records.h"

#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Adds what STARS samples beside its tasks: accelerators, and from stars_soc_profile.data what dies, links and buffers
/// of the chip exchange, and QoS. "raw.other_logs" (info): records of low power and of tasks there, links of other
/// kinds, QoS without names of its events; "raw.bad_record" (lost): without the mark, or of times that no run has.
/// @param accelerators  Of stars_soc.data, see readRawDevice. Source: FORMAT.md.
void addRawStarsSamples(const RawDeviceFiles& files, const RawSettings& settings,
                        const std::vector<RawAccelerator>& accelerators, RawContext& context, DeviceSamples& samples);

/// Whether addRawStarsSamples reads a file of this chip.
bool isReadRawStarsSample(std::string_view stem, const RawSettings& settings);

}  // namespace altiscope::reader
