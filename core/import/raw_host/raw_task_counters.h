#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_host/raw_join.h"
#include "core/store/raw/sample_records.h"

#include <span>
#include <string_view>

namespace altiscope::reader {

/// Reads the counters of a device for single tasks, l2_cache.data and socpmu.data, and the records of its AI CPU,
/// aicpu.data, without names. "raw.bad_record" (lost): blank records, those without the mark, times that no run has,
/// unknown kinds; "raw.not_read" (lost): records of kinds that are not shown, with their number.
/// Source: FORMAT.md.
void addRawTaskCounters(const RawDeviceFiles& files, const RawSettings& settings, bool hasExpandedStreams,
                        RawContext& context, DeviceSamples& samples);

/// Whether addRawTaskCounters reads a file of this chip: only events that make a share can be read.
bool isReadRawTaskCounter(std::string_view stem, const RawSettings& settings);

/// Gives counters and kernels of the AI CPU the names of their operators, and sorts the kernels. A kernel is the task
/// of its numbers during which it ended. @param tasks  Of the device, which `joined` counts.
void nameRawTaskCounters(const RawHost& host, std::int64_t device, std::span<const RawDeviceTask> tasks,
                         const RawJoined& joined, DeviceSamples& samples);

}  // namespace altiscope::reader
