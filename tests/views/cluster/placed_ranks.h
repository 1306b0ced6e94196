#pragma once

#include "views/cluster/data/rank_grid.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::test {

/// Ranks of a job in the order of Megatron, all of them here: by kinds and sizes, the innermost first.
inline RankPlaces placedRanks(const std::vector<std::pair<std::string, std::uint32_t>>& sizes) {
    RankPlaces places;
    std::uint32_t count = 1;
    for (const auto& [kind, size] : sizes) {
        places.dimensions.push_back({kind, size});
        count *= size;
    }
    for (std::uint32_t r = 0; r < count; ++r) {
        PlacedRank rank{r, rankIndex(r), {}};
        std::uint32_t left = r;
        for (const auto& [kind, size] : sizes) {
            rank.at.push_back(left % size);
            left /= size;
        }
        places.ranks.push_back(std::move(rank));
    }
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        RankGrouping grouping{places.dimensions[d], {}, {}};
        for (const PlacedRank& rank : places.ranks) {
            std::uint32_t group = 0, factor = 1;
            for (std::size_t other = 0; other < sizes.size(); ++other) {
                if (other == d) continue;
                group += rank.at[other] * factor;
                factor *= sizes[other].second;
            }
            grouping.group.push_back(group);
            grouping.place.push_back(rank.at[d]);
        }
        places.groupings.push_back(std::move(grouping));
    }
    return places;
}

}  // namespace altiscope::test
