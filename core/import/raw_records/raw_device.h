#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/store/raw/sample_records.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A task as a device ran it, in counts of the device's counter.
struct RawDeviceTask {
    std::uint64_t begin = 0, end = 0;
    std::uint16_t stream = 0, task = 0, batch = 0;
    std::uint8_t type = 0;  ///< Type of the task, or of the sub-task.
    bool isSubTask = false;
    bool isHwts = false;        ///< Logged by the hardware scheduler: types are its own.
    std::uint32_t context = 0;  ///< All ones: none.
    std::uint64_t number = 0;   ///< Number of the record of its begin.
};

/// A sample of an accelerator in a record of STARS; in counts of the device's counter.
struct RawAccelerator {
    std::uint64_t time = 0;
    AcceleratorSample sample;  ///< Without its time.
};

/// @param isWriteFirst  As the vendor's program takes those of stars_soc_profile.data.
RawAccelerator rawAccelerator(const char* bytes, bool isWriteFirst);

/// Reads the task log of a device, that of STARS or, if it has none, that of the hardware scheduler, and the flips of
/// its task numbers. By begin. "raw.unpaired" (lost): begins without end, and the other way round.
/// Source: FORMAT.md.
/// @param accelerators  Gets the samples in that log, if it is not null.
std::vector<RawDeviceTask> readRawDevice(const RawDeviceFiles& files, bool hasExpandedStreams, RawContext& context,
                                         std::vector<RawAccelerator>* accelerators = nullptr);

/// Name of a task's type by its device: "AI_CORE", "MIX_AIC"; "UNKNOWN" for one that has no bar.
std::string_view rawDeviceTypeName(const RawDeviceTask& task);

/// Stream and task as the host numbers them, from those that a device stores. Source: FORMAT.md.
struct RawTaskId {
    std::uint16_t stream, task;
};
RawTaskId foldedTask(std::uint16_t stream, std::uint16_t task, std::uint8_t type, bool isExpanded);

}  // namespace altiscope::reader
