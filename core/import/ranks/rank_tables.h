#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"
#include "core/import/contracts/table_reader.h"
#include "core/store/columns/trace_store.h"

#include <memory>

namespace altiscope::reader {

/// Reads the summary files of a rank. A file of which nothing can be read does not stop the others.
/// @param context  Its builder may hold rows that came with the trace.
/// @param groups Of the capture.
/// @param trace  Of the same rank, for the slices of kernels and operators; may be null.
/// @param isWhole  Whether `trace` holds all of the recording.
/// @return Null if there are no rows. Cancelled.
Result<std::shared_ptr<const RowTables>> readRankTables(const RankManifest& rank, TableContext& context,
                                                        const GroupDirectory& groups, const TraceStore* trace,
                                                        bool isWhole);

}  // namespace altiscope::reader
