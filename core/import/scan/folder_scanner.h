#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/scan/db_sources.h"

#include <filesystem>

namespace altiscope::reader {

/// Finds out which ranks a path holds, from names and first bytes; no trace is read. Source: core/import/scan/FORMAT.md
/// sections 2 and 5.
///
/// A path that points inside a rank folder (at its output folder, or a file of it) means the rank folder. A single file
/// that lies in none is a capture of its own.
///
/// @return Error "capture.missing", "capture.denied", "capture.empty" (an empty folder), "capture.nothing_found",
///         "capture.not_read_yet" (a kind of unread_kinds.h, and nothing else), "capture.only_links",
///         "archive.nested" (a single file that is an archive: see archive_capture.h), or what is wrong with a single
///         database (those of openDatabase, "db.not_a_timeline").
/// @note  Any thread. O(entries below the path, within ListingLimits).
Result<CaptureManifest> scanCapture(const std::filesystem::path& path, const SourceChoice& choice,
                                    const CancelToken& cancel);

}  // namespace altiscope::reader
