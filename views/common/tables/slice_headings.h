#pragma once

#include "views/common/support/heading_model.h"
#include "views/common/tables/table_loader.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

// Headings that tables of slices have in common, see SliceRows. GUI thread.

std::vector<ColumnHeading> sliceHeadings();

/// Slices stand by their begin unless another order is chosen, or there are too many to be sorted without a request.
void sortByBegin(TableLoader& rows);

/// Where a row of the source is shown; nullopt if it is filtered out or not known yet. O(rows).
std::optional<std::size_t> shownPlaceOf(const TableRows& rows, std::uint32_t row);

}  // namespace altiscope
