#pragma once

#include "core/store/row_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// Appends cells to a column in blocks of RowBlock::kBlock. Cells are plain integers: reals by their bits, absent ones kNoCell.
class ColumnPacker {
public:
    /// @param expectedBytes  Memory to set aside; a guess.
    explicit ColumnPacker(RowCell cell, std::size_t expectedBytes = 0);

    void append(std::span<const std::int64_t> cells);
    PackedColumn finish();

private:
    void packBlock(std::span<const std::int64_t> cells);

    RowCell m_cell;
    std::vector<std::int64_t> m_open;  // less than a block
    std::vector<RowBlock> m_blocks;
    std::vector<char> m_bytes;
};

/// Cells of one block as plain integers, reals by their bits. `out` has as many elements as the block has cells.
void unpackBlock(const PackedColumn& column, std::size_t block, RowCell cell, std::span<std::int64_t> out);

/// One cell of a block as it is kept: scaled where the block is.
std::int64_t packedCell(const PackedColumn& column, const RowBlock& block, std::size_t place);

/// 10^scale, as a double that is exact.
double powerOfTen(std::uint8_t scale);

}  // namespace altiscope
