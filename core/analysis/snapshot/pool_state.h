#pragma once

#include "core/analysis/snapshot/device_snapshot.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace altiscope {

/// A piece of a segment.
struct PoolPart {
    enum class State : std::uint8_t { Allocated, WaitsForStreams, Hole };

    std::int64_t address = 0;
    std::int64_t size = 0;  ///< With rounding. Of past blocks as DeviceSnapshot::roundedSize says, up to what follows.
    std::int64_t requested = 0;  ///< 0 of holes.
    BlockNumber block = kNoBlock;
    State state = State::Hole;
    bool operator==(const PoolPart&) const = default;
};

/// A segment in a state.
struct PoolSegment {
    std::int64_t address = 0, size = 0;
    std::int64_t stream = kNoCell;  ///< Of its blocks, else as the file says; kNoCell: not known.
    std::uint32_t pool = 0;         ///< Text (StringId) of its pool; 0: not recorded.
    /// It can grow: the file says so of what is there at the end, or parts of it were mapped within the history. All
    /// that depends on it looks here.
    bool isExpandable = false;
    std::size_t firstPart = 0, parts = 0;  ///< In PoolState::parts.
    std::size_t blocks = 0, holes = 0;
    std::int64_t requested = 0, used = 0;  ///< Of its blocks; used is with rounding.
    std::int64_t holeBytes = 0, largestHole = 0;
    bool operator==(const PoolSegment&) const = default;
};

/// The memory of a device in a state: segments by address, each with its parts, which fill it without gaps. A block
/// whose size is recorded and whose segment is not (dumps without the driver's events) is a segment of its own.
struct PoolState {
    EventNumber at = kBeforeHistory;
    std::vector<PoolSegment> segments;
    std::vector<PoolPart> parts;
    std::int64_t reserved = 0;   ///< Bytes of the segments.
    std::int64_t allocated = 0;  ///< Requested bytes that the program holds.
    std::int64_t waiting = 0;    ///< Requested bytes that wait for their streams.
    std::int64_t used = 0;       ///< Of both, with rounding.
    std::size_t blocks = 0, holes = 0;
    std::int64_t holeBytes = 0, largestHole = 0;
    /// Blocks that lie in no segment, or in each other: the file contradicts itself. They are in no part.
    std::uint64_t contradictions = 0;
};

/// States of the segments: some of them, each with the entries after it, so that a state is a short replay. Constant.
class PoolHistory {
public:
    /// @return Null if cancelled. O(entries of segments · segments / 256 + blocks).
    static std::shared_ptr<const PoolHistory> make(std::shared_ptr<const DeviceSnapshot> snapshot,
                                                   const CancelToken& cancel);

    /// @return The pool after an entry (or kBeforeHistory). At the last entry it is what the file says. One pass
    ///         over all blocks by address: 10^6 take some milliseconds.
    PoolState stateAt(EventNumber at) const;
    const DeviceSnapshot& snapshot() const { return *m_snapshot; }

private:
    struct Range {
        std::int64_t begin = 0, end = 0;
    };
    struct Checkpoint {
        std::size_t entriesBefore = 0;  // of DeviceSnapshot::segmentEvents
        std::vector<Range> ranges;
    };
    struct ByAddress {
        EventNumber begin = 0, end = 0;
        BlockNumber block = 0;
    };
    std::vector<Range> rangesAt(EventNumber at) const;
    void addLooseBlocks(EventNumber at, std::vector<Range>& ranges) const;
    void addBlocks(PoolState& state) const;

    std::shared_ptr<const DeviceSnapshot> m_snapshot;
    std::vector<Checkpoint> m_checkpoints;  // the last one is the end
    std::vector<ByAddress> m_blocks;
    bool m_hasLooseBlocks = false;
};

}  // namespace altiscope
