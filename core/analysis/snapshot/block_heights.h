#pragma once

#include "core/analysis/snapshot/device_snapshot.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

/// How high blocks stand in the picture: each on those that were allocated before it and are still there, so that it
/// falls when one of these is released. Constant. Memory: 20 bytes per block, and at most 32 MB.
class BlockHeights {
public:
    /// @return Null if cancelled. O(blocks log blocks).
    static std::shared_ptr<const BlockHeights> make(const DeviceSnapshot& snapshot, const CancelToken& cancel);

    /// How many blocks have been released in a state; `heightOf` takes it. O(log blocks).
    std::uint32_t releasedAt(EventNumber at) const;
    /// Bytes below a block in a state in which it is there. O(blocks / 1000), some hundred steps at 10^6 blocks.
    std::int64_t heightOf(BlockNumber block, std::uint32_t released) const;

private:
    std::int64_t releasedBelow(BlockNumber block, std::uint32_t released) const;

    std::vector<EventNumber> m_ends;                     // of blocks that are released, ascending
    std::vector<std::uint32_t> m_releaseOf;              // by block: its number among those
    std::vector<BlockNumber> m_released;                 // block by that number
    std::vector<std::int64_t> m_below;                   // by block: bytes of all blocks before it
    std::vector<std::int64_t> m_bytes, m_releasedBytes;  // by block, by release
    std::size_t m_side = 1;                              // blocks, and releases, of a cell of the grid
    std::size_t m_columns = 0;
    std::vector<std::int64_t> m_grid;  // released bytes of the first r * side blocks among the first c * side releases
};

}  // namespace altiscope
