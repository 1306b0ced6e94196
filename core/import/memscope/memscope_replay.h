#pragma once

#include "core/base/values/cancel.h"
#include "core/import/memscope/memscope_events.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Memory from its allocation to its release. Absent numbers are kNoCell.
struct MemscopeBlock {
    std::int64_t address = 0, size = 0;
    std::int64_t segment = kNoCell;                            ///< Address of the driver's memory that it lies in.
    std::int64_t owner = kNoCell, stack = kNoCell;             ///< Texts of the allocation.
    std::int64_t firstAccess = kNoCell, lastAccess = kNoCell;  ///< ns
    std::int64_t longestIdle = kNoCell;                        ///< Longest time between two accesses, ns.
    std::uint32_t alloc = kNoMemscopeBlock,
                  free = kNoMemscopeBlock;  ///< Events; absent: before or after the recording.
    std::int32_t device = kMemscopeHost;
    std::uint16_t pool = 0;
    bool isDriver = false;     ///< Memory of the device's driver itself, or of the host.
    bool holdsBlocks = false;  ///< Memory of the driver that a pool has cut up.
    bool isReplaced = false;   ///< `free` is the allocation of the next block at its address: its release is missing.
    std::uint32_t replaces = kNoMemscopeBlock;  ///< The block of which that is so, with this one.
};

/// Blocks of a dump.
struct MemscopeBlocks {
    std::vector<MemscopeBlock> blocks;
    std::uint64_t older = 0;     ///< Released and never seen allocated.
    std::uint64_t replaced = 0;  ///< Allocated again where something was.
};

/// Whether memory of this kind comes from the driver ("HAL") or is the host's ("HOST", "HOST_PINNED"), so that no pool
/// stands between.
bool isDriverPool(std::string_view pool);

/// Joins allocations, uses and releases: a block is there from its allocation to the next release of its kind at its
/// address. Fills in MemscopeEvent::block.
/// @return False if cancelled. O(events * log blocks).
/// Source: core/import/memscope/FORMAT.md section 3.
bool replayMemscope(MemscopeDump& dump, MemscopeBlocks& blocks, const CancelToken& cancel);

}  // namespace altiscope::reader
