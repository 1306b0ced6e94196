#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace altiscope {

/// Selected rows of a table by their places: disjoint ranges in order, so that "all of 10^7" takes no memory.
class RowSelection {
public:
    using Range = std::pair<std::size_t, std::size_t>;  ///< [begin, end)

    void clear() { m_ranges.clear(); }
    void set(std::size_t begin, std::size_t end) {
        m_ranges.clear();
        if (begin < end) m_ranges.emplace_back(begin, end);
    }
    /// Turns one row over. O(ranges).
    void toggle(std::size_t row) {
        const bool was = contains(row);
        std::vector<Range> ranges;
        for (const Range& range : m_ranges) {
            if (!was || row < range.first || row >= range.second) {
                ranges.push_back(range);
                continue;
            }
            if (range.first < row) ranges.emplace_back(range.first, row);
            if (row + 1 < range.second) ranges.emplace_back(row + 1, range.second);
        }
        if (!was) ranges.emplace_back(row, row + 1);
        std::sort(ranges.begin(), ranges.end());
        m_ranges.clear();
        for (const Range& range : ranges) {
            if (!m_ranges.empty() && m_ranges.back().second == range.first) {
                m_ranges.back().second = range.second;
            } else {
                m_ranges.push_back(range);
            }
        }
    }
    bool contains(std::size_t row) const {
        const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), row,
                                            [](std::size_t r, const Range& range) { return r < range.first; });
        return after != m_ranges.begin() && row < std::prev(after)->second;
    }
    std::size_t count() const {
        std::size_t rows = 0;
        for (const Range& range : m_ranges) rows += range.second - range.first;
        return rows;
    }
    const std::vector<Range>& ranges() const { return m_ranges; }

private:
    std::vector<Range> m_ranges;
};

}  // namespace altiscope
