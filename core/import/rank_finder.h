#pragma once

#include "core/base/cancel.h"
#include "core/base/diagnostics.h"
#include "core/import/capture_manifest.h"
#include "core/import/folder_listing.h"

#include <vector>

namespace altiscope::reader {

/// The ranks that a listing holds, in the order in which they are found; files are not numbered yet.
/// What is found but not read by any reader is told in `diagnostics`: "raw_only", "database_not_read", "files_not_read".
/// Incomplete if cancelled.
std::vector<RankManifest> findRanks(const FolderListing& listing, Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
