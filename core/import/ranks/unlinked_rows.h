#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/capture_store.h"

namespace altiscope::reader {

/// Says, as information, which rows of a rank have no slice on its timeline although both are there, as nothing that
/// takes both can be shown for them:
/// - "files.other_recording": the times of a table and those of the timeline have nothing in common;
/// - "files.kernels_elsewhere": kernels before or after all of the timeline, which are not computed with;
/// - "files.kernels_unplaced": kernels in its time that are no slices of it;
/// - "files.operators_differ": another number of operators than the timeline has, so that none is linked.
/// Why they have none is not known: files that were filtered, or sorted, are as sound as others.
/// Source: core/import/csv/FORMAT.md sections 2 and 3, core/import/scan/FORMAT.md section 5.
/// O(kernels + tracks); a look at each slice of operators where they are listed.
void reportUnlinkedRows(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics);

}  // namespace altiscope::reader
