#include "core/import/raw_records/raw_overlap.h"

#include <algorithm>
#include <utility>

namespace altiscope::reader {

RawOverlap rawOverlap(std::vector<TimeRange> computing, std::vector<TimeRange> communication, TimeRange reach) {
    RawOverlap overlap;
    overlap.computing = unionOf(std::move(computing), {});
    overlap.communication = unionOf(std::move(communication), {});
    overlap.notOverlapped = differenceOf(overlap.communication, overlap.computing);
    const IntervalSet busy = unionOf(overlap.computing, overlap.communication);
    if (!busy.empty()) {
        reach.begin = std::min(reach.begin, busy.front().begin);
        reach.end = std::max(reach.end, busy.back().end);
    }
    if (!reach.empty()) overlap.free = differenceOf({&reach, 1}, busy);
    return overlap;
}

}  // namespace altiscope::reader
