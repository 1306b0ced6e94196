#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::capture {

/// A file of a result on a target.
struct RemoteFile {
    std::string name;  ///< Below the result's folder: relative, without "." and ".."; any other bytes.
    std::uint64_t size = 0;
};

/// How files are copied.
struct FetchLimits {
    std::uint64_t bytesPerSecond = 0;  ///< 0: none. Over some seconds, not for each moment.
    bool usesRsync = true;  ///< If it is on both sides; else, and if it fails at once, through the shell in pieces.
};

/// Whether a name that a target gives may become a file here.
bool isSafeName(std::string_view name);

/// Files of a folder on a target; links and special files are left out. Of a file: itself, with its own name.
/// @param mayBeLink  The folder itself, as one that the user has named; else that is missing.
/// @return Error "capture.fetch.hostile_name", "capture.fetch.too_many", "capture.fetch.missing",
///         "capture.fetch.empty" (no file at all), "capture.remote.list_cut".
Result<std::vector<RemoteFile>> listFiles(const RemoteShell& shell, const std::string& path, bool mayBeLink = false);

/// Copies files to a folder that appears when all of them are there and have their sizes; until then, also if this
/// process is killed, they lie in "FOLDER.partial" and a later call goes on with them. Nothing that exists is replaced;
/// a folder that already has all files is taken for fetched.
///
/// @param source  Absolute folder on the target.
/// @return Error "capture.fetch.exists", "capture.fetch.no_space", "capture.fetch.changed" (the target's files did),
///         "capture.fetch.failed".
Result<Done> fetchFiles(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                        const std::filesystem::path& folder, const FetchLimits& limits = {});

}  // namespace altiscope::capture
