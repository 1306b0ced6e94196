#pragma once

#include "core/import/snapshot/seeded_hash.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope::reader {

/// Numbers by address, of blocks that come and go by the million while few are there at a time.
class AddressMap {
public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    AddressMap() : m_places(256) {}

    /// kNone if there is nothing at the address.
    std::uint32_t find(std::int64_t address) const {
        const Place& place = m_places[indexOf(address)];
        return place.isUsed ? place.number : kNone;
    }
    /// Replaces what is there.
    void set(std::int64_t address, std::uint32_t number);
    void erase(std::int64_t address);

    template <class Take>
    void each(Take&& take) const {
        for (const Place& place : m_places) {
            if (place.isUsed) take(place.address, place.number);
        }
    }

private:
    struct Place {
        std::int64_t address = 0;
        std::uint32_t number = 0;
        bool isUsed = false;
    };
    std::size_t homeOf(std::int64_t address) const {
        return static_cast<std::size_t>(seededHash(static_cast<std::uint64_t>(address))) & (m_places.size() - 1);
    }
    std::size_t indexOf(std::int64_t address) const {
        std::size_t at = homeOf(address);
        while (m_places[at].isUsed && m_places[at].address != address) at = (at + 1) & (m_places.size() - 1);
        return at;
    }

    std::vector<Place> m_places;  // open addressing, power of two
    std::size_t m_count = 0;
};

}  // namespace altiscope::reader
