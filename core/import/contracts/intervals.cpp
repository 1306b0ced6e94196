#include "core/import/contracts/intervals.h"

#include <algorithm>

namespace altiscope::reader {

std::vector<Interval> uncovered(const std::vector<Interval>& intervals, const std::vector<Interval>& covers) {
    std::vector<Interval> rest;
    std::size_t next = 0;
    for (const Interval& one : intervals) {
        std::int64_t at = one.begin;
        while (next < covers.size() && covers[next].end <= at) ++next;
        for (std::size_t c = next; c < covers.size() && covers[c].begin < one.end; ++c) {
            if (covers[c].begin > at) rest.push_back({at, covers[c].begin});
            at = std::max(at, covers[c].end);
        }
        if (at < one.end) rest.push_back({at, one.end});
    }
    return rest;
}

}  // namespace altiscope::reader
