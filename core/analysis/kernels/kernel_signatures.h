#pragma once

#include "core/analysis/kernels/filtered_kernels.h"
#include "core/store/rows/row_table.h"
#include "core/store/rows/text_cells.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

namespace altiscope {

/// What kernels of one rank are grouped by, in numbers of its pool of texts.
struct RawSignature {
    std::uint32_t name = 0, type = 0, core = 0, shapes = 0, kind = 0;  ///< kNoTextCell: not recorded.

    bool operator==(const RawSignature& other) const {
        // Without branches: the five are equal or not as one, nearly always.
        return ((name ^ other.name) | (type ^ other.type) | (core ^ other.core) | (shapes ^ other.shapes) |
                (kind ^ other.kind)) == 0;
    }
};

/// Numbers signatures in the order of their coming. Open addressing: a lookup for each kernel is what an index costs.
class SignatureNumbers {
public:
    std::uint32_t number(const RawSignature& key) {
        if (m_keys.size() * kSlotsOfKey >= m_slots.size()) grow();
        std::size_t at = slotOf(key);
        for (; m_slots[at] != kFree; at = (at + 1) & (m_slots.size() - 1)) {
            if (m_keys[m_slots[at]] == key) return m_slots[at];
        }
        m_slots[at] = static_cast<std::uint32_t>(m_keys.size());
        m_keys.push_back(key);
        return m_slots[at];
    }
    const std::vector<RawSignature>& keys() const { return m_keys; }

private:
    static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    /// With few taken slots the first is nearly always the one, which processors guess right.
    static constexpr std::size_t kSlotsOfKey = 4;

    std::size_t slotOf(const RawSignature& key) const {
        std::uint64_t hash = (std::uint64_t{key.name} << 32U | key.shapes) * 0x9e3779b97f4a7c15ULL;
        hash ^= (std::uint64_t{key.type} << 40U ^ std::uint64_t{key.core} << 20U ^ key.kind) * 0xbf58476d1ce4e5b9ULL;
        return static_cast<std::size_t>((hash ^ hash >> 32U) * 0x94d049bb133111ebULL >> 32U) & (m_slots.size() - 1);
    }
    void grow();

    std::vector<std::uint32_t> m_slots;
    std::vector<RawSignature> m_keys;
};

/// Signatures and steps of a stretch of kernels.
struct PieceSignatures {
    std::vector<RawSignature> keys;
    std::set<std::int64_t> steps;
};
/// @param table    Of the kernels.
/// @param numbers  Takes the index in `keys` of each kernel of the stretch.
PieceSignatures readSignatures(const RowTable& table, const FilteredRows& rows, const IndexPiece& piece,
                               std::span<std::uint32_t> numbers);

}  // namespace altiscope
