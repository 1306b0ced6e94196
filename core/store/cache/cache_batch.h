#pragma once

#include "core/store/cache/store_cache.h"
#include "core/store/cache/store_pack.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// Entries that one import finds in the cache and adds to it. Small entries of a capture with many ranks are gathered
/// and written as one file (StorePack) at the end, under a key of the capture; all others are entries of their own at
/// once. Any thread.
class CacheBatch {
public:
    /// @param capture  The path that is opened; stands in the list of the cache for a pack.
    CacheBatch(const StoreCache& cache, const std::filesystem::path& capture);

    const StoreCache& cache() const { return m_cache; }
    /// As StoreCache::find.
    std::optional<StoreFileContent> find(std::string_view key, const CancelToken& cancel) const;
    /// As StoreCache::put, which finish() does for what is gathered.
    Result<Done> put(std::string_view key, const TraceStore& store, std::string_view note, const RowTables* rows,
                     const CancelToken& cancel);
    /// Writes what was gathered, together with what was there before. To be called once, when the last rank was put.
    Result<Done> finish(const CancelToken& cancel);

private:
    const StoreCache& m_cache;
    const std::string m_note, m_key;
    const std::shared_ptr<const StorePack> m_pack;  // of a former import; null: none
    mutable std::atomic<bool> m_isUsed = false;
    std::mutex m_mutex;  // guards what follows
    std::map<std::string, std::string, std::less<>> m_gathered;
    std::size_t m_gatheredBytes = 0;
};

}  // namespace altiscope
