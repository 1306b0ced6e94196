#pragma once

#include "core/store/columns/trace_store.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// What a slice of the host has to do with sending work to the device, by its name, category and track.
/// Source of the names: core/import/trace/FORMAT.md.
enum class HostCall : std::uint8_t {
    Other,
    PythonFunction,  ///< "torch/nn/functional.py(1460): relu"
    BuiltIn,         ///< "<built-in method relu_ of ...>": where Python leaves for the framework.
    Operator,        ///< "aten::relu_", "Conv2D": what the framework was called for.
    Enqueue,         ///< Puts a task into the framework's queue.
    Dequeue,         ///< Takes it out again on a thread of its own.
    CannCall,        ///< "AscendCL@aclnnInplaceRelu"
    Launch,          ///< "Node@launch"
};

/// Calls of CANN that get memory of the device from its driver, or give it back.
inline constexpr std::array<std::string_view, 3> kMemoryCalls = {"AscendCL@aclMallocMemInner",
                                                                 "AscendCL@aclrtFreePhysical", "AscendCL@aclrtFree"};

/// What a slice is by its name, category and track. @pre The slice is of the trace. O(log runs).
HostCall hostCallOf(const TraceStore& trace, SliceIndex slice);

/// "aten::relu_": an operator of a library, as opposed to what it calls for itself and to what the backward engine says
/// of it.
bool isLibraryOperator(std::string_view name);

/// The tracks of a kind that show the same thread as a track, maybe itself among them: what Python, the framework and
/// CANN do on one thread stands on tracks of several processes. O(tracks).
std::vector<TrackIndex> tracksOfThread(const TraceStore& trace, TrackIndex like, TrackKind kind);

/// The innermost slice of a track that holds a time; kNoSlice if none does. O(depths * log slices).
SliceIndex innermostAt(const TraceStore& trace, TrackIndex track, TimeNs time);

/// The same over several tracks: the last to begin.
SliceIndex innermostAt(const TraceStore& trace, const std::vector<TrackIndex>& tracks, TimeNs time);

/// The time before a call in which the host did nothing else that is recorded: from the begin of the operator around
/// it, or the end of what that called before, to its begin. Empty without an operator. @param run  That of the slice.
TimeRange timeBeforeCall(const TraceStore& trace, const DepthRun& run, std::uint32_t slice);

}  // namespace altiscope
