#include "core/query/schema/schema.h"

#include <algorithm>

namespace altiscope {

std::string_view columnTypeName(ColumnType type) {
    switch (type) {
    case ColumnType::Integer: return "INTEGER";
    case ColumnType::Real: return "REAL";
    case ColumnType::Text: return "TEXT";
    }
    return {};
}

const TableInfo* findTable(std::string_view name) {
    const auto tables = tableSchema();
    const auto found =
        std::find_if(tables.begin(), tables.end(), [name](const TableInfo& t) { return t.name == name; });
    return found == tables.end() ? nullptr : &*found;
}

int columnNumber(const TableInfo& table, std::string_view column) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == column) return static_cast<int>(i);
    return -1;
}

std::string createStatement(const TableInfo& table) {
    std::string sql = "CREATE TABLE x(";
    for (const ColumnInfo& column : table.columns) {
        if (&column != table.columns.data()) sql += ", ";
        sql += '"';
        sql += column.name;
        sql += "\" ";
        sql += columnTypeName(column.type);
        // Without it, SQLite does not take the smallest value of a column from the front of its order.
        if (column.null == Nullability::Never) sql += " NOT NULL";
    }
    return sql + ")";
}

}  // namespace altiscope
