#pragma once

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

}  // namespace altiscope
