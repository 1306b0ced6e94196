#include "core/analysis/support/frame_tree.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <utility>

namespace altiscope {

FrameTree frameTree(const FrameSums& sums, const std::function<bool(std::uint32_t, std::uint32_t)>& before) {
    const auto count = static_cast<std::uint32_t>(sums.parents.size());
    // The children of each frame as neighbours.
    std::vector<std::uint32_t> first(count + 1), children(count);
    for (std::uint32_t i = 1; i < count; ++i) first[sums.parents[i]] += sums.counts[i] > 0 ? 1U : 0U;
    std::uint32_t sum = 0;
    for (std::uint32_t& at : first) sum += std::exchange(at, sum);
    std::vector<std::uint32_t> next(first.begin(), first.end());
    for (std::uint32_t i = 1; i < count; ++i) {
        if (sums.counts[i] > 0) children[next[sums.parents[i]]++] = i;
    }
    const auto sortChildren = [&](std::uint32_t frame) {
        std::sort(children.begin() + first[frame], children.begin() + first[frame + 1],
                  [&](std::uint32_t a, std::uint32_t b) {
                      return sums.weights[a] != sums.weights[b] ? sums.weights[a] > sums.weights[b] : before(a, b);
                  });
    };

    FrameTree tree;
    tree.nodes.push_back({0, 0, 0, sums.weights[0], sums.counts[0], 0, 0});
    struct Open {
        std::uint32_t node = 0, nextChild = 0;
        std::int64_t offset = 0;
    };
    std::vector<Open> path{{0, first[0], 0}};
    sortChildren(0);
    while (!path.empty()) {
        Open& open = path.back();
        const FrameNode& parent = tree.nodes[open.node];
        if (open.nextChild == first[parent.frame + 1]) {
            tree.nodes[open.node].end = static_cast<std::uint32_t>(tree.nodes.size());
            path.pop_back();
            continue;
        }
        const std::uint32_t frame = children[open.nextChild++];
        const std::int64_t offset = open.offset;
        addSaturated(open.offset, sums.weights[frame]);
        const auto number = static_cast<std::uint32_t>(tree.nodes.size());
        const std::uint32_t depth = parent.depth + 1;
        tree.depth = std::max(tree.depth, depth);
        tree.nodes.push_back({frame, open.node, depth, sums.weights[frame], sums.counts[frame], offset, 0});
        sortChildren(frame);
        path.push_back({number, first[frame], offset});  // `open` and `parent` are gone
    }
    return tree;
}

}  // namespace altiscope
