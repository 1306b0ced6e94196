#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"

#include <memory>

namespace altiscope {

/// What the pid of memoryTracks() is; no source has it.
inline constexpr const char* kMemoryPid = "memory";

/// Samples of a rank's memory as counters of a trace of their own, so that they are drawn beside its events: a track
/// for each component (and device, where there are several), with the series "Allocated(MiB)", "Reserved(MiB)" and
/// "Active(MiB)" where it has them. Of values that repeat only the first is there. Track ids depend on these alone.
/// @return null if there are no samples with a value and a time, or if cancelled. Any thread; O(samples), as much
/// memory as the samples.
std::shared_ptr<const TraceStore> memoryTracks(const std::shared_ptr<const RowTables>& rows, const CancelToken& cancel);

/// Whether there are any samples. O(1).
bool hasMemorySamples(const RowTables* rows);

}  // namespace altiscope
