#pragma once

#include "core/analysis/memory/memory_allocations.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Memory of one owner, with what the owners within it have.
struct OwnerNode {
    std::string label;       ///< The last one of its path: "weight". Empty: the root, or what has no further label.
    std::string holder;      ///< Name of its allocations in the table; empty where the labels go on.
    std::int64_t bytes = 0;  ///< With all below.
    std::uint64_t count = 0;
    std::uint32_t parent = 0;
    std::uint32_t end = 0;  ///< After the last node below it. Its children begin right after it.
    std::uint32_t depth = 0;
    bool isUnused = false;  ///< Reserved by its parent, a pool, and not given out.
};

/// Owners at a moment: in the order of a walk from the root, which is the first; of one parent the largest first.
struct OwnerTree {
    TimeNs at;
    std::vector<OwnerNode> nodes;

    /// Children of a node, in their order. O(children).
    std::vector<std::uint32_t> children(std::uint32_t node) const;
    /// Labels from below the root down to a node.
    std::vector<std::string_view> path(std::uint32_t node) const;
    /// The deepest node whose path begins the given one.
    std::uint32_t find(const std::vector<std::string>& path) const;
};

/// Bytes that a pool has reserved; `component` is the first label of what it gives out.
struct PoolReserve {
    std::string component;
    std::int64_t reserved = 0;
};

/// Labels deeper than this belong to the last one.
inline constexpr std::size_t kMaxOwnerDepth = 20;

/// Sorts what is alive by the labels of its names, which @ separates, from the coarsest on. Of a pool that reserves
/// more than that the rest is an owner of its own. O(names * labels * log names); any thread.
/// @param driver  Bytes that the device's driver has given out, which all have together at most: a segment that a pool
///                has not cut up yet is a block of the driver and counts once. nullopt: not known.
/// Source: core/analysis/FORMULAS.md section D.
OwnerTree ownerTree(const AliveMemory& alive, const std::vector<PoolReserve>& pools,
                    std::optional<std::int64_t> driver = {});

}  // namespace altiscope
