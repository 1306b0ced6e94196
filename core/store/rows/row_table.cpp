#include "core/store/rows/row_table.h"

#include "core/store/rows/real_cells.h"
#include "core/store/rows/row_pack.h"

#include <algorithm>

namespace altiscope {

RowTable::RowTable(RowKind kind, std::size_t rows, std::vector<std::string> extras, std::vector<PackedColumn> columns)
    : m_kind(kind), m_rows(rows), m_extras(std::move(extras)), m_columns(std::move(columns)) {}

std::int64_t RowTable::plain(std::size_t column, std::size_t row) const {
    const PackedColumn& cells = m_columns[column];
    return packedCell(cells, cells.blocks[row / RowBlock::kBlock], row % RowBlock::kBlock);
}

std::optional<double> RowTable::real(std::size_t column, std::size_t row) const {
    const std::int64_t value = plain(column, row);
    if (value == kNoCell) return std::nullopt;
    const std::uint8_t scale = block(column, row).scale;
    if (scale == RowBlock::kRawReal) return std::bit_cast<double>(value);
    return static_cast<double>(value) / powerOfTen(scale);
}

std::size_t RowTable::presentCount(std::size_t column) const {
    std::size_t present = m_rows;
    for (const RowBlock& block : m_columns[column].blocks) present -= block.absent;
    return present;
}

const RowTable* RowTables::find(RowKind kind) const {
    const auto found =
        std::find_if(m_tables.begin(), m_tables.end(), [kind](const RowTable& table) { return table.kind() == kind; });
    return found == m_tables.end() ? nullptr : &*found;
}

RowTables RowTables::with(RowKind kind, std::size_t column, const std::vector<std::int64_t>& values) const {
    RowTables copy = *this;
    for (RowTable& table : copy.m_tables) {
        if (table.kind() != kind) continue;
        const auto fixed = rowColumns(kind);
        ColumnPacker packer(column < fixed.size() ? fixed[column].cell : RowCell::Real);
        packer.append(values);
        std::vector<PackedColumn> columns = table.columns();
        columns[column] = packer.finish();
        table = RowTable(kind, table.size(), table.extras(), std::move(columns));
    }
    return copy;
}

}  // namespace altiscope
