#pragma once

#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"

namespace altiscope::reader {

/// The tables with the slices of kernels: `slice_id` of a row is the slice on the tracks of the device with its name
/// (or what follows its last '/', where no slice has all of it) that begins within 1 ns of it (files round differently;
/// where all times of one side are doubles of microseconds, within what those lose), and `operator_slice_id` the slice
/// on a track of Python from which a flow leads there. Among several slices the one with the nearest start and duration
/// counts, then the first. NULL where there is none. Source: core/import/csv/FORMAT.md section 2.
/// O((slices of the device + kernels) * log).
RowTables withKernelSlices(const RowTables& tables, const TraceStore& trace);

}  // namespace altiscope::reader
