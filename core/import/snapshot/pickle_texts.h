#pragma once

#include "core/import/snapshot/chunked_array.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// The different texts of a pickle. Those of kSnapshotWords come first, in their order.
class PickleTexts {
public:
    PickleTexts();

    /// The number of a text, which becomes one of them if it is not yet.
    std::uint32_t id(std::string_view text);
    std::string_view text(std::uint32_t id) const { return m_texts[id]; }
    std::size_t size() const { return m_texts.size(); }

private:
    struct Place {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;  ///< Plus 1; 0: free.
    };
    std::string_view kept(std::string_view text);
    void grow();

    ChunkedArray<std::string_view> m_texts;
    std::vector<Place> m_places;  // open addressing, power of two
    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_blockUsed = 0, m_blockSize = 0;
};

}  // namespace altiscope::reader
