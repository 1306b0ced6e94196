#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// The slices in which the host collected garbage, by track and begin; of a cancelled call some.
std::vector<SliceIndex> garbageCollections(const TraceStore& trace, const CancelToken& cancel);

/// By row of the table `operator`: how long the operator stood still within its own time, ns. Collections of garbage
/// stop all threads; calls of CANN that wait for the device (their names say "Synchronize") stop the one that calls.
/// Each counts for the innermost operator in which it begins. Rows without a time or a thread have no such time.
/// @pre The rank has a trace and tables. O(operators * log) where there is anything to look for.
std::unordered_map<std::size_t, std::int64_t> pausesOfOperators(const RankEntry& rank, const CancelToken& cancel);

}  // namespace altiscope
