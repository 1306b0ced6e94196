#pragma once

#include "core/base/values/time.h"
#include "core/generate/records/unit_record.h"

#include <vector>

namespace altiscope::generate {

/// The four lanes of the overlap analysis, by start and then lane. Computing and Communication are the unions of their
/// ranges, Communication(Not Overlapped) is the second without the first, Free is what neither covers.
/// @param busyBefore  End of the last busy range before these; begin of the first Free slice. 0: nothing was before.
std::vector<OverlapSlice> overlapLanes(std::vector<TimeRange> computing, std::vector<TimeRange> communication,
                                       TimeNs busyBefore);

}  // namespace altiscope::generate
