#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/import_options.h"
#include "core/store/capture_store.h"

#include <filesystem>
#include <memory>

namespace altiscope::reader {

/// Opens a capture: finds out what the path holds, reads the traces of the chosen ranks, and seals their stores.
/// Read-only. Must run inside a WorkerArena, whose workers it uses all.
///
/// @param path  A folder, one file of it, or an archive (see archive_capture.h).
/// @return The capture; one broken rank does not stop the others (state Partial, diagnostics say why). State Failed if
///         there were traces and none could be read. Error if there is nothing to show at all: those of scanCapture
///         (folder_scanner.h) and scanArchive; for a single file that is no trace those of its reader ("trace.empty",
///         "trace.not_json", "trace.not_a_timeline", or those of a database); "capture.out_of_memory"; "capture.failed"
///         with what a library or the system said.
Result<std::shared_ptr<const CaptureStore>> importCapture(const std::filesystem::path& path,
                                                          const ImportOptions& options, ProgressSlot& progress,
                                                          const CancelToken& cancel);

}  // namespace altiscope::reader
