#pragma once

#include "core/analysis/flame/call_table.h"
#include "core/analysis/flame/flame_calls.h"
#include "core/base/columns/raw_array.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// The calls of one thread, a part of flameCalls: nodes by the ids of names in the rank's trace.
struct ThreadCalls {
    struct Sums {
        std::uint64_t calls = 0;
        std::int64_t self = 0;
        std::int64_t longestTime = -1;
        SliceIndex longest = kNoSlice;
    };

    CallTable table;
    std::vector<Sums> sums;  ///< By node.
    /// By track of the thread and slice of it: the slice's node; CallTable::kNone for slices that do not belong.
    std::vector<RawArray<std::uint32_t>> nodes;
    std::uint64_t slices = 0, folded = 0;
};

/// Incomplete if cancelled.
ThreadCalls threadCalls(const TraceStore& trace, const FlameThread& thread,
                        const std::optional<std::vector<TimeRange>>& times, const CancelToken& cancel);

}  // namespace altiscope
