#pragma once

#include "core/base/values/result.h"
#include "core/capture/session/fetch.h"

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::capture {

/// Where rsync keeps the beginning of files, for the next call.
inline constexpr const char* kRsyncPieces = ".altiscope-rsync";

/// @return False if rsync is not on both sides, or does not get along with the other one.
Result<bool> copyByRsync(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                         const std::filesystem::path& folder, const FetchLimits& limits);

/// Through the shell: files in pieces, small ones together; goes on where a former call ended. At the end checksums of
/// both sides are compared where the target can make them; what differs is removed here.
Result<Done> copyByPieces(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                          const std::filesystem::path& folder, const FetchLimits& limits);

}  // namespace altiscope::capture
