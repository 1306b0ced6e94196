#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace altiscope {

/// The import cache as the user wants it, for all captures that this process opens from now on. Any thread.
struct CacheChoice {
    static const std::uint64_t kDefaultLimit;

    std::filesystem::path folder;         ///< Empty: the standard one, see cacheFolder().
    std::uint64_t limit = kDefaultLimit;  ///< Bytes of all entries together.

    bool operator==(const CacheChoice&) const = default;
};

CacheChoice cacheChoice();
void chooseCache(CacheChoice choice);

/// Why a folder cannot be the cache.
enum class CacheFolderProblem : unsigned char {
    Relative,
    InCapture,   ///< See liesInProfilerFolder().
    NotPrivate,  ///< It is somebody else's, or others can write into it.
};
/// nullopt if a folder can be the cache; it need not exist yet. Some system calls.
std::optional<CacheFolderProblem> problemOfCacheFolder(const std::filesystem::path& folder);

/// Entries of a cache folder, and their bytes. Reads the folder: for workers.
struct CacheUse {
    std::size_t entries = 0;
    std::uint64_t bytes = 0;
};
CacheUse cacheUse(const std::filesystem::path& folder);
/// Removes them; see StoreCache::clear(). @return How many.
std::size_t clearCache(const std::filesystem::path& folder, const CancelToken& cancel);

}  // namespace altiscope
