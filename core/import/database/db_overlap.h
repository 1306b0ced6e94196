#pragma once

#include "core/import/database/db_pass.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace altiscope::reader {

/// Adds what OVERLAP_ANALYSIS would hold, for databases without one: per device the unions of computing and of
/// communication, the part of communication that nothing hides, and the gaps between all of them.
/// Source: core/import/database/FORMAT.md section 2 (this gives the vendor's intervals exactly).
/// @param intervals  Those of any number of devices, in any order.
/// @param position   Position of the slice with a number, from 0 on.
void addOverlap(std::vector<DbInterval> intervals, const std::function<SourcePos(std::int64_t)>& position,
                DbTracks& tracks, TraceBuilder::Names& names, Segment& segment);

}  // namespace altiscope::reader
