#pragma once

#include "core/base/files/file.h"
#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::reader {

/// How far an archive is believed: some are made to fill disks.
struct ArchiveLimits {
    std::uint64_t bytes = std::uint64_t{128} << 30;  ///< Sum of all members that are expanded or passed over.
    std::uint64_t ratio = 200;                       ///< Expanded bytes per byte of the archive; traces reach about 40,
    std::uint64_t bytesAtAnyRatio = std::uint64_t{256} << 20;  ///< small archives of nearly nothing more.
    std::size_t members = 1'000'000;  ///< Members that are looked at; most of an archive of raw data are passed over.
    std::size_t files = 200'000;      ///< Files and folders that are written; a listing takes as many (ListingLimits).
};

/// Files and problems of an expanded archive.
struct ExpandedArchive {
    /// Files that were written, as paths below the folder, '/' between parts; in the archive's order. Empty if it holds
    /// nothing but raw data that is not wanted.
    std::vector<std::string> files;
    Diagnostics diagnostics;
    bool isSingleFile = false;  ///< The archive is one compressed file.
};

/// Expands the members of an archive that a reader may want (archive_names.h) into a folder, in one pass: raw binary
/// data only below `rawFolders`. Folders are made for all of them. In diagnostics a member is named as in the archive,
/// the archive by its own name, and places are bytes of the archive:
/// - "archive.path_refused", "archive.encrypted", "archive.damaged", "archive.truncated", "archive.too_large",
///   "archive.too_many", "archive.two_names"
///   (lost). Members that were expanded before, also the beginning of one, stay.
/// - "archive.nested", "archive.repeated" (info); "archive.special_skipped" and "archive.link_skipped" (lost if it has
///   the name of a file that is read, else info).
///
/// @param folder  Empty, and used by no other program.
/// @param rawFolders  Folders of the archive, '/' between parts, whose raw data is wanted; "." is all of it.
/// @param progress  Gets the bytes of the archive.
/// @return Error "archive.no_space" (with the bytes that are missing) or "archive.not_expanded" (with the reason) if
///         the folder cannot take it; if nothing at all came of it the first diagnostic that lost something, or
///         "archive.empty".
/// @note   One thread, and one that writes. Polls `cancel` for each block.
Result<ExpandedArchive> expandArchive(const ReadOnlyFile& archive, const std::filesystem::path& folder,
                                      const std::vector<std::string>& rawFolders, const ArchiveLimits& limits,
                                      ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope::reader
