#pragma once

#include "views/cluster/data/rank_grid.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// What is usual among some values, and how far they scatter around it.
struct UsualValue {
    double median = 0;
    double scatter = 0;  ///< Median of the distances from the median.
    std::size_t count = 0;

    /// 0.6745 * (value - median) / scatter: beyond 3.5 to either side a value lies apart. nullopt: of fewer than three
    /// values, or where more than half of them are equal, nothing is known about their scatter.
    /// Source: B. Iglewicz, D. Hoaglin, How to Detect and Handle Outliers, ASQC (1993).
    std::optional<double> robustZ(double value) const;
};
/// A value lies apart from there on, and by this share of the median at least: less is not worth a mark.
inline constexpr double kApartZ = 3.5, kApartShare = 0.05;

/// Of all that are not NaN. O(values).
UsualValue usualOf(const std::vector<double>& values);
bool isApart(const UsualValue& usual, double value);

/// What is usual for each rank: among those that do the same work (RankPlaces::cohortOf).
/// @param values  By index in RankPlaces::ranks; NaN: none.
/// @return The same. O(ranks * log).
std::vector<UsualValue> usualOfPeers(const RankPlaces& places, const std::vector<double>& values);

/// How the groups of one dimension, and the places in it, compare in a quantity of which more is worse.
struct DimensionSpread {
    /// Some ranks, and their folded value.
    struct Part {
        std::vector<std::uint32_t> ranks;  ///< Indexes in RankPlaces::ranks that have a value.
        double value = 0;
    };
    RankDimension dimension;
    std::size_t groups = 0;          ///< That have any value.
    Part slowest;                    ///< The group that lies farthest above the median of its peers.
    double medianGroup = 0;          ///< That median: of the groups of the same stage of the pipeline.
    std::optional<double> groupZ;    ///< UsualValue::robustZ among them.
    std::uint32_t slowestPlace = 0;  ///< In the dimension: the one whose ranks have the largest mean.
    double placeValue = 0, medianPlace = 0;
    std::optional<double> placeZ;
    Part widest;  ///< The group whose ranks differ the most, and by how much: largest - smallest.

    double cost() const { return slowest.value - medianGroup; }
};

/// A row for each of RankPlaces::groupings. O(groupings * ranks * log).
std::vector<DimensionSpread> dimensionSpreads(const RankPlaces& places, const std::vector<double>& values,
                                              RankFold fold);

}  // namespace altiscope
