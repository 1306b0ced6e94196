#pragma once

#include "core/store/rows/row_pack.h"
#include "core/store/rows/row_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace altiscope {

/// Plain integers of a column (see RowTable), for whoever walks over its rows: a block is unpacked once for all its
/// rows. Rows may come in any order; ascending is cheap. One thread; the table must outlive it.
class CellReader {
public:
    CellReader(const RowTable& table, std::size_t column)
        : m_column(table.columns()[column]), m_rows(table.size()), m_cells(RowBlock::kBlock) {}

    /// kNoCell if it is absent. @pre row is one of the table.
    std::int64_t at(std::size_t row) {
        const std::size_t block = row / RowBlock::kBlock;
        if (block != m_block) load(block);
        return m_cells[row % RowBlock::kBlock];
    }

private:
    void load(std::size_t block) {
        m_block = block;
        unpackBlock(m_column, block, {m_cells.data(), std::min(RowBlock::kBlock, m_rows - block * RowBlock::kBlock)});
    }

    const PackedColumn& m_column;
    std::size_t m_rows;
    std::size_t m_block = std::numeric_limits<std::size_t>::max();
    std::vector<std::int64_t> m_cells;
};

}  // namespace altiscope
