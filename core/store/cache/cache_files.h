#pragma once

#include "core/base/values/cancel.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

// Files in a folder of the import cache, which is anybody's folder: users keep files there, and files may be called
// like ours. A file is ours if it is called like an entry (32 hexadecimal digits of a key, maybe "-1" or "-2",
// ".altistore") and is a regular file of this user that begins as a store file does; one that ends before is what a
// power cut leaves of an entry. A folder is ours by its mark (ScratchFolder). Nothing else is ever removed or written
// over. Links are not followed, and nothing that is no file is waited for.

/// Names that an entry may have: the next one is for where something of somebody else's has the one before.
inline constexpr int kCacheSlots = 3;
std::filesystem::path cacheFileName(std::string_view key, int slot);
std::filesystem::path cacheFolderName(std::string_view key);

/// Absent: none is there. Foreign: none of this program, or one that cannot be looked at.
enum class CacheFileState { Absent, Ours, Foreign };
/// Whose file stands under the name of an entry.
CacheFileState cacheFileState(const std::filesystem::path& path);

/// An entry of a cache as the file system reports it.
struct CacheFile {
    std::filesystem::path path;
    std::string key;
    bool isFolder = false;
    std::uint64_t bytes = 0;
    std::chrono::system_clock::time_point lastUse;
};

/// Names that may be entries of a folder, by name and kind, in no order; of folders those that are ours. O(files): the
/// contents of files are not looked at.
std::vector<CacheFile> cacheFilesIn(const std::filesystem::path& folder);

/// Removes an entry if it is ours and, being a folder, in nobody's use.
/// @param cancel  May be null; as in CacheFolder::remove().
bool removeCacheFile(const CacheFile& file, const CancelToken* cancel);

/// Removes what killed processes have left in a folder: temporary files of entries, scratch folders, and entries that
/// were half removed.
/// @param cancel  May be null; once it is cancelled the rest stays for the next time.
void removeLeftOvers(const std::filesystem::path& folder, const CancelToken* cancel);

}  // namespace altiscope
