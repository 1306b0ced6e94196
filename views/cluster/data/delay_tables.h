#pragma once

#include "core/tables/sources/column_table.h"
#include "views/cluster/data/cluster_source.h"
#include "views/common/plots/plot_data.h"
#include "views/common/support/heading_model.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

// Who comes how late to whom: as a table, as a matrix and in words. Translated texts of the GUI thread.

/// A row of the table: one operation of one group.
struct DelayRow {
    std::size_t group = 0;      ///< In ClusterSource::delays.
    std::size_t operation = 0;  ///< In GroupDelays::operations.
};
std::vector<DelayRow> delayRows(const ClusterSource& source);
std::shared_ptr<const ColumnTable> delayTable(const ClusterSource& source, const std::vector<DelayRow>& rows);
std::vector<ColumnHeading> delayHeadings();

/// Which of the two matrices of a group.
enum class DelayMatrix : std::uint8_t { Late, SlowLinks };
/// @pre The group has that matrix.
HeatMap delayMap(const ClusterSource& source, const GroupDelays& group, DelayMatrix which);
/// A sentence on what stands out in both matrices: "rank 2 comes late"; empty: nothing does.
QString delayText(const ClusterSource& source, const GroupDelays& group);

}  // namespace altiscope
