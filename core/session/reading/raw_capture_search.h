#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace altiscope {

/// A folder that is analysed by itself.
struct RawCaptureFolder {
    std::filesystem::path path;
    bool isFramework =
        false;  ///< The folder of a rank of a framework, with PROF folders in it; else a PROF folder alone.
};

/// How far a search goes: a file system that is searched by mistake must not take minutes.
struct RawSearchLimits {
    int depth = 64;                   ///< Levels below the folder.
    std::size_t entries = 1'000'000;  ///< Files and folders that are listed.
};

/// Results of a search.
struct RawCaptures {
    std::vector<RawCaptureFolder> folders;  ///< By path.
    /// Where captures may be missing, relative to the folder: "raw_analysis.search_cut" and "raw_analysis.too_deep"
    /// {limit}, "raw_analysis.not_listed" {reason}. All are lost.
    Diagnostics lost;
};

/// The captures of raw data in a folder, or that folder itself. Links are not followed, and captures are not searched
/// for others. Incomplete if cancelled.
RawCaptures findRawCaptures(const std::filesystem::path& folder, const CancelToken& cancel,
                            const RawSearchLimits& limits = {});

}  // namespace altiscope
