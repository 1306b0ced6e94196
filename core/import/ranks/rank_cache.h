#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/group_directory.h"
#include "core/store/cache/cache_batch.h"
#include "core/store/capture_store.h"

#include <memory>
#include <optional>
#include <string>

namespace altiscope::reader {

/// Result of a rank's import that the cache keeps: its sealed trace, its summary rows, and everything that was
/// said about its files.
struct CachedRank {
    std::shared_ptr<const TraceStore> trace;  ///< Null if the rank has none.
    std::shared_ptr<const RowTables> rows;    ///< Null if it has no summary files.
    Diagnostics diagnostics;
};

/// The cache's name for everything that decides what is read of a rank: what its files hold now, in which order and by
/// which reader they are read, and what files of others decide about it (its number, metadata and steps, the groups of
/// the capture). nullopt if a file cannot be read; the import then says why. Opens each file; polls `cancel` between
/// them, and then there is none.
/// @param groups  Of the capture: rows of communication hold their names and ranks.
std::optional<std::string> rankCacheKey(const RankManifest& rank, const GroupDirectory& groups,
                                        const CancelToken& cancel);

/// CaptureStore::contentKey of what was read. @param groups  Of the capture.
std::string captureContentKey(const CaptureStore& capture, const GroupDirectory& groups);

std::optional<CachedRank> findCachedRank(const CacheBatch& cache, const std::string& key, const CancelToken& cancel);

/// Whether something was lost because the system refused, for lack of memory perhaps, so that reading it again may
/// yield more. Such a result is not kept. A database or an archive that is damaged cannot be distinguished from one
/// that could not be read for a moment.
bool mayYieldMore(const Diagnostics& diagnostics);

/// Keeps a rank; a failure only costs the next opening time and is noted in `problems` ("cache.not_written", info).
/// @return Whether it is kept, or will be by CacheBatch::finish().
bool keepRank(CacheBatch& cache, const std::string& key, const RankManifest& rank, const CachedRank& content,
              Diagnostics& problems, const CancelToken& cancel);

}  // namespace altiscope::reader
