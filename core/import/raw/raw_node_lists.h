#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace altiscope::reader {

/// Numbers of records by the node that they lie in, each node's by time.
class RawNodeLists {
public:
    /// @param nodes  Of records, in the order in which they are to stand; -1: in none.
    void build(std::size_t nodeCount, std::span<const std::int64_t> nodes, std::span<const std::uint32_t> records) {
        m_first.assign(nodeCount + 1, 0);
        for (const std::int64_t node : nodes) {
            if (node >= 0) ++m_first[static_cast<std::size_t>(node) + 1];
        }
        std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
        m_records.resize(m_first.back());
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i] >= 0) m_records[next[static_cast<std::size_t>(nodes[i])]++] = records[i];
        }
    }
    std::span<const std::uint32_t> of(std::int64_t node) const {
        const auto number = static_cast<std::size_t>(node);
        return std::span(m_records).subspan(m_first[number], m_first[number + 1] - m_first[number]);
    }

private:
    std::vector<std::uint32_t> m_first, m_records;
};

}  // namespace altiscope::reader
