#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/group_directory.h"
#include "core/import/contracts/import_options.h"
#include "core/import/contracts/trace_reader.h"
#include "core/store/cache/cache_batch.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace altiscope::reader {

/// One rank after its import.
struct ImportedRank {
    RankEntry entry;
    Diagnostics diagnostics;
    std::optional<Error> error;           ///< Why nothing of it could be read.
    std::optional<std::string> cacheKey;  ///< Set if the trace was read and should be kept under this key.
};

/// Context of the import of one rank among those of a capture.
struct RankContext {
    const GroupDirectory& groups;  ///< Groups of the capture.
    const CacheBatch* cache;       ///< Null: none.
    const ImportOptions& options;
    ProgressSlot& progress;
    const CancelToken& cancel;
};

/// Called with provisional stores.
using ShowTrace = std::function<void(std::shared_ptr<const TraceStore>)>;

/// Reads the traces of one rank and seals them.
/// @param show  Called with provisional stores of what has been read so far, seldom: each costs the seal of that much.
///              May be empty. On any worker, one call at a time.
/// @return Cancelled, or the rank: its state is Ok, Partial, or as the scan left it if there was nothing to read.
Result<ImportedRank> importRank(const RankManifest& rank, const RankContext& context, const ShowTrace& show);

}  // namespace altiscope::reader
