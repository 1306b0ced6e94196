#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/scan/db_sources.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace altiscope {
class StoreCache;
}

namespace altiscope::reader {

/// Finds out which ranks an archive holds, as scanCapture does for a folder. Files that readers may want, raw data only
/// of ranks that have no other timeline, in a second pass, are expanded into the cache and stay there, so the next
/// opening and requests for arguments expand nothing; without a cache, or where they are too large for it or for its
/// disk, they lie in a temporary folder and vanish with the last file of the manifest. The key is the archive's own:
/// path, size, time, samples of its content (StoreCache::fingerprint). Where raw data cannot be expanded, the result is
/// that of the rest, and the error a diagnostic (lost).
///
/// Files of the manifest lie in the expanded copy and are named as in the archive.
/// @param archive  isArchive() is true for it.
/// @param cache  Null: none.
/// @return Error as expandArchive and scanCapture, "archive.damaged" if it is none after all, all with the archive's
/// path.
Result<CaptureManifest> scanArchive(const std::filesystem::path& archive, const SourceChoice& choice,
                                    const StoreCache* cache, ProgressSlot& progress, const CancelToken& cancel);

/// Why an archive, whose diagnostics these are among others, holds less than was packed; the first reason.
std::optional<Error> firstLoss(const Diagnostics& diagnostics, const std::filesystem::path& archive);

/// An error about a file in an expanded copy, by its path or its name, reported as ARCHIVE/MEMBER; any other error as
/// it is.
Error locatedInArchive(Error error, const ArchiveOrigin& origin);

/// The content of one packed file.
struct UnpackedFile {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::shared_ptr<const void> keeper;  ///< The file lives as long as this.
    Diagnostics diagnostics;             ///< Those of expandArchive().
};

/// Unpacks a file that is packed by itself, as isPackedJson() names, to where scanArchive() expands archives.
/// @param cache  Null: none.
/// @param temporary  For files that cannot lie in the cache; empty: the system's.
/// @return Error as expandArchive.
Result<UnpackedFile> unpackFile(const std::filesystem::path& path, const StoreCache* cache,
                                const std::filesystem::path& temporary, ProgressSlot& progress,
                                const CancelToken& cancel);

}  // namespace altiscope::reader
