#pragma once

#include "core/base/cancel.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/store/capture_store.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace altiscope::reader {

struct ImportOptions {
    /// Called on a worker with each newer state of the capture: first when the manifest is known (nothing read), then when
    /// parts of traces can be shown (provisional stores), then per sealed rank. Leave empty for no intermediate states:
    /// they cost time. Calls never overlap.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    /// Bytes of a source that one worker takes at a time.
    std::size_t chunkBytes = std::size_t{4} << 20;
};

/// Opens a capture: finds out what the path holds, reads every trace of it, and seals the stores. Read-only.
/// Must run inside a WorkerArena, whose workers it uses all.
///
/// @param path  A folder, or one file of it.
/// @return The capture; one broken rank does not stop the others (state Partial, diagnostics say why).
///         Error if nothing can be shown at all: "capture.missing", "capture.denied", "capture.empty",
///         "capture.nothing_found", "capture.not_a_trace" ... with a sentence on what was looked for.
Result<std::shared_ptr<const CaptureStore>> importCapture(const std::filesystem::path& path, const ImportOptions& options,
                                                          ProgressSlot& progress, const CancelToken& cancel);

} // namespace altiscope::reader
