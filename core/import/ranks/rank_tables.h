#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_builder.h"

#include <cstddef>
#include <memory>

namespace altiscope::reader {

/// Reads the summary files of a rank. Faults of them go to `diagnostics`; a file of which nothing can be
/// read does not stop the others.
/// @param builder Of the rank; may hold rows that came with its trace.
/// @param groups Of the capture.
/// @param trace  Of the same rank, for the slices of kernels and operators; may be null.
/// @param isWhole  Whether `trace` holds all of the recording.
/// @return Null if there are no rows. Cancelled.
Result<std::shared_ptr<const RowTables>> readRankTables(const RankManifest& rank, RowTablesBuilder& builder,
                                                        const TraceStore* trace, const GroupDirectory& groups,
                                                        bool isWhole, std::size_t chunkBytes, Diagnostics& diagnostics,
                                                        ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope::reader
