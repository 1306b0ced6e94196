#include "core/remote/fetched_cache.h"

#include "core/remote/host_look.h"
#include "core/store/cache/private_folder.h"
#include "core/store/cache/store_cache.h"

#include <algorithm>
#include <system_error>
#include <vector>

namespace altiscope::remote {

namespace {

std::uint64_t bytesBelow(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        std::error_code failed;
        if (at->symlink_status(failed).type() != std::filesystem::file_type::regular) continue;
        const auto size = at->file_size(failed);
        if (!failed) bytes += size;
    }
    return bytes;
}

}  // namespace

const std::uint64_t FetchedCache::kDefaultLimit = StoreCache::kDefaultLimit;

FetchedCache::FetchedCache(const std::filesystem::path& importCache, std::uint64_t limit) : m_limit(limit) {
    if (importCache.empty()) return;
    auto folder = importCache.has_filename() ? importCache : importCache.parent_path();
    folder += "-remote";
    m_folder = std::filesystem::absolute(folder);
}

bool FetchedCache::isUsable() const {
    std::error_code error;
    return !m_folder.empty() && isPrivateFolder(m_folder) && makePrivateFolder(m_folder, error);
}

void FetchedCache::touch(const std::string& key) const {
    std::error_code error;
    std::filesystem::last_write_time(entry(key), std::filesystem::file_time_type::clock::now(), error);
}

void FetchedCache::sweep(const std::string& kept) const {
    struct Entry {
        std::filesystem::path path;
        std::filesystem::file_time_type lastUse;
    };
    std::vector<Entry> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator at(m_folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code failed;
        if (!isSourceKey(at->path().filename().string())) continue;
        if (at->symlink_status(failed).type() != std::filesystem::file_type::directory) continue;
        entries.push_back({at->path(), at->last_write_time(failed)});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.lastUse > b.lastUse; });
    std::uint64_t bytes = bytesBelow(entry(kept));
    for (const Entry& one : entries) {
        if (one.path.filename() == kept) continue;
        bytes += bytesBelow(one.path);
        if (bytes > m_limit) std::filesystem::remove_all(one.path, error);
    }
}

}  // namespace altiscope::remote
