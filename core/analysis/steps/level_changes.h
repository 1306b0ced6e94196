#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace altiscope {

/// Steps one after the other that take longer than the run usually does.
struct SlowStretch {
    std::size_t first = 0, end = 0;  ///< Places among the times: [first, end).
    double level = 0;                ///< The median of their times.
};

/// Where the level of a series of times changes.
struct LevelChanges {
    std::vector<SlowStretch> stretches;  ///< By place; no two of them touch.
    std::vector<bool> isUsual;           ///< By place: of the lowest level.
    double usual = 0;                    ///< Its median.
    double noise = 0;                    ///< Standard deviation of a time about its level.
};

/// A level is held for this many steps at least: a median of fewer is no more than one of them.
inline constexpr std::size_t kShortestLevel = 3;

/// Finds the levels of a series. It is cut where that explains most: penalised least squares over running medians of
/// three, so that single times are no levels. Noise is that of the series itself: the median of its differences, or of
/// its distances from the levels, whichever is larger. A level counts as slow if it lies `z` times the noise and
/// `share` of the usual level above that, if three quarters of its times lie above the middle between both, and if as
/// many of the long times would hardly follow each other by chance.
/// Source: core/analysis/FORMULAS.md section A.
/// @param times  By time. Of fewer than 2 * kShortestLevel there are no changes.
/// O(n^2); from 2,049 times on neighbours are taken together, so that it stays that.
LevelChanges levelChanges(std::span<const double> times, double z, double share);

}  // namespace altiscope
