#pragma once

#include <filesystem>

namespace altiscope {

/// Where a file of that name is, or would be made: absolute, without links and "..". Also a link whose target does not
/// exist is followed.
std::filesystem::path realPlace(const std::filesystem::path& path);

}  // namespace altiscope
