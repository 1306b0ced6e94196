#include "core/analysis/flame/flame_tree.h"

#include "core/analysis/flame/call_table.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// Steps along paths of callers, one by one.
constexpr std::size_t kMaxSteps = 20'000'000;
constexpr std::size_t kNodesBetweenTreePolls = 4096;

std::int64_t ownWeight(const CallNode& node, FlameWeight weight) {
    return weight == FlameWeight::Device ? node.device : node.self;
}

std::vector<FlameFrame> topDown(const FlameCalls& calls, FlameWeight weight) {
    std::vector<FlameFrame> frames(calls.nodes.size());
    for (std::uint32_t i = 0; i < frames.size(); ++i) {
        const CallNode& node = calls.nodes[i];
        FlameFrame& frame = frames[i];
        frame.parent = node.parent;
        frame.name = calls.name(i);
        frame.weight = weight == FlameWeight::Device ? node.allDevice : node.total;
        frame.calls = node.calls;
        frame.total = node.total;
        frame.self = node.self;
        frame.tasks = node.allTasks;
        frame.device = node.allDevice;
        frame.longest = node.longest;
    }
    return frames;
}

/// Nodes below which a call of the same function is.
std::vector<bool> recursiveNodes(const FlameCalls& calls) {
    std::vector<bool> is(calls.nodes.size());
    // Nodes are not by path: each looks along its own, which ends at once where its name occurs once on one.
    std::vector<std::uint32_t> nodesOfName(calls.names.size());
    for (std::uint32_t i = 1; i < is.size(); ++i) ++nodesOfName[calls.nodes[i].name];
    for (std::uint32_t i = 1; i < is.size(); ++i) {
        if (nodesOfName[calls.nodes[i].name] < 2) continue;
        for (std::uint32_t at = calls.nodes[i].parent; at != 0 && !is[i]; at = calls.nodes[at].parent)
            is[i] = calls.nodes[at].name == calls.nodes[i].name;
    }
    return is;
}

std::vector<FlameFrame> bottomUp(const FlameCalls& calls, FlameWeight weight, bool& isCut, const CancelToken& cancel) {
    std::vector<std::int64_t> weights(calls.nodes.size());
    const std::vector<bool> isRecursive =
        weight == FlameWeight::Host ? recursiveNodes(calls) : std::vector<bool>(calls.nodes.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 1; i < weights.size(); ++i) {
        weights[i] = weight != FlameWeight::Host ? ownWeight(calls.nodes[i], weight)
                     : isRecursive[i]            ? 0
                                                 : calls.nodes[i].total;
        if (weights[i] > 0 && calls.nodes[i].calls > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
    CallTable table;
    std::vector<FlameFrame> frames(1);
    std::vector<std::int64_t> longest(1, -1);
    std::size_t steps = 0, seen = 0;
    for (const std::uint32_t number : order) {
        if (++seen % kNodesBetweenTreePolls == 0 && cancel.cancelled()) return {};
        const CallNode& node = calls.nodes[number];
        const std::int64_t length =
            node.longest.slice == kNoSlice
                ? -1
                : calls.capture->ranks[node.longest.rank.value].trace->duration(node.longest.slice).value;
        std::uint32_t at = 0;
        const auto add = [&](std::uint32_t to) {
            FlameFrame& frame = frames[to];
            addSaturated(frame.weight, weights[number]);
            addSaturated(frame.self, node.self);
            // Of recursive calls the outermost has the time of all.
            if (weight != FlameWeight::Host || !isRecursive[number]) addSaturated(frame.total, node.total);
            frame.calls += node.calls;
            frame.tasks += node.tasks;
            addSaturated(frame.device, node.device);
            if (length > longest[to]) {
                longest[to] = length;
                frame.longest = node.longest;
            }
        };
        add(0);
        for (std::uint32_t caller = number; caller != 0; caller = calls.nodes[caller].parent) {
            // The functions themselves are all there: their names are fewer than nodes may be.
            if (at != 0 && ++steps > kMaxSteps) {
                isCut = true;
                break;
            }
            const std::uint32_t next = table.child(at, calls.nodes[caller].name, FlameCalls::kMaxNodes);
            if (next == CallTable::kNone) {
                isCut = true;
                break;
            }
            if (next == frames.size()) {
                FlameFrame& made = frames.emplace_back();
                made.parent = at;
                made.name = calls.names[calls.nodes[caller].name];
                longest.push_back(-1);
            }
            add(next);
            at = next;
        }
    }
    return frames;
}

std::vector<FlameFrame> framesOf(const FlameCalls& calls, FlameWeight weight, FlameOrder order, bool& isCut,
                                 const CancelToken& cancel) {
    return order == FlameOrder::TopDown ? topDown(calls, weight) : bottomUp(calls, weight, isCut, cancel);
}

/// Adds the frames of a base to those that have the same names on their paths.
void addBase(std::vector<FlameFrame>& frames, const std::vector<FlameFrame>& base) {
    std::unordered_map<std::string_view, std::uint32_t> names;
    const auto nameOf = [&](std::string_view name) {
        return names.try_emplace(name, static_cast<std::uint32_t>(names.size())).first->second;
    };
    // No frame of either is left out.
    const auto most = static_cast<std::uint32_t>(frames.size() + base.size());
    CallTable table;
    for (std::uint32_t i = 1; i < frames.size(); ++i) table.child(frames[i].parent, nameOf(frames[i].name), most);
    std::vector<std::uint32_t> to(base.size());
    for (std::uint32_t i = 0; i < base.size(); ++i) {
        if (i > 0) {
            to[i] = table.child(to[base[i].parent], nameOf(base[i].name), most);
            if (to[i] == frames.size()) {
                FlameFrame& made = frames.emplace_back();
                made.parent = to[base[i].parent];
                made.name = base[i].name;
            }
        }
        frames[to[i]].baseWeight = base[i].weight;
        frames[to[i]].baseCalls = base[i].calls;
    }
}

}  // namespace

double flameShare(std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

double FlameTree::change(std::uint32_t node) const {
    if (base == nullptr) return 0;
    return flameShare(frame(node).weight, all) - flameShare(frame(node).baseWeight, baseAll);
}

std::shared_ptr<const FlameTree> flameTree(std::shared_ptr<const FlameCalls> calls,
                                           std::shared_ptr<const FlameCalls> base, FlameWeight weight, FlameOrder order,
                                           const CancelToken& cancel) {
    auto tree = std::make_shared<FlameTree>();
    tree->calls = std::move(calls);
    tree->base = std::move(base);
    tree->weight = weight;
    tree->order = order;
    const auto allOf = [&](const FlameCalls& of) {
        return weight == FlameWeight::Device ? of.nodes[0].allDevice : of.nodes[0].total;
    };
    tree->all = allOf(*tree->calls);
    tree->frames = framesOf(*tree->calls, weight, order, tree->isCut, cancel);
    if (tree->base != nullptr && !cancel.cancelled()) {
        tree->baseAll = allOf(*tree->base);
        addBase(tree->frames, framesOf(*tree->base, weight, order, tree->isCut, cancel));
    }
    if (cancel.cancelled()) return nullptr;
    FrameSums sums;
    for (const FlameFrame& frame : tree->frames) {
        sums.parents.push_back(frame.parent);
        const double share = std::max(flameShare(frame.weight, tree->all), flameShare(frame.baseWeight, tree->baseAll));
        sums.weights.push_back(tree->base == nullptr ? frame.weight : std::llround(share * kFlameShare));
        const bool isSeen = frame.weight > 0 || frame.baseWeight > 0;
        sums.counts.push_back(isSeen ? std::max<std::uint64_t>(1, frame.calls + frame.baseCalls) : 0);
    }
    if (tree->base != nullptr) {
        std::vector<std::int64_t> children(sums.weights.size());
        for (std::size_t i = children.size(); i-- > 0;) {
            sums.weights[i] = std::max(sums.weights[i], children[i]);
            if (i > 0) addSaturated(children[sums.parents[i]], sums.weights[i]);
        }
    }
    const auto& frames = tree->frames;
    static_cast<FrameTree&>(*tree) =
        frameTree(sums, [&](std::uint32_t a, std::uint32_t b) { return frames[a].name < frames[b].name; });
    return tree;
}

std::int64_t matchedWeight(const FlameCalls& calls, FlameWeight weight, const std::vector<bool>& hits) {
    std::vector<bool> isWithin(calls.nodes.size());
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < isWithin.size(); ++i) {
        const CallNode& node = calls.nodes[i];
        isWithin[i] = isWithin[node.parent] || hits[node.name];
        if (isWithin[i]) addSaturated(sum, ownWeight(node, weight));
    }
    return sum;
}

}  // namespace altiscope
