#pragma once

#include "core/base/values/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope {

/// A value for each pair of numbers that occurs, as the names of ranks: open addressing, because it is looked into for
/// each slice. The pair of the two largest numbers does not occur.
template <class Value>
class PairTable {
public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    static constexpr std::uint64_t key(std::uint32_t first, std::uint32_t second) {
        return (std::uint64_t{first} << 32U | second) + 1;
    }
    static constexpr std::uint64_t key(std::uint32_t first, StringId name) { return key(first, name.value); }

    /// The place of a key in entries(); made if it is new. kNone: it is new, and there are `most` already.
    std::uint32_t place(std::uint64_t key, std::size_t most = kNone) {
        if (2 * (m_entries.size() + 1) > m_slots.size()) grow();
        std::size_t slot = slotOf(key);
        while (m_slots[slot].key != 0) {
            if (m_slots[slot].key == key) return m_slots[slot].place;
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        if (m_entries.size() >= most) return kNone;
        const auto place = static_cast<std::uint32_t>(m_entries.size());
        m_slots[slot] = {key, place};
        m_entries.push_back({key, Value{}});
        return place;
    }
    Value& operator[](std::uint64_t key) { return m_entries[place(key)].value; }
    /// @pre the key is there.
    const Value& at(std::uint64_t key) const {
        std::size_t slot = slotOf(key);
        while (m_slots[slot].key != key) slot = (slot + 1) & (m_slots.size() - 1);
        return m_entries[m_slots[slot].place].value;
    }

    struct Entry {
        std::uint64_t key;
        Value value;
        std::uint32_t first() const { return static_cast<std::uint32_t>((key - 1) >> 32U); }
        std::uint32_t second() const { return static_cast<std::uint32_t>(key - 1); }
    };
    std::vector<Entry>& entries() { return m_entries; }
    const std::vector<Entry>& entries() const { return m_entries; }

private:
    struct Slot {
        std::uint64_t key = 0;  // 0: free
        std::uint32_t place = 0;
    };

    std::size_t slotOf(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & (m_slots.size() - 1);
    }
    void grow() {
        std::vector<Slot> old = std::move(m_slots);
        m_slots.assign(old.empty() ? 256 : 2 * old.size(), {});
        for (const Slot& entry : old) {
            if (entry.key == 0) continue;
            std::size_t slot = slotOf(entry.key);
            while (m_slots[slot].key != 0) slot = (slot + 1) & (m_slots.size() - 1);
            m_slots[slot] = entry;
        }
    }

    std::vector<Slot> m_slots;
    std::vector<Entry> m_entries;  // in the order of their coming
};

}  // namespace altiscope
