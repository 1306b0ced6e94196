#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace altiscope {

/// A frame of call stacks where it is drawn: right of those of its siblings that weigh more.
struct FrameNode {
    std::uint32_t frame = 0;   ///< Number of what it stands for.
    std::uint32_t parent = 0;  ///< Index in FrameTree::nodes, smaller than its own; of the root 0.
    std::uint32_t depth = 0;
    std::int64_t weight = 0;  ///< With that of the frames that it called.
    std::uint64_t count = 0;
    std::int64_t offset = 0;  ///< Weight left of it: within the weight of the root.
    std::uint32_t end = 0;    ///< Its descendants are the nodes up to here.
};

/// Frames, each before those that it called, of which the one with the most weight comes first: after one that is too
/// narrow to be seen no sibling is wider.
struct FrameTree {
    std::vector<FrameNode> nodes;  ///< The first is the root: everything.
    std::uint32_t depth = 0;       ///< Of the deepest node.
};

/// What frames amount to, by number: each with its own parent before it, 0 the root.
struct FrameSums {
    std::vector<std::uint32_t> parents;
    std::vector<std::int64_t> weights;  ///< With those of their children; none below 0.
    std::vector<std::uint64_t> counts;  ///< Frames without any are left out, as is what they called.
};

/// @param before  Order of two siblings of one weight, by number.
/// @note O(frames log siblings).
FrameTree frameTree(const FrameSums& sums, const std::function<bool(std::uint32_t, std::uint32_t)>& before);

}  // namespace altiscope
