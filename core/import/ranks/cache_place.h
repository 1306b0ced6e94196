#pragma once

#include <filesystem>

namespace altiscope::reader {

/// Whether files of a cache in `folder` would lie in a capture, beside a single file that is opened, or around what is
/// opened. Links are followed, and folders that are mounted twice are known; the folder need not exist.
bool touchesCapture(const std::filesystem::path& capture, const std::filesystem::path& folder);

/// A folder for files that are needed for a while and then removed, outside of a capture: the system's for temporary
/// files, or another one of its. Empty if all of them lie in the capture, as in the root folder.
std::filesystem::path temporaryPlace(const std::filesystem::path& capture);

}  // namespace altiscope::reader
