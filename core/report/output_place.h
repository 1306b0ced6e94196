#pragma once

#include <filesystem>

namespace altiscope {

/// True if writing `file` would change the capture: it is the capture's file, or lies in its folder. Links are followed.
bool liesInCapture(const std::filesystem::path& capture, const std::filesystem::path& file);

}  // namespace altiscope
