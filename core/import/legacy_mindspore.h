#pragma once

#include "core/import/folder_listing.h"

#include <cstdint>
#include <vector>

namespace altiscope::reader {

/// What a `profiler` folder of MindSpore up to 2.3 holds of one rank. Source: formats/framework-specific.md section 3.
struct LegacyRank {
    std::int64_t id = 0;          ///< In the names of its files: the rank, on GPU and CPU the device.
    ListedFolder folder;          ///< The folder with this rank's files, and those of no rank.
    std::vector<ListedFile> own;  ///< Its files.
};

/// By id; empty if the folder is no such one. A folder with the files of a current profiler is none.
std::vector<LegacyRank> legacyRanks(const ListedFolder& folder);

}  // namespace altiscope::reader
