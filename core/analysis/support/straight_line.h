#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// A straight line through points, by least squares.
struct StraightLine {
    double slope = 0;
    double fit = 0;     ///< R^2.
    double margin = 0;  ///< Half of the slope's 95 % interval (Student); 0 of two points.
};

/// Through (x, y) points. O(points). All 0 where all x, or all y, are the same.
StraightLine lineThrough(std::span<const std::pair<double, double>> points);
/// Through values at 0, 1, 2 ...
StraightLine lineThrough(const std::vector<std::int64_t>& values);

/// The median of the slopes of all pairs of values at 0, 1, 2 ... (Theil and Sen): a few that are off do not move it. 0
/// of fewer than two. O(n^2 log n); of more than kMaxRobustValues by so many, evenly spread.
double robustSlope(const std::vector<std::int64_t>& values);
inline constexpr std::size_t kMaxRobustValues = 500;

}  // namespace altiscope
