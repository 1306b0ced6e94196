#pragma once

#include "core/tables/rows/kernel_rows.h"
#include "views/common/support/heading_model.h"

#include <cstddef>
#include <vector>

namespace altiscope {

/// Headings of KernelRows, in the present language.
std::vector<ColumnHeading> kernelHeadings(const KernelRows& rows);
/// Its columns with ids of slices: for queries in SQL, hidden at first.
std::vector<std::size_t> kernelIdColumns();

}  // namespace altiscope
