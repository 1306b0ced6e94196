#pragma once

#include <filesystem>
#include <system_error>

namespace altiscope {

// Entries of a cache are believed: nobody else may make, replace or rename them. Any thread.

/// Makes a folder that need not exist yet, for this user alone (mode 0700); one that is there stays as it is.
/// @return False, and the reason in `error`.
bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& error);

/// Whether a folder belongs to this user and nobody else can write into it, or nothing is there. A link counts as what
/// it leads to.
bool isPrivateFolder(const std::filesystem::path& folder);

}  // namespace altiscope
