#pragma once

#include "core/session/findings_loader.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/heading_model.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace altiscope {

/// Columns of the table of findings: those of the SQL table `finding`, but for its texts in JSON.
enum class FindingColumn : std::size_t { Severity, Recoverable, Title, Rule, Rank, Step, Ts, Dur };

/// A row per finding (indexes in found.findings and items), in this order. Titles are in the window's language. Any
/// thread.
std::shared_ptr<const ColumnTable> findingTable(const CaptureFindings& found, const std::vector<FindingItem>& items,
                                                std::span<const std::size_t> shown);
std::vector<ColumnHeading> findingHeadings();

}  // namespace altiscope
