#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/report/deliverables/deliverable_file.h"
#include "core/store/capture_store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope {

/// Where deliverables are written, and in whose form.
struct DeliverableRequest {
    std::filesystem::path folder;  ///< Exists; the folders of the dialect are made in it.
    Dialect dialect = Dialect::Cann;
    std::string stamp;  ///< "20260101120000", part of names in the Cann dialect.
};

/// Files that were written, relative to the folder.
struct DeliverableSummary {
    std::vector<std::string> files;
};

/// Writes the files that the vendors' analysis makes of a rank: in the Cann dialect `mindstudio_profiler_output` and
/// `analyze`, in the Torch dialect `ASCEND_PROFILER_OUTPUT`. Those that the rank holds nothing for are not written.
/// Source: core/report/deliverables/FORMAT.md.
/// @param rank  Sealed, from raw data: from other sources what only raw data says cannot be written.
/// @return Error "deliverables.no_records" if the rank is not from raw data, "export.not_written" {reason} with the
///         file, or those of ArgumentSource::tasks. Files that were written before stay.
/// @note   On all workers of the current arena; reads the raw data again. Memory: records of the tasks, some hundred
///         bytes each, and some megabytes per file.
Result<DeliverableSummary> writeDeliverables(const RankEntry& rank, const DeliverableRequest& request,
                                             const CancelToken& cancel);

}  // namespace altiscope
