#pragma once

#include "core/tables/column_table.h"
#include "core/tables/context_filter.h"
#include "core/tables/overview_numbers.h"
#include "views/common/support/heading_model.h"

#include <memory>
#include <vector>

namespace altiscope {

// The numbers of the overview as tables. Builders run on any thread; headings are translated texts of the GUI thread.

/// Places in OverviewNumbers::steps of those that the context holds: the rows of stepTable.
std::vector<std::size_t> selectedSteps(const OverviewNumbers& numbers, const ContextFilter& context);
/// Places in OverviewNumbers::peaks, likewise: the rows of peakTable.
std::vector<std::size_t> selectedPeaks(const OverviewNumbers& numbers, const ContextFilter& context);

/// A row per rank, step and origin that the context holds; all columns are those of the SQL table step_breakdown, or
/// sums of them.
std::shared_ptr<const ColumnTable> stepTable(const OverviewNumbers& numbers, const ContextFilter& context);
std::vector<ColumnHeading> stepHeadings();

/// A row per operator type, core and origin; over all ranks.
std::shared_ptr<const ColumnTable> consumerTable(const OverviewNumbers& numbers);
std::vector<ColumnHeading> consumerHeadings();

/// A row per rank and component that the context holds.
std::shared_ptr<const ColumnTable> peakTable(const OverviewNumbers& numbers, const ContextFilter& context);
std::vector<ColumnHeading> peakHeadings();

}  // namespace altiscope
