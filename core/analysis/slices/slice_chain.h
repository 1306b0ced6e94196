#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// What a slice is to the selected one.
enum class ChainRole : std::uint8_t {
    Launch,       ///< The call that gave the task to the device.
    CannCall,     ///< The call of CANN around it.
    Dequeue,      ///< Where the framework's queue thread took up the task.
    Enqueue,      ///< Where the framework put it into the queue.
    Operator,     ///< The framework's operator, innermost first.
    Python,       ///< The line of Python that called the operator, and the built-in or module that it called.
    Forward,      ///< The forward operator of a backward one.
    Backward,     ///< And back.
    Device,       ///< A task or collective that it launched.
    Next,         ///< What came next on the same stream.
    Synchronize,  ///< A call of the host that waited for it.
    Other,        ///< Whatever else a flow leads to.
};

/// A slice with what it is to the one whose causes or effects are listed.
struct ChainLink {
    ChainRole role = ChainRole::Other;
    SliceIndex slice = kNoSlice;
    bool operator==(const ChainLink&) const = default;
};

/// What led to a slice, nearest first, over flows, nesting and threads: for a task of the device its launch, the calls
/// of CANN around it, the way through the framework's queue, the operator and what lies around that, the line of
/// Python, and of a backward operator the forward one. Each slice once. Where flows are missing, what runs on the same
/// thread at that time stands in.
/// @note Pure; any thread; O(tracks + depth * log slices).
std::vector<ChainLink> causesOf(const TraceStore& trace, SliceIndex slice);

/// What effectsOf() found.
struct SliceEffects {
    std::vector<ChainLink> links;
    std::size_t excluded = 0;  ///< How many more there are.
};

/// What followed from a slice, by time: where the flows from it and from what it called lead to; for a task of the
/// device what came next on its stream, and the call of the host that waited for its end. Each slice once.
/// @param most  No more links than these: the first ones by time.
/// @return Nothing, if cancelled.
/// @note Pure; any thread. O(tracks * depths * log slices + flows from within the slice): a whole step may hold
/// millions, so on a worker.
SliceEffects effectsOf(const TraceStore& trace, SliceIndex slice, std::size_t most = 50,
                       const CancelToken& cancel = {});

}  // namespace altiscope
