#pragma once

#include "views/cluster/canvas/rank_canvas.h"
#include "views/cluster/data/cluster_source.h"

#include <memory>
#include <set>
#include <string>

namespace altiscope {

/// What of a ClusterSource is drawn.
struct RankPictureChoice {
    RankMetric metric = RankMetric::StepTime;
    std::set<std::string> folded;  ///< Kinds of dimensions.
    RankFold fold = RankFold::Mean;
    std::string frames;  ///< Kind of the groups that are framed; empty: none.
    bool operator==(const RankPictureChoice&) const = default;
};

/// Ends of the colours: of what differs by chance alone all colours are near the middle, so that it looks alike.
/// @param values  NaN: none.
struct RankColours {
    double low = 0, high = 1;
    std::optional<double> median;
};
RankColours rankColours(const std::vector<double>& values, bool isDifference);

/// @param base  With what it is compared: ranks of one number; null: nothing. Texts in the present language. O(ranks *
/// log).
std::shared_ptr<const RankPicture> rankPicture(const std::shared_ptr<const ClusterSource>& source,
                                               const std::shared_ptr<const ClusterSource>& base,
                                               const RankPictureChoice& choice);

}  // namespace altiscope
