#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/files/folder_listing.h"

namespace altiscope::reader {

/// Reports what file systems that do not distinguish upper and lower case would take for part of a capture, but is
/// not read, by "scan.other_spelling" (lost): files that have a known name in other letters, and folders in that of
/// a rank that are spelt as its output is in other letters and hold files of a capture. Beside the right one they are a
/// second content. Incomplete if cancelled.
void reportOtherSpellings(const FolderListing& listing, Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
