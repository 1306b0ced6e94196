#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"
#include "core/import/mindspore/host_info_files.h"
#include "core/import/scan/db_sources.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Where a rank's files lie.
struct RankFolders {
    const ListedFolder* output = nullptr;   ///< Folder of the exported files; never null.
    bool hasRaw = false;                    ///< Whether there is raw data.
    const ListedFolder* analyze = nullptr;  ///< Where CANN puts its communication files; null: there is no such folder.
    const HostInfoFolder* hostInfo = nullptr;  ///< Where MindSpore writes about its work on the host; null: likewise.
    std::vector<std::string> inDatabase{};  ///< Content of the database that was taken, in the words of fileContent().
    /// Switch of the profiler on which a timeline depends; for raw data alone it is the analysis.
    std::string_view timelineSwitch = "export_type";
};

/// Completes a rank whose traces are chosen: the files that fill its tables, what is present and what is missing and
/// why, whether it is raw data only ("raw_only"), and its device where a table states it. Files that nothing reads are
/// reported ("files_not_read").
void describeRank(RankManifest& rank, const RankFolders& found, const SourceChoice& choice, Diagnostics& diagnostics);

}  // namespace altiscope::reader
