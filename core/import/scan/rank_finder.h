#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"
#include "core/import/scan/db_sources.h"

namespace altiscope::reader {

/// Adds the ranks and the cluster results that a listing holds, in the order in which they are found; files are not
/// numbered yet. Finds that are not read are in the diagnostics: "raw_only", "files_not_read",
/// "source_not_taken" (another source of the same rank is shown), and faults of databases (see db_sources.h).
/// Incomplete if cancelled.
void findRanks(const FolderListing& listing, const SourceChoice& choice, CaptureManifest& manifest,
               const CancelToken& cancel);

}  // namespace altiscope::reader
