#pragma once

#include "core/analysis/snapshot/pool_state.h"
#include "core/analysis/snapshot/stack_tree.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Something that would have made room for the request, as the pool proves.
struct ShortageRemedy {
    enum class Kind : std::uint8_t {
        /// The segments of this stream that cannot grow have, with what the driver had left, enough free bytes in all,
        /// in too many pieces: as parts of one expandable segment they would be one range.
        ExpandableSegments,
        /// A segment that is large enough is taken up by small blocks that have room in the holes of the others: with a
        /// lower limit for splitting they would be there.
        SplitLimit,
        /// Without the blocks of a stack there is a hole that is large enough, or segments that can be given back make
        /// room for one, with what the driver had left.
        FreeStack
    };
    Kind kind = Kind::ExpandableSegments;
    std::int64_t bytes = 0;    ///< Free in all; size of the segment; what the stack has.
    std::uint64_t count = 0;   ///< Holes; blocks that would move; blocks of the stack.
    std::uint32_t stack = 0;   ///< Number in DeviceSnapshot::stacks.
    std::int64_t address = 0;  ///< Of the segment.
};

/// Why there was no memory: the pool at a failed request, or at the peak.
struct MemoryShortage {
    EventNumber at = kBeforeHistory;  ///< The failed request, or the peak's state.
    bool isFailure = false;
    std::int64_t requested = 0;  ///< Bytes that failed; 0 at a peak.
    std::int64_t stream = kNoCell;
    std::int64_t deviceFree = kNoCell;  ///< Bytes that the driver had left; kNoCell: not recorded.
    PoolState pool;
    std::int64_t rounding = 0;       ///< Used bytes that nobody requested.
    std::uint64_t fittingHoles = 0;  ///< Holes that are large enough: of other streams, or other pools.
    std::vector<StackSum> holders;   ///< Blocks that are there, by stack; the most bytes first.
    /// Those that the pool proves, by kind; at most one of each kind but FreeStack.
    std::vector<ShortageRemedy> remedies;

    bool hasRemedy(ShortageRemedy::Kind kind) const;
};

/// All failed requests of a device, ascending. O(entries).
std::vector<EventNumber> failedRequests(const DeviceSnapshot& snapshot, const CancelToken& cancel);

/// @param at  A failed request, or any other state.
/// @return nullopt if cancelled.
std::optional<MemoryShortage> memoryShortage(const PoolHistory& history, EventNumber at, const CancelToken& cancel);

}  // namespace altiscope
