#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// A task of the device and the call of the host that it belongs to.
struct OwnedTask {
    SliceIndex task, call;
};

/// The tasks on streams, and collectives as a whole, to which a flow leads from calls on tracks that are meant: see
/// FlameCalls. By task, each once.
/// @param isMeant  By track: whether a task may belong to its calls.
/// @return Incomplete if cancelled. O(flows * log slices); parallel on the arena.
std::vector<OwnedTask> ownedTasks(const TraceStore& trace, const std::vector<bool>& isMeant, const CancelToken& cancel);

}  // namespace altiscope
