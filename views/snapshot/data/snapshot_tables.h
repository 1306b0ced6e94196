#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/support/step_source.h"
#include "views/common/support/heading_model.h"

#include <vector>

namespace altiscope {

// Headings of the tables of the page, in the present language; what they hold: core/tables/rows/snapshot_rows.h.

std::vector<ColumnHeading> blockHeadings(const DeviceSnapshot& snapshot);
std::vector<ColumnHeading> eventHeadings(const DeviceSnapshot& snapshot);
std::vector<ColumnHeading> segmentHeadings();
std::vector<ColumnHeading> stackChangeHeadings();
std::vector<ColumnHeading> loneBlockHeadings();
std::vector<ColumnHeading> poolShareHeadings();
/// @param source  Per what growth is.
std::vector<ColumnHeading> stackGrowthHeadings(StepSource source);

}  // namespace altiscope
