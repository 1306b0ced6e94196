#pragma once

#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_builder.h"
#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <span>

namespace altiscope::reader {

/// Before the tables are sealed: gives them the names of the threads that withOperatorSlices may put into rows.
void addThreadNames(RowTablesBuilder& builder, const TraceStore& trace);

/// The tables with what a timeline knows of framework operators, the slices of the category cpu_op on tracks of Python
/// but ProfilerStep#N. Slices: `slice_id`, `step` (the one in whose time on the host the operator begins).
///
/// A summary file has no time stamps, but its rows are in the order in which the operators began: the n-th row is the
/// n-th slice, if there are as many and name and duration agree, to 1 ns. That also states `thread` and `ts`; a row
/// without its slice keeps them NULL. Rows of a database have times, and no summary: `self_dur` is what is left without
/// operators called on the same thread, `device_dur` what the slices take to which flows "async_npu" lead from it and
/// them; both as the framework computes them. Source: core/import/csv/FORMAT.md section 3.
///
/// @param steps    Of the rank; without times the slices ProfilerStep#N state them.
/// @param isWhole  Whether the timeline holds all of the recording; else what depends on all of it stays NULL.
/// O((slices of Python + operators) * log).
RowTables withOperatorSlices(const RowTables& tables, const TraceStore& trace, std::span<const Step> steps,
                             bool isWhole);

}  // namespace altiscope::reader
