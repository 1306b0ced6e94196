#include "core/analysis/memory/owner_tree.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace altiscope {

namespace {

/// A node while the tree grows.
struct OwnerBranch {
    std::string holder;
    std::int64_t bytes = 0, ownBytes = 0;
    std::uint64_t count = 0, ownCount = 0;
    std::int64_t unused = 0;
    std::map<std::string, std::unique_ptr<OwnerBranch>, std::less<>> children;
};

std::vector<std::string_view> ownerLabels(std::string_view name) {
    std::vector<std::string_view> labels;
    while (!name.empty()) {
        const bool isLast = labels.size() + 1 == kMaxOwnerDepth;
        const std::size_t end = isLast ? name.size() : std::min(name.find('@'), name.size());
        if (end > 0) labels.push_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return labels;
}

OwnerBranch& branchOf(OwnerBranch& parent, std::string_view label) {
    const auto there = parent.children.find(label);
    if (there != parent.children.end()) return *there->second;
    return *parent.children.emplace(std::string(label), std::make_unique<OwnerBranch>()).first->second;
}

void addHolder(OwnerBranch& root, const MemoryHolder& holder) {
    OwnerBranch* at = &root;
    const auto add = [&holder](OwnerBranch& branch) {
        addSaturated(branch.bytes, holder.bytes);
        branch.count += holder.count;
    };
    add(root);
    for (const std::string_view label : ownerLabels(holder.name)) {
        at = &branchOf(*at, label);
        add(*at);
    }
    addSaturated(at->ownBytes, holder.bytes);
    at->ownCount += holder.count;
    at->holder = holder.name;
}

void addReserve(OwnerBranch& root, const PoolReserve& pool, std::optional<std::int64_t> driver) {
    const auto branch = root.children.find(pool.component);
    if (branch == root.children.end()) return;
    OwnerBranch& owner = *branch->second;
    std::int64_t unused = saturatedDifference(pool.reserved, owner.bytes);
    if (driver) unused = std::min(unused, saturatedDifference(*driver, root.bytes));
    if (unused <= 0) return;
    owner.unused = unused;
    addSaturated(owner.bytes, unused);
    addSaturated(root.bytes, unused);
}

class OwnerWalk {
public:
    explicit OwnerWalk(std::vector<OwnerNode>& nodes) : m_nodes(nodes) {}

    void add(const std::string& label, const OwnerBranch& branch, std::uint32_t parent, std::uint32_t depth) {
        const auto place = static_cast<std::uint32_t>(m_nodes.size());
        const bool isLeaf = branch.children.empty() && branch.unused == 0;
        m_nodes.push_back({.label = label,
                           .holder = isLeaf ? branch.holder : std::string(),
                           .bytes = branch.bytes,
                           .count = branch.count,
                           .parent = parent,
                           .depth = depth});
        if (!isLeaf) addParts(branch, place, depth + 1);
        m_nodes[place].end = static_cast<std::uint32_t>(m_nodes.size());
    }

private:
    /// Children by size; what has no further label and what is unused are two of them.
    void addParts(const OwnerBranch& branch, std::uint32_t place, std::uint32_t depth) {
        OwnerBranch own, unused;
        own.holder = branch.holder;
        own.bytes = branch.ownBytes;
        own.count = branch.ownCount;
        unused.bytes = branch.unused;
        static const std::string kNoLabel;
        std::vector<std::pair<const std::string*, const OwnerBranch*>> parts;
        for (const auto& [label, child] : branch.children) parts.emplace_back(&label, child.get());
        if (own.count > 0) parts.emplace_back(&kNoLabel, &own);
        if (unused.bytes > 0) parts.emplace_back(&kNoLabel, &unused);
        std::stable_sort(parts.begin(), parts.end(),
                         [](const auto& a, const auto& b) { return a.second->bytes > b.second->bytes; });
        for (const auto& [label, part] : parts) {
            const std::size_t at = m_nodes.size();
            add(*label, *part, place, depth);
            m_nodes[at].isUnused = part == &unused;
        }
    }

    std::vector<OwnerNode>& m_nodes;
};

}  // namespace

std::vector<std::uint32_t> OwnerTree::children(std::uint32_t node) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) found.push_back(child);
    return found;
}

std::vector<std::string_view> OwnerTree::path(std::uint32_t node) const {
    std::vector<std::string_view> labels;
    for (; node != 0; node = nodes[node].parent) labels.insert(labels.begin(), nodes[node].label);
    return labels;
}

std::uint32_t OwnerTree::find(const std::vector<std::string>& path) const {
    std::uint32_t node = 0;
    for (const std::string& label : path) {
        const auto below = children(node);
        const auto next = std::find_if(below.begin(), below.end(), [&](std::uint32_t child) {
            return nodes[child].label == label && !nodes[child].isUnused;
        });
        if (next == below.end()) break;
        node = *next;
    }
    return node;
}

OwnerTree ownerTree(const AliveMemory& alive, const std::vector<PoolReserve>& pools,
                    std::optional<std::int64_t> driver) {
    OwnerTree tree{.at = alive.at, .nodes = {}};
    OwnerBranch root;
    for (const MemoryHolder& holder : alive.holders) addHolder(root, holder);
    for (const PoolReserve& pool : pools) addReserve(root, pool, driver);
    OwnerWalk(tree.nodes).add({}, root, 0, 0);
    return tree;
}

}  // namespace altiscope
