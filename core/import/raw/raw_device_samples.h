#pragma once

#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_records/raw_device.h"
#include "core/store/raw/sample_records.h"

#include <vector>

namespace altiscope::reader {

/// Everything that a device recorded beside its tasks: what samplers and the AI CPU said, what was counted for tasks,
/// marks of streams and iterations. @param accelerators  Of the task log, see readRawDevice.
DeviceSamples readRawDeviceSamples(const RawDeviceFiles& files, const RawSettings& settings, bool hasExpandedStreams,
                                   const std::vector<RawAccelerator>& accelerators, RawContext& context);

}  // namespace altiscope::reader
