#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"

#include <vector>

namespace altiscope::reader {

/// Adds the communication groups that timeline databases name: COMMUNICATION_OP has the ids of groups as texts, where
/// the recorded communication beside it has their hashes. For a group, a rank's metadata have precedence. A database
/// that cannot be read adds nothing; its reader says why, or "db.unreadable" and "file.unreadable" (lost) where the
/// next one may succeed. Source: core/import/communication/FORMAT.md section 1, core/import/database/FORMAT.md section
/// 3. Uses the workers of the arena; reads one column of a table with a row per collective.
void addDatabaseGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, Diagnostics& diagnostics,
                       const CancelToken& cancel);

}  // namespace altiscope::reader
