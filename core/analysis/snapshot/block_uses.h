#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <optional>

namespace altiscope {

/// Uses of a block that the history has.
struct BlockUses {
    EventNumber first = 0, last = 0;
    EventRange
        idle;  ///< Longest pause between two that follow each other, by time where entries have one; empty: none.
    std::uint64_t count = 0;
};

/// Looks for uses of a block among the entries of its life: "access" of an address within it. nullopt: there is none,
/// as of all snapshots but those made of dumps of msMemScope, or it was cancelled. O(entries of its life); any thread.
/// Source: core/import/memscope/FORMAT.md section 4.
std::optional<BlockUses> blockUses(const DeviceSnapshot& snapshot, BlockNumber block, const CancelToken& cancel);

}  // namespace altiscope
