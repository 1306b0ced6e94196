#include "core/import/raw/raw_overlap.h"

#include <algorithm>
#include <tuple>

namespace altiscope::reader {

namespace {

using Intervals = std::vector<RawInterval>;

/// Those that touch become one, empty ones none.
Intervals mergedIntervals(Intervals intervals) {
    std::sort(intervals.begin(), intervals.end(), [](const RawInterval& a, const RawInterval& b) {
        return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    Intervals merged;
    for (const RawInterval& one : intervals) {
        if (one.begin >= one.end) continue;
        if (!merged.empty() && one.begin <= merged.back().end) merged.back().end = std::max(merged.back().end, one.end);
        else merged.push_back(one);
    }
    return merged;
}

}  // namespace

RawOverlap rawOverlap(std::vector<RawInterval> computing, std::vector<RawInterval> communication, RawInterval reach) {
    RawOverlap overlap;
    overlap.computing = mergedIntervals(std::move(computing));
    overlap.communication = mergedIntervals(std::move(communication));
    overlap.notOverlapped = uncovered(overlap.communication, overlap.computing);
    Intervals busy = overlap.computing;
    busy.insert(busy.end(), overlap.communication.begin(), overlap.communication.end());
    busy = mergedIntervals(std::move(busy));
    if (!busy.empty()) {
        reach.begin = std::min(reach.begin, busy.front().begin);
        reach.end = std::max(reach.end, busy.back().end);
    }
    if (reach.begin < reach.end) overlap.free = uncovered({reach}, busy);
    return overlap;
}

}  // namespace altiscope::reader
