#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// By which interface of CANN a task went to the device.
enum class DispatchPath : std::uint8_t {
    Unknown,
    AclNn,  ///< "aclnnMatmul": compiled before.
    AclOp,  ///< "aclopCompileAndExecute": compiled when it is called.
};

/// How much of the way of a task was recorded.
enum class DispatchStatus : std::uint8_t {
    Complete,    ///< Python's call, queue and launch were recorded.
    Fallback,    ///< No launch was recorded: the end of the dequeuing stands for its end.
    Incomplete,  ///< The call or the dequeuing is missing, and with it what is counted from there.
};

/// The way of one task of the framework's queue from Python to the device. Times in ns; nullopt where a part is
/// missing.
struct Dispatch {
    /// The built-in function that Python called; without stacks the outermost operator of a library.
    SliceIndex python = kNoSlice;
    SliceIndex op = kNoSlice;  ///< The operator around the enqueuing: the outermost within `python`.
    SliceIndex enqueue = kNoSlice;
    SliceIndex dequeue = kNoSlice;
    SliceIndex call = kNoSlice;    ///< Of CANN: the aclnn or aclop call within the dequeuing.
    SliceIndex launch = kNoSlice;  ///< The first within the dequeuing.
    SliceIndex kernel = kNoSlice;  ///< The first that begins of what it launched.
    std::uint32_t launches = 0, kernels = 0;
    DispatchPath path = DispatchPath::Unknown;
    DispatchStatus status = DispatchStatus::Incomplete;
    std::optional<std::int64_t> prepare;    ///< begin of enqueue - begin of python
    std::optional<std::int64_t> pythonApi;  ///< length of python
    std::int64_t enqueuing = 0;             ///< length of enqueue
    /// begin of dequeue - end of enqueue; below 0 if it was taken up before enqueue had ended
    std::optional<std::int64_t> queue;
    std::optional<std::int64_t> pipeline2;  ///< end of the last launch, else of dequeue, - begin of dequeue
    std::optional<std::int64_t> launching;  ///< sum of the lengths of the launches
    std::optional<std::int64_t> endToEnd;   ///< end of the last launch, else of dequeue, - begin of python
    TimeRange range;                        ///< From the first to the last time of all that.
};

/// One for each slice "Enqueue..." of the host, by track and begin. Which dequeuing belongs to it is known from the
/// flow between them; what is called within that stands on CANN's track of the same thread, and what was launched by
/// the flows from there. Source: core/analysis/FORMULAS.md section C.
/// @param only  By slice: tasks that launched none of these are left out; null: none is.
/// @return Empty if cancelled, or if the capture has no queue (TASK_QUEUE_ENABLE=0, or no host events). O(enqueues *
/// log slices).
std::vector<Dispatch> dispatchChains(const TraceStore& trace, const CancelToken& cancel,
                                     const std::vector<bool>* only = nullptr);
/// Whether the trace has a task of a queue at all. O(slices of Python's tracks).
bool hasDispatch(const TraceStore& trace, const CancelToken& cancel);

}  // namespace altiscope
