#include "core/import/csv/further_columns.h"

#include "core/store/rows/row_pack.h"

#include <utility>

namespace altiscope::reader {

RowTables withRealColumn(const RowTables& tables, RowKind kind, std::string name,
                         const std::vector<std::int64_t>& values) {
    std::vector<RowTable> changed;
    for (const RowTable& table : tables.tables()) {
        if (table.kind() != kind) {
            changed.push_back(table);
            continue;
        }
        ColumnPacker packer(RowCell::Real);
        packer.append(values);
        std::vector<PackedColumn> columns = table.columns();
        columns.push_back(packer.finish());
        std::vector<std::string> extras = table.extras();
        extras.push_back(std::move(name));
        changed.emplace_back(kind, table.size(), std::move(extras), std::move(columns));
    }
    return {std::move(changed), tables.texts()};
}

}  // namespace altiscope::reader
