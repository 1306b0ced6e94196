#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"
#include "core/import/scan/db_sources.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// Decides between the text that a rank has (its traces) and the timeline databases of its folders; the first one of
/// these that can be opened is taken, unless text is preferred and there, or the user has chosen another one. The
/// sources that are not taken become alternatives, and are reported ("source_not_taken"), like faults of
/// databases (see db_sources.h).
/// @return Content of the database that was taken, in the words of fileContent(); empty if none was.
std::vector<std::string> chooseTimelineSource(RankManifest& rank, const std::vector<const ListedFolder*>& folders,
                                              const SourceChoice& choice, Diagnostics& diagnostics);

}  // namespace altiscope::reader
