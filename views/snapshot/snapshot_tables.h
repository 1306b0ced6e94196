#pragma once

#include "views/common/support/heading_model.h"

#include <vector>

namespace altiscope {

// Headings of the tables of the page, in the present language; what they hold: core/tables/snapshot_rows.h.

std::vector<ColumnHeading> blockHeadings();
std::vector<ColumnHeading> eventHeadings();
std::vector<ColumnHeading> segmentHeadings();
std::vector<ColumnHeading> stackChangeHeadings();

}  // namespace altiscope
