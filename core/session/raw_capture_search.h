#pragma once

#include "core/base/cancel.h"

#include <filesystem>
#include <vector>

namespace altiscope {

/// A folder that is analysed by itself.
struct RawCaptureFolder {
    std::filesystem::path path;
    bool isFramework = false;  ///< Of a rank of a framework, with PROF folders in it; else a PROF folder alone.
};

/// The captures of raw data in a folder, or that folder itself, by path. Links are not followed; a few levels deep.
std::vector<RawCaptureFolder> findRawCaptures(const std::filesystem::path& folder, const CancelToken& cancel);

}  // namespace altiscope
