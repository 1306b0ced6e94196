#pragma once

#include "core/store/rows/row_kinds.h"

#include <cstddef>
#include <string_view>

namespace altiscope {

/// rowColumn() that is looked up when the program is compiled: for what is done for each row.
consteval std::size_t fixedColumn(RowKind kind, std::string_view name) { return rowColumn(kind, name); }

}  // namespace altiscope
