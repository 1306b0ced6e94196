#include "core/generate/records/overlap_lanes.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

/// Sorted ranges that neither touch nor overlap and cover the same points.
std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    std::vector<TimeRange> joined;
    for (const TimeRange& range : ranges) {
        if (range.empty()) continue;
        if (!joined.empty() && range.begin <= joined.back().end)
            joined.back().end = std::max(joined.back().end, range.end);
        else joined.push_back(range);
    }
    return joined;
}

/// Points of `from` that are not in `without`; both as unionOf gives them.
std::vector<TimeRange> difference(const std::vector<TimeRange>& from, const std::vector<TimeRange>& without) {
    std::vector<TimeRange> rest;
    std::size_t next = 0;
    for (const TimeRange& range : from) {
        TimeNs begin = range.begin;
        while (next < without.size() && without[next].end <= begin) ++next;
        for (std::size_t i = next; i < without.size() && without[i].begin < range.end; ++i) {
            if (without[i].begin > begin) rest.push_back({begin, without[i].begin});
            begin = std::max(begin, without[i].end);
        }
        if (begin < range.end) rest.push_back({begin, range.end});
    }
    return rest;
}

}  // namespace

std::vector<OverlapSlice> overlapLanes(std::vector<TimeRange> computing, std::vector<TimeRange> communication,
                                       TimeNs busyBefore) {
    const std::vector<TimeRange> computed = unionOf(std::move(computing));
    const std::vector<TimeRange> communicated = unionOf(std::move(communication));
    std::vector<TimeRange> all = computed;
    all.insert(all.end(), communicated.begin(), communicated.end());
    all = unionOf(std::move(all));

    std::vector<OverlapSlice> slices;
    const auto add = [&slices](const std::vector<TimeRange>& ranges, OverlapLane lane) {
        for (const TimeRange& range : ranges) slices.push_back({range, lane});
    };
    add(computed, OverlapLane::Computing);
    add(communicated, OverlapLane::Communication);
    add(difference(communicated, computed), OverlapLane::NotOverlapped);
    TimeNs free = busyBefore;
    for (const TimeRange& range : all) {
        if (free.value != 0 && free < range.begin) slices.push_back({{free, range.begin}, OverlapLane::Free});
        free = range.end;
    }
    std::sort(slices.begin(), slices.end(), [](const OverlapSlice& a, const OverlapSlice& b) {
        return std::pair(a.range.begin, a.lane) < std::pair(b.range.begin, b.lane);
    });
    return slices;
}

}  // namespace altiscope::generate
