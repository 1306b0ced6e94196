#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::reader {

/// When the rank folder of a path was recorded, by its name: "..._{17 or 14 digits}_ascend_pt",
/// "PROF_000001_{digits}_...". Empty if the name does not say. Texts of the same form compare like times.
std::string recordingStamp(const std::filesystem::path& folder);

/// Keeps, of several folders of one rank in the same folder, the newest that holds data (recordedData(): whole before
/// cut, cut before raw), if their names say when they were recorded; it gets the others as alternatives
/// ("older_folder", info; "newer_folder.empty", ".raw", ".cut", repaired). Folders of different parents are different
/// runs or stages, and are all kept. A rank id that is left more than once is "rank.same_id" (info), ranks without
/// id beside others that have one are "rank.no_id" (info). Source: core/import/scan/FORMAT.md section 3.
/// @param root  The folder in which relative paths lie.
/// @note  O(ranks · log).
/// @param cancel  Polled for each rank; the result is not to be used then.
void settleRepeatedRanks(std::vector<RankManifest>& ranks, const std::filesystem::path& root, Diagnostics& diagnostics,
                         const CancelToken& cancel);

/// Sets RankInfo::place: of the paths that ranks of one name have, the folders from the first to the last that differ.
/// @param ranks  Sorted by rankId.
/// @note  O(ranks · log).
/// @param cancel  Polled for each rank; the result is not to be used then.
void nameRepeatedRanks(std::vector<RankManifest>& ranks, const CancelToken& cancel);

}  // namespace altiscope::reader
