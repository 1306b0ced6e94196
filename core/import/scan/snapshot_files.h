#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// The rank in the name of a snapshot, "snapshot_2026-01-31-08-15_3.pickle", "snapshot_3.pkl", "rank3.pkl"; nullopt
/// where the number is a time or anything else, or there is none.
std::optional<std::int64_t> rankInSnapshotName(std::string_view name);

/// A rank of which there is a memory snapshot alone.
RankManifest snapshotRank(SourceFile file);

/// Adds the memory snapshots of a listing: to the rank in whose folder one lies, or whose number its name has; else as
/// ranks of their own. One of several of a rank is read: one with a failed request, else the last by name, as people
/// count; the others become alternatives in that order ("snapshot.further"). Files with the name of a snapshot that do
/// not look like one are passed over, but for compressed ones ("snapshot.compressed": lost if the name speaks of
/// memory, else info). Of more than a thousand, those are looked at whose names speak of memory, and the largest:
/// "scan.pickle_limit" (info). Incomplete if cancelled. Source: core/import/snapshot/FORMAT.md section 4.
void addSnapshots(const FolderListing& listing, std::vector<RankManifest>& ranks, Diagnostics& diagnostics,
                  const CancelToken& cancel);

}  // namespace altiscope::reader
