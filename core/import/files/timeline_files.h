#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <vector>

namespace altiscope::reader {

/// A file of a folder as a trace to be read.
SourceFile traceFile(const ListedFolder& folder, const ListedFile& file);

/// The slices of the newest export of a CANN timeline in a folder, in their order. Files that carry no time stamp but
/// device, model and iteration (2023) belong together, all of them. Source: core/import/scan/FORMAT.md section 2.
std::vector<SourceFile> cannTimeline(const ListedFolder& folder);

}  // namespace altiscope::reader
