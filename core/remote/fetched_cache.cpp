#include "core/remote/fetched_cache.h"

#include "core/remote/host_look.h"
#include "core/store/cache/private_folder.h"
#include "core/store/cache/store_cache.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// The names below "pack" and "files"; what was fetched in part is none.
std::string contentOf(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const char* kind : {"pack", "files"}) {
        std::error_code error;
        for (std::filesystem::directory_iterator at(folder / kind, error), end; !error && at != end;
             at.increment(error)) {
            if (at->path().extension() != ".partial") names.push_back(at->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

int openFolder(const std::filesystem::path& folder) {
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// @return False if a process holds it, or it could not be removed.
bool removeEntry(const std::filesystem::path& path) {
    const int folder = openFolder(path);
    const bool isInUse = folder >= 0 && ::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    std::error_code error;
    if (!isInUse) std::filesystem::remove_all(path, error);
    if (folder >= 0) ::close(folder);
    return !isInUse && !error;
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

void FetchedCache::hold(const std::string& key) const {
    static std::mutex mutex;
    static std::set<std::pair<dev_t, ino_t>> inUse;
    const std::lock_guard lock(mutex);
    const int folder = openFolder(entry(key));
    struct stat state {};
    // The descriptor is closed when the process ends.
    if (folder >= 0 && ::fstat(folder, &state) == 0 && inUse.emplace(state.st_dev, state.st_ino).second &&
        ::flock(folder, LOCK_SH | LOCK_NB) == 0)
        return;
    if (folder >= 0) ::close(folder);
}

std::vector<FetchedCache::Entry> FetchedCache::entries() const {
    std::vector<Entry> entries;
    if (m_folder.empty()) return entries;
    std::error_code error;
    for (std::filesystem::directory_iterator at(m_folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code failed;
        if (!isSourceKey(at->path().filename().string())) continue;
        if (at->symlink_status(failed).type() != std::filesystem::file_type::directory) continue;
        entries.push_back({at->path(), contentOf(at->path()), bytesBelow(at->path()), at->last_write_time(failed)});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.lastUse > b.lastUse; });
    return entries;
}

void FetchedCache::sweep(const std::string& kept, std::uint64_t expected) const {
    std::uint64_t bytes = std::max(expected, bytesBelow(entry(kept)));
    for (const Entry& one : entries()) {
        if (one.path.filename() == kept) continue;
        if (bytes + one.bytes > m_limit && removeEntry(one.path)) continue;
        bytes += one.bytes;
    }
}

std::size_t FetchedCache::clear() const {
    std::size_t removed = 0;
    for (const Entry& one : entries()) removed += removeEntry(one.path);
    return removed;
}

}  // namespace altiscope::remote
