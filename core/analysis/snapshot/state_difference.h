#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/snapshot/pool_state.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// Parts of a pool's memory. The first four are parts: they add up to what is reserved, where the file does not
/// contradict itself (PoolState::contradictions).
enum class PoolShare : std::uint8_t {
    Allocated,  ///< Requested by the program.
    Waiting,    ///< Released, but waiting for its streams.
    Rounding,   ///< What blocks take beyond their requests.
    Free,       ///< Holes.
    Reserved    ///< All segments.
};
inline constexpr std::size_t kPoolShares = static_cast<std::size_t>(PoolShare::Reserved) + 1;
std::string_view poolShareName(PoolShare share);  ///< "allocated", "waiting", "rounding", "free", "reserved"

/// Bytes by PoolShare.
using PoolShares = std::array<std::int64_t, kPoolShares>;
PoolShares poolShares(const PoolState& state);

/// A block that is there in one of two states.
struct LoneBlock {
    bool isAfter = false;  ///< In the second state: it is new. Else it is gone.
    BlockNumber block = kNoBlock;
    std::int64_t bytes = 0;  ///< Requested.
};
/// Blocks that are there in one of two states, of one snapshot or of two; the largest first, then those that are gone,
/// then by number. In two snapshots a block is the same if its address, its requested bytes and the call stack of its
/// allocation are, and, where both record when it was allocated, that time. O(blocks log blocks).
std::vector<LoneBlock> blocksOfOneState(const DeviceSnapshot& before, EventNumber beforeAt, const DeviceSnapshot& after,
                                        EventNumber afterAt);

}  // namespace altiscope
