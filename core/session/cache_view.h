#pragma once

#include "core/store/cache/store_cache.h"

#include <filesystem>
#include <optional>
#include <string>

namespace altiscope {

/// The folder of the import cache: the one that was given, else that of cacheChoice(), else the standard one. Not
/// created.
std::filesystem::path cacheFolder(const std::optional<std::string>& requested);

/// $XDG_CACHE_HOME/altiscope, else ~/.cache/altiscope; empty if there is no home.
std::filesystem::path standardCacheFolder();

/// The import cache as `cache list` and `cache clear` show it.
class CacheView {
public:
    explicit CacheView(std::filesystem::path folder) : m_cache(std::move(folder)) {}

    std::string listText() const;  ///< One line per entry: size, last use (UTC), source; and the sum.
    /// {"folder":F,"bytes":N,"entries":[{"source":S,"bytes":N,"last_use":"2026-01-01T00:00:00Z","file":F}]}
    std::string listJson() const;
    std::string clearText(const CancelToken& cancel) const;  ///< How many entries were removed, also if the rest stays.
    std::string clearJson(const CancelToken& cancel) const;  ///< {"folder":F,"removed":N}

private:
    StoreCache m_cache;
};

}  // namespace altiscope
