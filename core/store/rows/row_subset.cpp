#include "core/store/rows/row_subset.h"

#include "core/store/rows/row_pack.h"

#include <bit>
#include <utility>

namespace altiscope {

RowTable rowSubset(const RowTable& table, std::span<const std::uint32_t> rows,
                   const std::map<std::size_t, std::vector<std::int64_t>>& replaced) {
    std::vector<PackedColumn> columns;
    std::vector<std::int64_t> cells(rows.size());
    const auto kinds = rowColumns(table.kind());
    for (std::size_t column = 0; column < kinds.size(); ++column) {
        const auto other = replaced.find(column);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (other != replaced.end()) {
                cells[i] = other->second[i];
            } else if (kinds[column].cell == RowCell::Real) {
                const auto value = table.real(column, rows[i]);
                cells[i] = value ? std::bit_cast<std::int64_t>(*value) : kNoCell;
            } else {
                cells[i] = table.integer(column, rows[i]).value_or(kNoCell);
            }
        }
        ColumnPacker packer(kinds[column].cell);
        packer.append(cells);
        columns.push_back(packer.finish());
    }
    return {table.kind(), rows.size(), {}, std::move(columns)};
}

}  // namespace altiscope
