#pragma once

#include "core/query/schema/schema.h"

#include <span>
#include <string_view>

namespace altiscope {

/// A function whose result is read like a table: SELECT ... FROM name(arguments).
struct TableFunctionInfo {
    std::string_view name;
    std::string_view call;  ///< As users write it.
    std::string_view meaning;
    std::span<const ColumnInfo> columns;
    std::span<const ColumnInfo> arguments;
};

/// A statement with a name that is read like a table.
struct ViewInfo {
    std::string_view name;
    std::string_view meaning;
    std::span<const ColumnInfo> columns;
    std::string_view sql;
};

// Constants; any thread; O(1). Listed with the tables in resources/help/reference/sql.md.
std::span<const TableFunctionInfo> tableFunctions();
std::span<const ViewInfo> schemaViews();

}  // namespace altiscope
