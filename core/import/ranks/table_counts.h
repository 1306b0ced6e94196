#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/capture_store.h"

namespace altiscope::reader {

/// Reports lists and statistics of a rank that do not count the same: "files.kernels_differ",
/// "files.calls_differ", with the file that has fewer. Each operator that ran is a row of kernel_details
/// (op_summary) and counted in op_statistic, each call of CANN a slice of the timeline and counted in
/// api_statistic; so rows that were deleted, which leave no trace in their own file, show here. Files of text
/// alone. Source: core/import/csv/FORMAT.md sections 4 and 5.
void reportCountsThatDiffer(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics);

}  // namespace altiscope::reader
