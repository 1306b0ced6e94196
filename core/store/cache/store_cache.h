#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/cache/cache_folder.h"
#include "core/store/cache/scratch_folder.h"
#include "core/store/cache/store_pack.h"
#include "core/store/file/store_file.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

struct CacheFile;

/// Sealed stores on disk, in a folder of the user's cache, so that a second opening reads nothing but them; and folders
/// of files that were made from a source (CacheFolder), under the same limit.
/// A missing, truncated, foreign or outdated entry counts as not there and is rebuilt silently; files of the
/// user that happen to be called like ours stay (cache_files.h). Safe with several processes on one folder: entries
/// appear and vanish as a whole, and a mapped entry stays readable after it was removed. Any thread.
class StoreCache {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{20} << 30;  ///< Bytes of all entries together.

    struct Entry {
        std::filesystem::path path;
        std::string note;  ///< As given to put(); empty if the entry is unusable.
        std::uint64_t bytes = 0;
        std::chrono::system_clock::time_point lastUse;
    };

    /// The folder need not exist yet; it is made by the first put(), for this user alone. Whether one that is there may
    /// be believed is asked by who opens captures: isPrivateFolder().
    explicit StoreCache(std::filesystem::path folder, std::uint64_t limit = kDefaultLimit);

    const std::filesystem::path& folder() const { return m_folder; }

    /// @param key  Of key().
    /// @return nullopt if there is none, and when `cancel` says so: it is polled for each 4 MiB.
    std::optional<StoreFileContent> find(std::string_view key, const CancelToken& cancel = {}) const;
    /// Adds an entry. The first one looks at the folder, and so does one that goes beyond the limit: the least recently
    /// used entries are removed then, until an eighth of the limit is free. All others cost what their own bytes do.
    /// @return Cancelled, or Error "cache.not_written"; nothing is left behind then.
    Result<Done> put(std::string_view key, const TraceStore& store, std::string_view note,
                     const RowTables* rows = nullptr, const CancelToken& cancel = {}) const;

    /// As put, by a function that writes the file, completely or not at all.
    Result<Done> putFile(std::string_view key, const CancelToken& cancel,
                         const std::function<Result<Done>(const std::filesystem::path&)>& write) const;
    /// The pack that was put under a key; null if there is none. Whoever uses it says so by touch().
    std::shared_ptr<const StorePack> findPack(std::string_view key) const;
    void touch(std::string_view key) const;

    /// Note of an entry's file: its key first, so that a file under another's name is not believed.
    static std::string keyedNote(std::string_view key, std::string_view note);
    /// Takes the key away again. @return False if it is another one.
    static bool takeKey(std::string_view key, std::string& note);

    /// The folder that was kept under a key; null if there is none, or its files are not those that were kept, and when
    /// `cancel` says so.
    std::shared_ptr<const CacheFolder> findFolder(std::string_view key, const CancelToken& cancel = {}) const;
    /// Makes a scratch folder in this cache's folder an entry; its files stand where CacheFolder::filesIn says. If
    /// another process was faster, its folder is returned.
    /// @return Null if it is too large to be kept, a quarter of the limit, or that fails or is cancelled; the scratch
    ///         folder is then as it was.
    std::shared_ptr<const CacheFolder> putFolder(std::string_view key, const ScratchFolder& scratch,
                                                 std::string_view note, const CancelToken& cancel = {}) const;

    /// Entries, last used first. Files that are not ours are not listed.
    std::vector<Entry> entries() const;
    /// Removes all entries and what killed processes left of some, nothing else. A folder that somebody uses stays.
    /// @return Number of entries removed; the others stay when `cancel` says so.
    std::size_t clear(const CancelToken& cancel = {}) const;

    /// Text that changes when a source file changes: canonical path, size, modification and change time (mtime, ctime)
    /// in ns, inode, and a hash of its first and last 64 KiB and 16 blocks between. Hashing everything would cost more
    /// than a second opening may; the change time, which no program can set, shows the rest. A file changed within the
    /// last tick of that clock is waited for, some ms at most.
    /// @return Error as ReadOnlyFile::read.
    static Result<std::string> fingerprint(const ReadOnlyFile& file);
    /// Name of the entry for a set of fingerprints and whatever else decides how a store looks.
    static std::string key(std::string_view text);

private:
    /// Counts what has been added, and makes room if it is too much.
    void account(std::uint64_t bytes, const CancelToken& cancel) const;
    std::uint64_t makeRoom(std::vector<CacheFile> files, const CancelToken& cancel) const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;
    mutable std::mutex m_mutex;
    // of all entries, as far as this object knows; what others add it learns the next time
    mutable std::optional<std::uint64_t> m_bytes;
};

}  // namespace altiscope
