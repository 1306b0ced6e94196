#pragma once

#include "core/store/rows/row_table.h"

#include <cstdint>
#include <memory>

namespace altiscope::pack {

/// Rows as a reader of files would give them: a time or duration that is none (isTraceTime), or a number of a device
/// that none has (kMaxDevice), is absent, so that sums and differences of two never overflow.
/// @param beyond  Gets the number of such cells.
/// @return The same rows if there are none. Null for null. O(cells of columns with times).
std::shared_ptr<const RowTables> boundedRows(std::shared_ptr<const RowTables> rows, std::uint64_t& beyond);

}  // namespace altiscope::pack
