#pragma once

#include "core/store/rows/row_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// Appends cells to a column in blocks of RowBlock::kBlock. Cells are plain integers; absent ones kNoCell.
class ColumnPacker {
public:
    /// @param expectedBytes  Memory to set aside; a guess.
    explicit ColumnPacker(RowCell cell, std::size_t expectedBytes = 0);

    /// @param scales  Of a Real column, one per cell or none at all: see scaleReals. Without them reals come as bits of
    /// doubles.
    void append(std::span<const std::int64_t> cells, std::span<const std::uint8_t> scales = {});
    /// A block of another column of the same kind of cells as it is kept there. @return False if it has to be unpacked:
    /// it is not full, or would not begin at the begin of a block here.
    bool appendBlock(const PackedColumn& column, std::size_t block, std::size_t rows);
    PackedColumn finish();

private:
    void packOpen();

    RowCell m_cell;
    std::vector<std::int64_t> m_open;  // less than a block
    std::vector<std::uint8_t> m_openScales;
    std::vector<RowBlock> m_blocks;
    std::vector<char> m_bytes;
};

/// Cells of one block as they are kept. `out` has as many elements as the block has cells.
/// @return Scale of the block: of reals, see scaleReals.
std::uint8_t unpackBlock(const PackedColumn& column, std::size_t block, std::span<std::int64_t> out);

/// One cell of a block as it is kept: scaled where the block is.
std::int64_t packedCell(const PackedColumn& column, const RowBlock& block, std::size_t place);

}  // namespace altiscope
