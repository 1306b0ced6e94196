#pragma once

#include "core/base/file.h"
#include "core/base/result.h"
#include "core/store/kept_folder.h"
#include "core/store/store_file.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Sealed stores on disk, in a folder of the user's cache, so that a second opening reads nothing but them; and folders of files that
/// were made from a source (KeptFolder), under the same limit.
/// A missing, truncated, foreign or outdated entry counts as not there and is rebuilt without a question. Safe with several processes
/// on one folder: entries appear and vanish as a whole, and a mapped entry stays readable after it was removed. Any thread.
class StoreCache {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{20} << 30;  ///< Bytes of all entries together.

    struct Entry {
        std::filesystem::path path;
        std::string note;       ///< As given to put(); empty if the entry is unusable.
        std::uint64_t bytes = 0;
        std::chrono::system_clock::time_point lastUse;
    };

    /// The folder need not exist yet; it is made by the first put().
    explicit StoreCache(std::filesystem::path folder, std::uint64_t limit = kDefaultLimit);

    const std::filesystem::path& folder() const { return m_folder; }

    /// Name for mkdtemp of a folder that this process needs beside the entries for a while. It takes it away itself; after it
    /// was killed clear() does, or put() a day later.
    static std::string scratchPattern();

    std::optional<StoreFileContent> find(std::string_view key) const;
    /// Adds an entry and removes the least recently used ones beyond the limit.
    /// @return Error "cache.not_written"; nothing is left behind then.
    Result<Done> put(std::string_view key, const TraceStore& store, std::string_view note, const RowTables* rows = nullptr) const;

    /// The folder that was kept under a key; null if there is none, or its files are not those that were kept.
    std::shared_ptr<const KeptFolder> findFolder(std::string_view key) const;
    /// Makes a scratch folder (scratchPattern(), in this cache's folder) an entry; its files stand where KeptFolder::filesIn
    /// says. If another process was faster, its folder is returned.
    /// @return Null if it is too large to be kept, a quarter of the limit, or that fails; the scratch folder is then as it was.
    std::shared_ptr<const KeptFolder> putFolder(std::string_view key, const std::filesystem::path& scratch, std::string_view note) const;

    /// Entries, last used first. Files that are not ours are not listed.
    std::vector<Entry> entries() const;
    /// Removes all entries and left-over temporary files, nothing else. A folder that somebody uses stays.
    /// @return Number of entries removed.
    std::size_t clear() const;

    /// Text that changes when a source file changes: canonical path, size, modification time in ns, inode, and a hash of its first and
    /// last 64 KiB and 16 blocks between. Hashing everything would cost more than a second opening may.
    /// @return Error as ReadOnlyFile::read.
    static Result<std::string> fingerprint(const ReadOnlyFile& file);
    /// Name of the entry for a set of fingerprints and whatever else decides how a store looks.
    static std::string key(std::string_view text);

private:
    void evict() const;
    std::filesystem::path pathOf(std::string_view key, std::string_view ending) const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;
};

} // namespace altiscope
