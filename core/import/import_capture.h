#pragma once

#include "core/base/cancel.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/store/capture_store.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace altiscope {
class StoreCache;
}

namespace altiscope::reader {

struct ImportOptions {
    /// Called on a worker with each newer state of the capture: first when the manifest is known (nothing read), then when
    /// parts of traces can be shown (provisional stores), then per sealed rank. Leave empty for no intermediate states:
    /// they cost time. Calls never overlap.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    /// Where sealed stores are kept for the next opening; null: nowhere. Must outlive the import.
    const StoreCache* cache = nullptr;
    /// Bytes of a source that one worker takes at a time.
    std::size_t chunkBytes = std::size_t{4} << 20;
};

/// Opens a capture: finds out what the path holds, reads every trace of it, and seals the stores. Read-only.
/// Must run inside a WorkerArena, whose workers it uses all.
///
/// @param path  A folder, or one file of it.
/// @return The capture; one broken rank does not stop the others (state Partial, diagnostics say why). State Failed if there
///         were traces and none could be read.
///         Error if there is nothing to show at all: those of scanCapture (folder_scanner.h); for a single file that is no
///         trace those of its reader ("trace.empty", "trace.not_json", "trace.not_a_timeline"); "capture.out_of_memory".
Result<std::shared_ptr<const CaptureStore>> importCapture(const std::filesystem::path& path,
                                                          const ImportOptions& options, ProgressSlot& progress,
                                                          const CancelToken& cancel);

}  // namespace altiscope::reader
