#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <map>

namespace altiscope {

/// The models that streams of a rank run for, by track: graphs that were sent to the device as a whole, as those of
/// ACLGraph, whose streams run nothing else. Streams of tasks that were launched one by one are not in it.
using StreamModels = std::map<std::uint32_t, std::int64_t>;

/// From the argument "Model Id" of tasks of the NPU (trace_view.json, TASK.modelId of databases; 4294967295 and -1 mean
/// none), of the first, the middle and the last task of each stream: it counts where all three agree.
/// @return Empty if all streams run for one model, which then says nothing; incomplete if cancelled.
/// @note   Any thread; reads at most three records for each stream from the source.
StreamModels streamModels(const RankEntry& rank, const CancelToken& cancel);

}  // namespace altiscope
