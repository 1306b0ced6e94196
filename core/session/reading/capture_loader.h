#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/import_capture.h"
#include "core/store/cache/store_cache.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace altiscope {

namespace pack {
class PackSource;
}

/// Parts of a capture to be read; as reader::ImportOptions, with the folder of the cache.
struct LoadOptions {
    reader::RankChoice ranks;
    std::filesystem::path cacheFolder;  ///< Folder of sealed stores, see StoreCache; empty: no cache.
    std::uint64_t cacheLimit = StoreCache::kDefaultLimit;  ///< Bytes of all its entries together.
    bool preferText = false;                               ///< Text before a database where a rank has both.
    bool preferDatabase = false;    ///< analysis.db before the text files that hold its tables too.
    bool onlyRaw = false;           ///< Raw data alone, without what an analysis has made of it.
    RankCorrections corrections{};  ///< Corrections of ranks by the user.
    bool onlySums = false;          ///< pack::PackReading::onlySums; of other captures it says nothing.
    std::shared_ptr<const pack::PackSource> packSource{};  ///< pack::PackReading::source
    /// Called on a worker with each newer state of the capture, as reader::ImportOptions::onUpdate; empty: not at all.
    std::function<void(std::shared_ptr<const CaptureStore>)> onUpdate;
    /// Called on workers with each rank once it is complete, its steps too, as reader::ImportOptions::onRank; empty:
    /// not at all.
    std::function<void(std::size_t, RankEntry&)> onRank{};
};

/// Opens a capture and waits until it is complete: imports it and works out what every front end needs beside the
/// events (the training steps of each rank). Read-only. Must run inside a WorkerArena.
///
/// @return The capture; Error as reader::importCapture.
Result<std::shared_ptr<const CaptureStore>> loadCapture(const std::filesystem::path& path, const LoadOptions& options,
                                                        ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope
