#pragma once

#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <vector>

namespace altiscope::reader {

/// The steps that summary rows name, ascending, without times: for ranks whose timeline does not state them.
/// @note O(rows of tables with steps).
std::vector<Step> numberedSteps(const RowTables& rows);

}  // namespace altiscope::reader
