#pragma once

#include "core/store/rows/row_table.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Header of a row table in a store file, before its columns.
struct RowTableShape {
    RowKind kind = RowKind::Operator;
    std::size_t rows = 0;
    std::vector<std::string> extras;
};

/// The shapes of all tables as bytes, in this machine's byte order.
std::string rowDirectory(const RowTables& tables);

/// The reverse. nullopt if the bytes are no such list.
std::optional<std::vector<RowTableShape>> rowTablesFromDirectory(std::string_view bytes);

}  // namespace altiscope
