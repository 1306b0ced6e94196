#pragma once

#include "core/query/lookup/name_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// Slices of one rank for a NameWalk.
struct RankNames {
    RankIndex rank{};
    std::uint32_t group = 0;  ///< Ranks of a lower group come first; 0 for all if names rule alone.
    const StringPool* pool = nullptr;
    std::shared_ptr<const NameIndex> index;
    std::optional<std::vector<StringId>> ids;  ///< Which names, ascending; all of them where it is absent.
};

/// Goes through slices by name: (group, name by bytes, rank, place). Not thread-safe.
/// Cost: O(1) a slice, O(log ranks) a name.
class NameWalk {
public:
    void start(std::vector<RankNames> ranks);

    bool atEnd() const { return m_at == m_slices.size() && m_heap.empty(); }
    void next() {
        if (++m_at == m_slices.size()) nextList();
    }
    /// Leaves out the rest of this name, in all ranks.
    void skipName();

    RankIndex rank() const { return m_rank; }
    std::uint32_t slice() const { return m_slices[m_at]; }
    std::string_view name() const { return m_name; }

private:
    struct Head {
        std::uint32_t group;
        std::uint32_t source;  ///< In m_sources.
        std::string_view name;
    };
    struct Source {
        RankNames names;
        std::uint32_t next = 0;  ///< Index in ids, or the id itself.
    };
    struct Later;

    /// Moves a source to its next name that has slices and puts it on the heap; nothing if there is none.
    void push(std::uint32_t source);
    void nextList();

    std::vector<Source> m_sources;
    std::vector<Head> m_heap;
    std::span<const std::uint32_t> m_slices;
    std::size_t m_at = 0;
    RankIndex m_rank;
    std::string_view m_name;
};

}  // namespace altiscope
