#pragma once

#include <cstdint>
#include <vector>

namespace altiscope {

/// The child of a node by a number of its name, made if it is new: open addressing, as it is looked into for each
/// slice.
class CallTable {
public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    /// The number of nodes with the root.
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_parents.size()); }
    std::uint32_t parent(std::uint32_t node) const { return m_parents[node]; }
    std::uint32_t name(std::uint32_t node) const { return m_names[node]; }
    std::uint32_t depth(std::uint32_t node) const { return m_depths[node]; }

    /// kNone: it is new, and there may be no more.
    std::uint32_t child(std::uint32_t parent, std::uint32_t name, std::uint32_t most) {
        const std::uint64_t key = (std::uint64_t{parent} << 32U | name) + 1;
        std::size_t slot = slotOf(key);
        while (m_slots[slot].key != 0) {
            if (m_slots[slot].key == key) return m_slots[slot].node;
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        if (size() >= most) return kNone;
        const std::uint32_t node = size();
        m_slots[slot] = {key, node};
        m_parents.push_back(parent);
        m_names.push_back(name);
        m_depths.push_back(m_depths[parent] + 1);
        if (2 * std::size_t{node} > m_slots.size()) grow();
        return node;
    }

private:
    struct Slot {
        std::uint64_t key = 0;  // 0: free
        std::uint32_t node = 0;
    };
    std::size_t slotOf(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & (m_slots.size() - 1);
    }
    void grow() {
        std::vector<Slot> old(2 * m_slots.size());
        old.swap(m_slots);
        for (const Slot& entry : old) {
            if (entry.key == 0) continue;
            std::size_t slot = slotOf(entry.key);
            while (m_slots[slot].key != 0) slot = (slot + 1) & (m_slots.size() - 1);
            m_slots[slot] = entry;
        }
    }

    std::vector<Slot> m_slots = std::vector<Slot>(1024);
    std::vector<std::uint32_t> m_parents{0}, m_names{0}, m_depths{0};
};

}  // namespace altiscope
