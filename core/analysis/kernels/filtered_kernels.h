#pragma once

#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// Rows of a table, ascending: those of a list, or all of them, which takes no memory.
class FilteredRows {
public:
    FilteredRows() = default;
    /// @pre rows ascend.
    explicit FilteredRows(std::vector<std::uint32_t> rows) : m_list(std::move(rows)), m_count(m_list.size()) {}
    /// The rows [0, count).
    static FilteredRows all(std::size_t count) {
        FilteredRows rows;
        rows.m_count = count;
        return rows;
    }

    std::size_t size() const { return m_count; }
    bool empty() const { return m_count == 0; }
    /// @pre place < size()
    std::uint32_t operator[](std::size_t place) const {
        return m_list.empty() ? static_cast<std::uint32_t>(place) : m_list[place];
    }

private:
    std::vector<std::uint32_t> m_list;
    std::size_t m_count = 0;
};

/// Kernels of a rank that are looked at: rows of its table `kernel`.
struct FilteredKernels {
    RankIndex rank{};  ///< It has such a table.
    FilteredRows rows;
    std::optional<std::int64_t> device = {};  ///< Where the rank recorded several: all are of this one.
};

/// A stretch of a rank's kernels, for one worker.
struct IndexPiece {
    /// Index among the selected ranks; indexes in FilteredKernels::rows, [first, last).
    std::size_t part = 0, first = 0, last = 0;
};
/// All kernels in stretches of at most `size`, by part and place.
std::vector<IndexPiece> piecesOf(const std::vector<FilteredKernels>& selected, std::size_t size);

/// By slice of the rank's trace: whether it is one of these kernels. O(rows). @pre The rank has a trace.
std::vector<bool> slicesOfKernels(const RankEntry& rank, const FilteredRows& rows);

}  // namespace altiscope
