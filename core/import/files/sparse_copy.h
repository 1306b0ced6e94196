#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <filesystem>

namespace altiscope::reader {

/// Bytes that a file takes on its disk, which are fewer than its size where it has holes; 0 unless it is a regular file
/// and no link.
std::uint64_t bytesOnDisk(const std::filesystem::path& file);

/// Copies a regular file, holes as holes, with rights for its owner alone. Links are not followed.
/// @param cancel  Looked at once for each MiB.
/// @return Error "file.unreadable" with the reason of the system, whether reading or writing failed; a partial copy may
/// be left then.
Result<Done> copySparse(const std::filesystem::path& from, const std::filesystem::path& to, const CancelToken& cancel);

}  // namespace altiscope::reader
