#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"

#include <vector>

namespace altiscope::reader {

/// Adds the communication groups that lines of npu-monitor name, as addDatabaseGroups() does for databases. A file that
/// cannot be read adds nothing; the reader says why. Uses the workers of the arena; as fast as a
/// text search.
void addMonitorGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, const CancelToken& cancel);

}  // namespace altiscope::reader
