#include "core/import/snapshot/address_map.h"

namespace altiscope::reader {

void AddressMap::set(std::int64_t address, std::uint32_t number) {
    Place& place = m_places[indexOf(address)];
    m_count += place.isUsed ? 0 : 1;
    place = {address, number, true};
    if (m_count * 2 < m_places.size()) return;
    std::vector<Place> before(m_places.size() * 2);
    m_places.swap(before);
    for (const Place& one : before) {
        if (one.isUsed) m_places[indexOf(one.address)] = one;
    }
}

void AddressMap::erase(std::int64_t address) {
    const std::size_t mask = m_places.size() - 1;
    std::size_t hole = indexOf(address);
    if (!m_places[hole].isUsed) return;
    --m_count;
    // Entries that the erased one pushed on move up: no marks of erased ones stay.
    for (std::size_t at = (hole + 1) & mask; m_places[at].isUsed; at = (at + 1) & mask) {
        const std::size_t home = homeOf(m_places[at].address);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        m_places[hole] = m_places[at];
        hole = at;
    }
    m_places[hole].isUsed = false;
}

}  // namespace altiscope::reader
