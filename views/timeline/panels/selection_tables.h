#pragma once

#include "core/analysis/slices/selection_statistics.h"
#include "core/tables/sources/column_table.h"
#include "views/common/tables/slice_headings.h"

#include <QString>

#include <memory>
#include <vector>

namespace altiscope {

// How the statistics of a selection are shown. The tables are made on any thread, words on the GUI thread in its
// language.

/// Rows as in SelectionStatistics::names, tracks and ranks.
std::shared_ptr<const ColumnTable> nameTable(const SelectionStatistics& statistics);
std::shared_ptr<const ColumnTable> trackTable(const SelectionStatistics& statistics);
std::shared_ptr<const ColumnTable> rankTable(const SelectionStatistics& statistics);

std::vector<ColumnHeading> nameHeadings();
std::vector<ColumnHeading> trackHeadings();
std::vector<ColumnHeading> rankHeadings();

/// "1,234 slices · together 1.20 ms · ...": two lines, the second with lengths.
QString sumsText(const SelectionStatistics& statistics);
/// "3 tracks of 2 ranks, within 4.50 ms".
QString scopeText(const SliceSelection& selection);

}  // namespace altiscope
