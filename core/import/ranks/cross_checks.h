#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/capture_store.h"

#include <string>

namespace altiscope::reader {

/// The file beside the timeline that fills a table of a rank; empty if there is none.
std::string summaryFileOf(const RankManifest& rank, RowKind kind);
/// That file, else the database of the timeline.
std::string fileOfTable(const RankManifest& rank, RowKind kind);

/// Reports, as information, rows that are not there and of which other rows tell, as deleted rows leave no trace in
/// their own file. The vendor's tables are made of nearly the same rows, not of the same: fused operators that
/// communicate, kernels of collectives and names with stacks make whole files differ too.
/// - "files.waits_differ": a kernel that waited since the end of another one than the row before it;
/// - "files.kernels_missing": no kernel where the Overlap Analysis of the timeline has work, and
///   "files.overlap_missing" the other way round;
/// - "files.kernels_unplaced": a kernel that is no slice of the timeline;
/// - "files.steps_longer": steps that compute or communicate for longer than all kernels take;
/// - "files.steps_differ": steps of the timeline without a row in the table of steps, and the other way round;
/// - "files.samples_missing": no sample of memory where an allocation or another pool changed it;
/// - "files.operators_differ": another number of operators than the timeline has.
/// For whole timelines; not for raw data, which says itself what is missing, nor for clocks of their own.
/// Source: core/import/csv/FORMAT.md sections 2, 3, 6 and 7. O(rows * log).
void crossCheckRows(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                    const CancelToken& cancel);

}  // namespace altiscope::reader
