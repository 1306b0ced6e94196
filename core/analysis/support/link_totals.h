#pragma once

#include "core/store/rows/row_table.h"

#include <optional>

namespace altiscope {

/// Which rows of `link` add up to all that was moved: the files' totals or, where there are none, the single calls.
/// Those of any other selection list calls once more (core/import/communication/FORMAT.md).
/// @return A text of the column `selection`; nullopt: no row has either. Cost: one pass over that column at most.
std::optional<StringId> summedSelection(const RowTables& tables, const RowTable& links);

}  // namespace altiscope
