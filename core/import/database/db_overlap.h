#pragma once

#include "core/import/database/db_pass.h"

#include <vector>

namespace altiscope::reader {

/// What OVERLAP_ANALYSIS would hold, for databases without one: per device the unions of computing and of
/// communication, the part of communication that nothing hides, and the gaps between all of them.
/// Source: core/import/database/FORMAT.md section 2 (this gives the vendor's intervals exactly).
/// @param intervals  Of any number of devices, in any order.
void addOverlap(std::vector<DbInterval> intervals, const DbContext& context, DbTracks& tracks,
                TraceBuilder::Names& names, Segment& segment);

}  // namespace altiscope::reader
