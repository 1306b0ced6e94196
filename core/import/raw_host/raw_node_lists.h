#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
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

/// Records of a node by the operator that they describe, made when they are first looked for: nearly always a node has
/// one, but of many each of its tasks looks for its own.
class RawRecordsByName {
public:
    /// The records of an operator, in their order. Valid until this is gone.
    /// @param numbers  Of the node's records, as RawNodeLists has them.
    /// @param records  With `op`.
    template <class Records>
    std::span<const std::uint32_t> of(std::int64_t node, std::uint64_t name, std::span<const std::uint32_t> numbers,
                                      const Records& records) {
        if (numbers.size() < 2)
            return numbers.empty() || records[numbers.front()].op == name ? numbers : numbers.first(0);
        const auto [known, isNew] = m_nodes.try_emplace(node);
        std::vector<std::uint32_t>& sorted = known->second;
        if (isNew) {
            sorted.assign(numbers.begin(), numbers.end());
            std::stable_sort(sorted.begin(), sorted.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return records[a].op < records[b].op; });
        }
        const auto first = std::lower_bound(sorted.begin(), sorted.end(), name,
                                            [&](std::uint32_t i, std::uint64_t op) { return records[i].op < op; });
        const auto last = std::upper_bound(first, sorted.end(), name,
                                           [&](std::uint64_t op, std::uint32_t i) { return op < records[i].op; });
        return std::span<const std::uint32_t>(sorted).subspan(static_cast<std::size_t>(first - sorted.begin()),
                                                              static_cast<std::size_t>(last - first));
    }

private:
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> m_nodes;
};

}  // namespace altiscope::reader
