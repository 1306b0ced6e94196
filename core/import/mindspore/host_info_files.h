#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <vector>

namespace altiscope::reader {

// A folder `host_info` of MindSpore: host_info_{rank}.csv, and what MindSpore itself has made of it,
// timeline_{rank}.json, host_memory_{rank}.csv and dataset_{rank}.csv. What was made already is read; the rest follows
// from the records (host_info.h). Source: core/import/mindspore/FORMAT.md section 2.

/// The ranks that such a folder has files of, ascending.
std::vector<std::int64_t> hostInfoRanks(const ListedFolder& folder);

/// Makes the host's timeline that of the rank if it has none. Else it is an alternative ("source_not_taken"): the two
/// need not have the same clock. A rank without number takes the only one of the folder.
void addHostInfoTimeline(RankManifest& rank, const ListedFolder& folder, Diagnostics& diagnostics);

/// Adds the files that fill tables, without those that the rank has from elsewhere.
void addHostInfoTables(RankManifest& rank, const ListedFolder& folder);

}  // namespace altiscope::reader
