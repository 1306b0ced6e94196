#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_files/raw_files.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// Reports the kinds of files in a PROF folder that no reader knows, once each.
/// @param devices  Their chips decide which logs are read.
/// @param folder   Its name, for the message.
void reportUnreadRawFiles(const RawFiles& files, const std::vector<const RawSettings*>& devices,
                          const std::string& folder, Diagnostics& diagnostics);

}  // namespace altiscope::reader
