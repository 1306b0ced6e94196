#include "core/generate/records/overlap_lanes.h"

#include "core/base/columns/interval_set.h"

#include <algorithm>

namespace altiscope::generate {

std::vector<OverlapSlice> overlapLanes(std::vector<TimeRange> computing, std::vector<TimeRange> communication,
                                       TimeNs busyBefore) {
    const IntervalSet computed = unionOf(std::move(computing), {}),
                      communicated = unionOf(std::move(communication), {});

    std::vector<OverlapSlice> slices;
    const auto add = [&slices](const IntervalSet& ranges, OverlapLane lane) {
        for (const TimeRange& range : ranges) slices.push_back({range, lane});
    };
    add(computed, OverlapLane::Computing);
    add(communicated, OverlapLane::Communication);
    add(differenceOf(communicated, computed), OverlapLane::NotOverlapped);
    TimeNs free = busyBefore;
    for (const TimeRange& range : unionOf(computed, communicated)) {
        if (free.value != 0 && free < range.begin) slices.push_back({{free, range.begin}, OverlapLane::Free});
        free = range.end;
    }
    std::sort(slices.begin(), slices.end(), [](const OverlapSlice& a, const OverlapSlice& b) {
        return std::pair(a.range.begin, a.lane) < std::pair(b.range.begin, b.lane);
    });
    return slices;
}

}  // namespace altiscope::generate
