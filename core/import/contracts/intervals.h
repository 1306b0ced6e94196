#pragma once

#include <cstdint>
#include <vector>

namespace altiscope::reader {

struct Interval {
    std::int64_t begin = 0, end = 0;  ///< ns, [begin, end)
};

/// What lies in `intervals` and not in `covers`; both ascending and disjoint, as the result is. O(both).
std::vector<Interval> uncovered(const std::vector<Interval>& intervals, const std::vector<Interval>& covers);

}  // namespace altiscope::reader
