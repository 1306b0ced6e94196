#pragma once

#include <cstddef>

namespace altiscope {

/// Answers over index ranges of an array ("longest of", "least of") from summaries of blocks of kPyramidFan elements,
/// of blocks of such blocks, and so on. Level k holds ceil(elements / kPyramidFan^k) nodes; levels stand one after the
/// other, lowest first, and end with the first that has at most kPyramidFan nodes. Arrays up to kPyramidFan have no
/// nodes.
inline constexpr std::size_t kPyramidFan = 16;

/// Number of nodes above `leaves` elements.
constexpr std::size_t pyramidNodes(std::size_t leaves) {
    std::size_t nodes = 0;
    while (leaves > kPyramidFan) {
        leaves = (leaves + kPyramidFan - 1) / kPyramidFan;
        nodes += leaves;
    }
    return nodes;
}

/// Fills `nodes` (pyramidNodes(leaves) of them). `leaf(i)` gives element i as a node, `merge(a, b)` joins two.
/// O(leaves).
template <class Node, class Leaf, class Merge>
void buildPyramid(std::size_t leaves, Node* nodes, Leaf leaf, Merge merge) {
    const Node* below = nullptr;
    while (leaves > kPyramidFan) {
        const std::size_t count = (leaves + kPyramidFan - 1) / kPyramidFan;
        for (std::size_t block = 0; block < count; ++block) {
            const std::size_t first = block * kPyramidFan;
            const std::size_t last = first + kPyramidFan < leaves ? first + kPyramidFan : leaves;
            Node node = below == nullptr ? leaf(first) : below[first];
            for (std::size_t i = first + 1; i < last; ++i) node = merge(node, below == nullptr ? leaf(i) : below[i]);
            nodes[block] = node;
        }
        below = nodes;
        nodes += count;
        leaves = count;
    }
}

/// The join of elements [from, to), from < to <= leaves, merged in no particular order. O(log leaves).
template <class Node, class Leaf, class Merge>
Node foldPyramid(std::size_t leaves, const Node* nodes, std::size_t from, std::size_t to, Leaf leaf, Merge merge) {
    const Node* level = nullptr;  // null: the elements themselves
    const auto at = [&](std::size_t i) { return level == nullptr ? leaf(i) : level[i]; };
    Node node = at(from++);
    while (from < to) {
        if (leaves <= kPyramidFan || to - from < 2 * kPyramidFan) {
            while (from < to) node = merge(node, at(from++));
            break;
        }
        while (from % kPyramidFan != 0) node = merge(node, at(from++));
        while (to % kPyramidFan != 0) node = merge(node, at(--to));
        from /= kPyramidFan;
        to /= kPyramidFan;
        level = level == nullptr ? nodes : level + leaves;
        leaves = (leaves + kPyramidFan - 1) / kPyramidFan;
    }
    return node;
}

}  // namespace altiscope
