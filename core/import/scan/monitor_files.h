#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// Whether a folder has files of lines of npu-monitor (msmonitor_*.jsonl).
bool hasMonitorLines(const ListedFolder& folder);
/// The folder without them.
ListedFolder withoutMonitorLines(const ListedFolder& folder);

/// The processes whose lines lie directly in a folder, each a rank with all files of that process, the oldest first:
/// npu-monitor begins a new one after some thousand lines. Source: core/import/monitor/FORMAT.md section 1. Reads the
/// end of one file of each, polling `cancel` between them.
std::vector<RankManifest> monitorRanks(const ListedFolder& folder, const CancelToken& cancel);

/// A rank of some files of one process. @pre There is one.
/// @param path  Of the rank, relative to the listing's root.
RankManifest monitorRank(const ListedFolder& folder, const std::vector<ListedFile>& files, const std::string& path);

}  // namespace altiscope::reader
