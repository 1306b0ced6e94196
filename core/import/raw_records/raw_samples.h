#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/store/raw/sample_records.h"

#include <string_view>

namespace altiscope::reader {

/// Reads what the samplers of a device recorded: llc.data, ddr.data, hccs.data, pcie.data, nic.data, roce.data,
/// qos.data, npu_mem.app, npu_mem.data and npu_module_mem.data. "raw.bad_record" (lost): records of times that no run
/// has, blank ones, lines of something else; "raw.repeated" (lost), "raw.falls" (lost), "raw.out_of_order" (repaired),
/// "raw.idle_samples" and "raw.no_bandwidth" (info), see FORMAT.md. Marks are not filled. Memory: the samples.
/// Source: FORMAT.md.
DeviceSamples readRawSamples(const RawDeviceFiles& files, const RawSettings& settings, RawContext& context);

/// Whether readRawSamples reads a file of this chip, in this version.
bool isReadRawSample(std::string_view stem, const RawSettings& settings);

}  // namespace altiscope::reader
