#pragma once

#include "core/store/rows/row_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::reader {

/// A copy in which a kind has one further real column, see RowTable::extras. O(rows of the kind).
/// @param values  Bits of doubles, or kNoCell; one per row.
RowTables withRealColumn(const RowTables& tables, RowKind kind, std::string name,
                         const std::vector<std::int64_t>& values);

}  // namespace altiscope::reader
