#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/capture_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace altiscope {

/// The files of memory snapshots of each rank that has several, by index of the rank; empty of all others. First the
/// one that is read with the rank (reader::addSnapshots says which), then the others, as RankInfo::alternatives has
/// them. Relative to the capture. O(ranks + diagnostics).
std::vector<std::vector<std::string>> snapshotFiles(const CaptureStore& capture);

/// Reads one of them that is not read with its rank. Read-only. Must run inside a WorkerArena.
/// @param capture  CaptureStore::path.
/// @return Never null. Error as loadCapture; "snapshot.not_at_hand" where the capture is no folder: of an archive or a
///         pack only the first one is there.
Result<std::shared_ptr<const RowTables>> readSnapshotFile(const std::filesystem::path& capture, const std::string& name,
                                                          ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope
