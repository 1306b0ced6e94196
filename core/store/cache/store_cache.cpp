#include "core/store/cache/store_cache.h"

#include "core/store/cache/cache_files.h"
#include "core/store/cache/private_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

/// Where an entry goes: over an older one of ours, beside what is somebody else's. Empty if there is no place.
fs::path placeFor(const fs::path& folder, std::string_view key) {
    for (int slot = 0; slot < kCacheSlots; ++slot) {
        fs::path path = folder / cacheFileName(key, slot);
        if (cacheFileState(path) != CacheFileState::Foreign) return path;
    }
    return {};
}

std::uint64_t sizeOnDisk(const fs::path& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// The modification time is the time of last use: access times are often switched off.
void markUsed(const fs::path& path) { ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); }

/// Content of a store file or a pack; empty if it is unusable.
std::string noteIn(const fs::path& path) {
    auto note = readStoreNote(path);
    if (note.ok()) return std::move(note).value();
    const auto pack = StorePack::open(path);
    return pack ? pack->note() : std::string();
}

/// Gives a folder a name that nothing has.
bool renameFolder(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    struct stat status {};
    // Some file systems cannot promise it.
    return errno == EINVAL && ::lstat(to.c_str(), &status) != 0 && ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

StoreCache::StoreCache(fs::path folder, std::uint64_t limit) : m_folder(std::move(folder)), m_limit(limit) {}

std::optional<StoreFileContent> StoreCache::find(std::string_view key, const CancelToken& cancel) const {
    for (int slot = 0; slot < kCacheSlots; ++slot) {
        const fs::path path = m_folder / cacheFileName(key, slot);
        auto content = readStoreFile(path, cancel);
        if (content.cancelled()) return std::nullopt;
        if (content.ok() && takeKey(key, content.value().note)) {
            markUsed(path);
            return std::move(content).value();
        }
        const CacheFileState state = cacheFileState(path);
        if (state == CacheFileState::Ours) removeCacheFile({.path = path, .key = {}, .lastUse = {}}, &cancel);
        if (state != CacheFileState::Foreign) break;
    }
    return std::nullopt;
}

Result<Done> StoreCache::put(std::string_view key, const TraceStore& store, std::string_view note,
                             const RowTables* rows, const CancelToken& cancel) const {
    const std::string keyed = keyedNote(key, note);
    return putFile(key, cancel,
                   [&](const fs::path& path) { return StoreImage(store, rows, keyed, cancel).write(path); });
}

Result<Done> StoreCache::putFile(std::string_view key, const CancelToken& cancel,
                                 const std::function<Result<Done>(const fs::path&)>& write) const {
    std::error_code error;
    if (!makePrivateFolder(m_folder, error))
        return Error{"cache.not_written", m_folder.string(), {}, {{"reason", error.message()}}};
    const fs::path path = placeFor(m_folder, key);
    if (path.empty())
        return Error{
            "cache.not_written", (m_folder / cacheFileName(key, 0)).string(), {}, {{"reason", std::strerror(EEXIST)}}};
    const auto written = write(path);
    if (written.ok()) account(sizeOnDisk(path), cancel);
    return written;
}

std::shared_ptr<const StorePack> StoreCache::findPack(std::string_view key) const {
    for (int slot = 0; slot < kCacheSlots; ++slot) {
        const fs::path path = m_folder / cacheFileName(key, slot);
        auto pack = StorePack::open(path);
        std::string note = pack ? pack->note() : std::string();
        if (takeKey(key, note)) return pack;
        // An unusable one of ours goes when another is put in its place.
        if (cacheFileState(path) != CacheFileState::Foreign) break;
    }
    return nullptr;
}

void StoreCache::touch(std::string_view key) const {
    for (int slot = 0; slot < kCacheSlots; ++slot) {
        const fs::path path = m_folder / cacheFileName(key, slot);
        if (cacheFileState(path) == CacheFileState::Ours) return markUsed(path);
    }
}

std::string StoreCache::keyedNote(std::string_view key, std::string_view note) {
    return std::string(key) + '\n' + std::string(note);
}

bool StoreCache::takeKey(std::string_view key, std::string& note) {
    const std::string start = keyedNote(key, {});
    if (!note.starts_with(start)) return false;
    note.erase(0, start.size());
    return true;
}

std::shared_ptr<const CacheFolder> StoreCache::findFolder(std::string_view key, const CancelToken& cancel) const {
    return CacheFolder::open(m_folder / cacheFolderName(key), key, &cancel);
}

std::shared_ptr<const CacheFolder> StoreCache::putFolder(std::string_view key, const ScratchFolder& scratch,
                                                         std::string_view note, const CancelToken& cancel) const {
    static constexpr std::uint64_t kShare = 4;
    if (!CacheFolder::label(scratch.path(), key, note, &cancel)) return nullptr;
    const auto label = CacheFolder::labelOf(scratch.path());
    if (!label || label->bytes > m_limit / kShare) return nullptr;
    const fs::path path = m_folder / cacheFolderName(key);
    bool isMoved = renameFolder(scratch.path(), path);
    auto kept = CacheFolder::open(path, key);
    if (!kept && !isMoved) {
        // A file in the way is no folder that anybody can use; what is not ours stays.
        CacheFolder::remove(path, &cancel);
        isMoved = renameFolder(scratch.path(), path);
        kept = CacheFolder::open(path, key);
    }
    if (kept && !isMoved) ScratchFolder::remove(scratch.path(), &cancel);
    // Somebody else removes what lies there: the caller goes on with what it has made.
    if (!kept && isMoved) renameFolder(path, scratch.path());
    if (kept && isMoved) account(label->bytes, cancel);
    return kept;
}

std::vector<StoreCache::Entry> StoreCache::entries() const {
    std::vector<Entry> list;
    for (const CacheFile& file : cacheFilesIn(m_folder)) {
        if (file.isFolder) {
            if (const auto label = CacheFolder::labelOf(file.path))
                list.push_back({file.path, label->note, file.bytes, file.lastUse});
            continue;
        }
        if (cacheFileState(file.path) != CacheFileState::Ours) continue;
        std::string note = noteIn(file.path);
        if (!takeKey(file.key, note)) note.clear();
        list.push_back({file.path, note, file.bytes, file.lastUse});
    }
    std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.lastUse > b.lastUse; });
    return list;
}

std::size_t StoreCache::clear(const CancelToken& cancel) const {
    std::size_t removed = 0;
    removeLeftOvers(m_folder, &cancel);
    for (const CacheFile& file : cacheFilesIn(m_folder)) {
        if (cancel.cancelled()) break;
        removed += removeCacheFile(file, &cancel) ? 1 : 0;
    }
    return removed;
}

void StoreCache::account(std::uint64_t bytes, const CancelToken& cancel) const {
    const std::lock_guard lock(m_mutex);
    if (m_bytes && *m_bytes + bytes <= m_limit) {
        *m_bytes += bytes;
        return;
    }
    if (!m_bytes) removeLeftOvers(m_folder, &cancel);
    m_bytes = makeRoom(cacheFilesIn(m_folder), cancel);
}

/// @return Bytes that are left.
std::uint64_t StoreCache::makeRoom(std::vector<CacheFile> files, const CancelToken& cancel) const {
    static constexpr std::uint64_t kFreeShare = 8;
    std::uint64_t total = 0;
    for (const CacheFile& file : files) total += file.bytes;
    if (total <= m_limit) return total;
    std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) { return a.lastUse < b.lastUse; });
    for (const CacheFile& file : files) {
        if (cancel.cancelled() || total <= m_limit - m_limit / kFreeShare) break;
        if (removeCacheFile(file, &cancel)) total -= file.bytes;
    }
    return total;
}

}  // namespace altiscope
