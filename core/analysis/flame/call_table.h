#pragma once

#include "core/analysis/support/pair_table.h"

#include <cstdint>

namespace altiscope {

/// The nodes of a tree of calls by parent and name. Node 0 is the root, whose name is 0.
class CallTable {
public:
    static constexpr std::uint32_t kNone = PairTable<std::uint32_t>::kNone;

    /// The number of nodes with the root.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_depths.entries().size()) + 1; }
    std::uint32_t parent(std::uint32_t node) const { return node == 0 ? 0 : m_depths.entries()[node - 1].first(); }
    std::uint32_t name(std::uint32_t node) const { return node == 0 ? 0 : m_depths.entries()[node - 1].second(); }
    std::uint32_t depth(std::uint32_t node) const { return node == 0 ? 0 : m_depths.entries()[node - 1].value; }

    /// The child of a node by the number of its name, made if it is new. @param most  Nodes with the root, at least 1.
    /// @return kNone: it is new, and there are so many already.
    std::uint32_t child(std::uint32_t parent, std::uint32_t name, std::uint32_t most) {
        const std::uint32_t known = size(), place = m_depths.place(m_depths.key(parent, name), most - 1);
        if (place == kNone) return kNone;
        if (size() > known) m_depths.entries().back().value = depth(parent) + 1;
        return place + 1;
    }

private:
    PairTable<std::uint32_t> m_depths;  // node - 1 is the place of an entry
};

}  // namespace altiscope
