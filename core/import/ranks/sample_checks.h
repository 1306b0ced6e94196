#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace altiscope::reader {

/// Whether tasks of the device begin all over a time, in which a sampler has a period.
using TasksGoOn = std::function<bool(TimeRange, std::int64_t period)>;

/// How many samples a sampler lacks that is read at regular times: in gaps, and at its end, where the device went on.
/// 0 of samplers that are not regular.
/// @param times  In order.
/// @param lastTask  When the last task of the device began.
std::uint64_t missingSamples(std::span<const std::int64_t> times, std::optional<std::int64_t> lastTask,
                             const TasksGoOn& tasksGoOn);

/// Reports, as information, samples that others say were taken, and slices that are not where others say:
/// - "files.counters_missing": counters that are read at regular times lack some: in gaps and at the end while tasks of
///   their device go on, or beside those that are read together with them; so many samples, of each counter;
/// - "files.modules_missing": the same of what modules reserve, which all have a row at each time from their first one
///   on; so many rows;
/// - "files.streams_differ": a kernel whose stream is another one than that of its slice.
/// For whole timelines. Source: core/import/trace/FORMAT.md section 5, core/import/csv/FORMAT.md sections 2 and 6.
/// Cost: O(samples * log), tasks where there are gaps, rows of kernels and modules.
void reportMissingSamples(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                          const CancelToken& cancel);

/// Reports, as information, rows about communication that others about the same operators know of:
/// - "communication.lone_bandwidth": an operator with bandwidths and without times;
/// - "communication.links_differ": links of some of the selections that all have the same.
/// Source: core/import/communication/FORMAT.md section 3. O(rows * log).
void reportMissingCommunication(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                                const CancelToken& cancel);

}  // namespace altiscope::reader
