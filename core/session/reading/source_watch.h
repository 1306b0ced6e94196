#pragma once

#include "core/base/files/file.h"
#include "core/store/capture_store.h"

#include <vector>

namespace altiscope {

/// The files of all traces of a capture that were read, as they were then, in the order of its ranks.
std::vector<FileStamp> stampsWhenRead(const CaptureStore& capture);

/// The same files as they are now. Asks the file system for each, so it belongs on a worker.
std::vector<FileStamp> stampsNow(const std::vector<FileStamp>& files);

}  // namespace altiscope
