#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"

#include <vector>

namespace altiscope::reader {

/// Adds the communication groups that lines of npu-monitor name, as addDatabaseGroups() does for databases. What cannot
/// be read adds nothing; the reader says why. Uses the workers of the arena; looks through the files at the speed of a
/// text search.
void addMonitorGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, const CancelToken& cancel);

}  // namespace altiscope::reader
