#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"

#include <cstddef>

namespace altiscope {

// Whether all that columns say of other columns is there: somebody may have made a file with right checksums and wrong
// numbers. Both false once it was cancelled. One pass over the columns; any thread.

/// Sizes, times and durations, ranges of slices, runs, samples and instants, and numbers of texts, tracks, slices and
/// flows; begins of a run ascend, and a parent stands before its children.
bool isSound(const TraceColumns& columns, const CancelToken& cancel);
/// Shapes of blocks, numbers of texts, and of slices, of which there are `slices`.
bool isSound(const RowTables& rows, std::size_t slices, const CancelToken& cancel);

}  // namespace altiscope
