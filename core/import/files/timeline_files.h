#pragma once

#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// A file of a folder as a trace to be read.
SourceFile traceFile(const ListedFolder& folder, const ListedFile& file);

/// A file of a folder, or, where it is not there, the same packed by itself (isPackedJson); null: neither.
const ListedFile* plainOrPacked(const ListedFolder& folder, const std::string& name);

/// The slices of the newest export of a CANN timeline in a folder, in their order. Files that carry no time stamp but
/// device, model and iteration (2023) belong together, all of them. Source: core/import/scan/FORMAT.md section 2.
/// @param cancel  Polled for each file; what comes of it then is not to be used.
std::vector<SourceFile> cannTimeline(const ListedFolder& folder, const CancelToken& cancel);

}  // namespace altiscope::reader
