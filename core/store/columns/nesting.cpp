#include "core/store/columns/nesting.h"

#include <algorithm>
#include <limits>

namespace altiscope {

namespace {

/// When each row becomes free; finds the first free row from a given one on. A tree of minima, because thousands of
/// overlapping slices must not cost a walk over thousands of rows each.
class FreeRows {
public:
    /// First row >= `from` that is free at `time`.
    std::uint32_t firstFree(std::uint32_t from, std::int64_t time) const {
        // Nearly always the first row looked at is free.
        if (from >= m_rows) return from;
        if (m_tree[m_capacity + from] <= time) return from;
        std::size_t node = m_capacity + from;
        while (node > 1) {
            if (node % 2 == 0 && m_tree[node + 1] <= time) {
                node += 1;
                while (node < m_capacity) node = m_tree[2 * node] <= time ? 2 * node : 2 * node + 1;
                return static_cast<std::uint32_t>(std::min<std::size_t>(node - m_capacity, m_rows));
            }
            node /= 2;
        }
        return m_rows;
    }

    void occupy(std::uint32_t row, std::int64_t until) {
        if (row == m_rows) {
            ++m_rows;
            if (m_rows > m_capacity) grow();
        }
        std::size_t node = m_capacity + row;
        m_tree[node] = until;
        while ((node /= 2) >= 1) {
            const std::int64_t min = std::min(m_tree[2 * node], m_tree[2 * node + 1]);
            if (m_tree[node] == min) break;
            m_tree[node] = min;
        }
    }

private:
    static constexpr std::int64_t kFree = std::numeric_limits<std::int64_t>::min();

    void grow() {
        const std::size_t capacity = m_capacity * 2;
        std::vector<std::int64_t> tree(capacity * 2, kFree);
        std::copy_n(m_tree.begin() + static_cast<std::ptrdiff_t>(m_capacity), m_capacity,
                    tree.begin() + static_cast<std::ptrdiff_t>(capacity));
        for (std::size_t node = capacity - 1; node >= 1; --node)
            tree[node] = std::min(tree[2 * node], tree[2 * node + 1]);
        m_tree = std::move(tree);
        m_capacity = capacity;
    }

    std::size_t m_capacity = 16;
    std::uint32_t m_rows = 0;
    std::vector<std::int64_t> m_tree = std::vector<std::int64_t>(32, kFree);
};

struct Open {
    std::uint32_t slice;
    std::int64_t end;
    std::int64_t coveredUntil;  // end of its children so far
};

template <class Item>
Nesting nest(std::span<const Item> slices, const CancelToken& cancel) {
    const auto count = static_cast<std::uint32_t>(slices.size());
    Nesting nesting;
    nesting.depth.resize(count);
    nesting.parent.resize(count);
    nesting.selfDuration.resize(count);

    // Possible parents, by begin ascending and end strictly descending: a slice that ends no later than one that begins
    // after it is never innermost again.
    std::vector<Open> open;
    FreeRows rows;

    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % 65536 == 0 && cancel.cancelled()) break;
        const std::int64_t start = slices[i].begin;
        const std::int64_t end = start + slices[i].duration;
        // A slice that ended is no parent any more, but of slices of length 0 at its very end.
        while (!open.empty() && (open.back().end < start || (open.back().end == start && end > start))) open.pop_back();

        const auto innermost =
            std::partition_point(open.begin(), open.end(), [end](const Open& o) { return o.end >= end; });
        std::uint32_t firstRow = 0;
        nesting.parent[i] = Nesting::kNoParent;
        nesting.selfDuration[i] = slices[i].duration;
        if (innermost != open.begin()) {
            Open& parent = *std::prev(innermost);
            nesting.parent[i] = parent.slice;
            firstRow = nesting.depth[parent.slice] + 1;
            const std::int64_t from = std::max(start, parent.coveredUntil);
            if (end > from) {
                nesting.selfDuration[parent.slice] -= end - from;
                parent.coveredUntil = end;
            }
        }

        const std::uint32_t row = rows.firstFree(firstRow, start);
        rows.occupy(row, end);
        nesting.depth[i] = row;
        if (row >= nesting.countOfDepth.size()) nesting.countOfDepth.resize(row + 1, 0);
        ++nesting.countOfDepth[row];

        while (!open.empty() && open.back().end <= end) open.pop_back();
        open.push_back({i, end, start});
    }
    return nesting;
}

}  // namespace

Nesting nestSlices(std::span<const SliceItem> slices, const CancelToken& cancel) { return nest(slices, cancel); }
Nesting nestSlices(std::span<const SliceExtent> slices, const CancelToken& cancel) { return nest(slices, cancel); }

}  // namespace altiscope
