#include "core/store/cache/cache_files.h"

#include "core/base/values/clock_time.h"
#include "core/base/values/parse.h"
#include "core/store/cache/cache_folder.h"
#include "core/store/cache/scratch_folder.h"
#include "core/store/file/store_sections.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFileEnding = ".altistore";
constexpr std::string_view kFolderEnding = ".altifolder";
constexpr std::uint64_t kMagics[] = {StoreFileHeader::kMagic, PackHeader::kMagic};
constexpr std::string_view kPending = ".tmp.";  // "<entry>.tmp.<process>.<random>", see PendingFile

/// The key at the start of an entry's name; empty if it begins with none.
std::string_view keyIn(std::string_view name) {
    static constexpr std::size_t kDigits = 32;
    const std::string_view key = name.substr(0, std::min(kDigits, name.size()));
    const bool isKey = key.size() == kDigits && std::all_of(key.begin(), key.end(), [](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                       });
    return isKey ? key : std::string_view();
}

/// Rest after the key in the name of an entry that is a file; nullopt for other names.
std::optional<std::string_view> afterEntryName(std::string_view name) {
    const std::string_view key = keyIn(name);
    if (key.empty()) return std::nullopt;
    for (int slot = 0; slot < kCacheSlots; ++slot) {
        const std::string entry = cacheFileName(key, slot).string();
        if (name.starts_with(entry)) return name.substr(entry.size());
    }
    return std::nullopt;
}

/// Whether a name is that of a temporary file of an entry, and its process has ended.
bool isLeftOverName(std::string_view name) {
    const auto rest = afterEntryName(name);
    if (!rest || !rest->starts_with(kPending)) return false;
    const std::string_view numbers = rest->substr(kPending.size());
    const std::size_t dot = numbers.find('.');
    if (dot == std::string_view::npos || !wholeNumber<std::uint64_t>(numbers.substr(dot + 1))) return false;
    const auto process = wholeNumber<int>(numbers.substr(0, dot));
    return process && *process > 0 && ::kill(*process, 0) != 0 && errno == ESRCH;
}

/// A file that is shorter than the magic may hold a part of it.
bool beginsAsStore(int descriptor) {
    std::uint64_t begin = 0;
    const ssize_t got = ::pread(descriptor, &begin, sizeof begin, 0);
    return got >= 0 && std::any_of(std::begin(kMagics), std::end(kMagics), [&](std::uint64_t magic) {
               return std::memcmp(&begin, &magic, static_cast<std::size_t>(got)) == 0;
           });
}

std::vector<fs::path> pathsIn(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        paths.push_back(it->path());
    return paths;
}

}  // namespace

fs::path cacheFileName(std::string_view key, int slot) {
    return std::string(key) + (slot == 0 ? std::string() : '-' + std::to_string(slot)).append(kFileEnding);
}

fs::path cacheFolderName(std::string_view key) { return std::string(key).append(kFolderEnding); }

CacheFileState cacheFileState(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return errno == ENOENT ? CacheFileState::Absent : CacheFileState::Foreign;
    struct stat status {};
    const bool isOurs = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
                        beginsAsStore(descriptor);
    ::close(descriptor);
    return isOurs ? CacheFileState::Ours : CacheFileState::Foreign;
}

std::vector<CacheFile> cacheFilesIn(const fs::path& folder) {
    std::vector<CacheFile> files;
    for (const fs::path& path : pathsIn(folder)) {
        const std::string name = path.filename().string();
        const std::string_view key = keyIn(name);
        struct stat status {};
        if (key.empty() || ::lstat(path.c_str(), &status) != 0) continue;
        CacheFile file{path, std::string(key), S_ISDIR(status.st_mode), static_cast<std::uint64_t>(status.st_size),
                       timePointOf(status.st_mtim)};
        if (file.isFolder && name == cacheFolderName(key)) {
            const auto label = ScratchFolder::isOurs(path) ? CacheFolder::labelOf(path) : std::nullopt;
            const auto lastUse = label ? CacheFolder::lastUse(path) : std::nullopt;
            if (!lastUse) continue;
            file.bytes = label->bytes;
            file.lastUse = *lastUse;
            files.push_back(std::move(file));
        } else if (S_ISREG(status.st_mode) && afterEntryName(name) == std::string_view()) {
            files.push_back(std::move(file));
        }
    }
    return files;
}

bool removeCacheFile(const CacheFile& file, const CancelToken* cancel) {
    if (file.isFolder) return CacheFolder::remove(file.path, cancel);
    return cacheFileState(file.path) == CacheFileState::Ours && ::unlink(file.path.c_str()) == 0;
}

void removeLeftOvers(const fs::path& folder, const CancelToken* cancel) {
    ScratchFolder::removeAbandoned(folder, cancel);
    for (const fs::path& path : pathsIn(folder)) {
        if (cancel != nullptr && cancel->cancelled()) return;
        const std::string name = path.filename().string();
        const bool isPending = isLeftOverName(name) && cacheFileState(path) == CacheFileState::Ours;
        if (isPending) ::unlink(path.c_str());
        const bool isHalf = !keyIn(name).empty() && name == cacheFolderName(keyIn(name)) &&
                            !CacheFolder::labelOf(path) && ScratchFolder::isAbandoned(path);
        if (isHalf) ScratchFolder::remove(path, cancel);
    }
}

}  // namespace altiscope
