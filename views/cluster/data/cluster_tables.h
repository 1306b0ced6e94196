#pragma once

#include "core/tables/sources/column_table.h"
#include "views/cluster/data/cluster_source.h"
#include "views/cluster/data/rank_spread.h"
#include "views/common/plots/plot_data.h"
#include "views/common/support/heading_model.h"

#include <memory>
#include <vector>

namespace altiscope {

// The page Cluster as tables and a plot. Headings and the plot are translated texts of the GUI thread.

/// A row per rank that is here, by index in places.ranks: its places, every metric, and how far the chosen one is from
/// its peers.
/// @param base  The chosen metric of the rank with the same number there, and the change from it; null: none.
std::shared_ptr<const ColumnTable> rankTable(const ClusterSource& source, const ClusterSource* base, RankMetric metric);
std::vector<ColumnHeading> rankHeadings(const ClusterSource& source, const ClusterSource* base, RankMetric metric);
/// Indexes in places.ranks, by row of the table.
std::vector<std::uint32_t> rowsOfRanks(const ClusterSource& source);

/// A row per dimension: slowest group and place, and the group whose ranks differ most.
std::shared_ptr<const ColumnTable> dimensionTable(const ClusterSource& source, RankMetric metric,
                                                  const std::vector<DimensionSpread>& spreads);
std::vector<ColumnHeading> dimensionHeadings(RankMetric metric, RankFold fold);

/// How a time spreads over all ranks, over those that do not lie apart from their peers, which is the noise of a sound
/// job, and over those at each place of a grouping.
/// @param grouping  Null: all ranks alone.
BoxPlot spreadBoxes(const ClusterSource& source, RankMetric metric, const RankGrouping* grouping);

}  // namespace altiscope
