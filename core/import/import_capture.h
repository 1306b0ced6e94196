#pragma once

#include "core/base/cancel.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace altiscope {
class StoreCache;
}

namespace altiscope::reader {

/// Which ranks of a capture are read. The others stay listed (RankState::Listed), with all that their folders tell.
struct RankChoice {
    /// Ranks by RankInfo::path.
    std::vector<std::string> wanted{};
    /// Beside them ranks in order, as long as all of their traces together have no more bytes; one at least if none is wanted.
    std::uint64_t automaticBytes = std::numeric_limits<std::uint64_t>::max();
    /// A former state of the same capture: ranks that it holds sealed are taken from it instead of being read again, and
    /// nothing is read automatically. Null: none.
    std::shared_ptr<const CaptureStore> known{};
};

struct ImportOptions {
    RankChoice ranks;
    /// Called on a worker with each newer state of the capture: first when the manifest is known (nothing read), then when
    /// parts of traces can be shown (provisional stores), then per sealed rank. Leave empty for no intermediate states:
    /// they cost time. Calls never overlap.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    /// Where sealed stores are kept for the next opening; null: nowhere. Must outlive the import.
    const StoreCache* cache = nullptr;
    /// Bytes of a source that one worker takes at a time.
    std::size_t chunkBytes = std::size_t{4} << 20;
};

/// Opens a capture: finds out what the path holds, reads the traces of the chosen ranks, and seals their stores. Read-only.
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
