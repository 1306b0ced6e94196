#pragma once

#include "core/base/values/cancel.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_records/raw_device.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope::reader {

/// The tasks of a device as they were joined with those of its host.
struct RawOrderedTasks {
    std::int64_t device;
    std::span<const RawDeviceTask> tasks;
    const RawJoined& joined;
    const RawDeviceTimes& times;
};

/// Where the tasks of a device stand in the list that the vendor's program joins from host and device: by number,
/// stream, context and batch, sorted by begin then. Its sort keeps no order among
/// equals, so that what other tables show of tasks with one begin follows from this list alone.
/// Tasks that the host launched and no device ran are in that list, too. In large captures, and where no two tasks have
/// one begin, places go by begin.
/// @return By index in `joined.tasks`. O(n log n). Source: core/import/raw_records/FORMAT.md, "Tables whose rows have
/// one begin".
std::vector<std::uint32_t> rawTaskPlaces(const RawHost& host, const RawOrderedTasks& of, const CancelToken& cancel);

/// The same of its collectives, which the vendor's program keeps by the hashes of their names. @return By run.
std::vector<std::uint32_t> rawCollectivePlaces(const RawHost& host, std::int64_t device,
                                               std::span<const RawCollectiveRun> runs);

}  // namespace altiscope::reader
