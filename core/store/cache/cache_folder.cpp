#include "core/store/cache/cache_folder.h"

#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/base/values/clock_time.h"
#include "core/base/values/parse.h"
#include "core/store/cache/scratch_folder.h"

#include <xxhash.h>

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLabel = "label";
constexpr std::uint64_t kMaxLabel = std::uint64_t{64} << 20;

std::string stampText(const struct timespec& time) {
    return std::to_string(time.tv_sec) + ' ' + std::to_string(time.tv_nsec) + '\n';
}

struct FolderState {
    std::uint64_t bytes = 0, state = 0;
};

/// nullopt if something of it cannot be looked up, or the work is cancelled.
std::optional<FolderState> stateOf(const fs::path& files, const CancelToken* cancel) {
    FolderState all;
    std::error_code error;
    for (fs::recursive_directory_iterator it(files, error), end; !error && it != end; it.increment(error)) {
        struct stat status {};
        const bool isCancelled = cancel != nullptr && cancel->cancelled();
        if (isCancelled || ::lstat(it->path().c_str(), &status) != 0) return std::nullopt;
        // Sizes and times of folders depend on the file system, and change without a change of the content.
        const bool isFile = S_ISREG(status.st_mode);
        const std::string text =
            it->path().lexically_relative(files).string() + '\n' +
            (isFile ? std::to_string(status.st_size) + '\n' + stampText(status.st_mtim) + stampText(status.st_ctim)
                    : std::string("folder"));
        if (isFile) all.bytes += static_cast<std::uint64_t>(status.st_size);
        // A sum, because the order of a listing means nothing.
        all.state += XXH3_64bits(text.data(), text.size());
    }
    if (error) return std::nullopt;
    return all;
}

/// Takes the label's lock. @return -1 if there is no label, or one that is no file, it is just being removed, or
/// somebody else holds it.
int lockLabel(const fs::path& folder, int kind) {
    const fs::path path = folder / kLabel;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return -1;
    struct stat locked {
    }, there{};
    // Between opening and locking the folder may have been removed.
    if (::flock(descriptor, kind | LOCK_NB) == 0 && ::fstat(descriptor, &locked) == 0 && S_ISREG(locked.st_mode) &&
        ::lstat(path.c_str(), &there) == 0 && locked.st_ino == there.st_ino)
        return descriptor;
    ::close(descriptor);
    return -1;
}

std::optional<std::string> nextLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string line(text.substr(0, end));
    text.remove_prefix(end + 1);
    return line;
}

}  // namespace

CacheFolder::CacheFolder(int lock, fs::path files, Label label)
    : m_lock(lock), m_files(std::move(files)), m_label(std::move(label)) {}

CacheFolder::~CacheFolder() { ::close(m_lock); }

fs::path CacheFolder::filesIn(const fs::path& folder) { return folder / "files"; }

bool CacheFolder::label(const fs::path& folder, std::string_view key, std::string_view note,
                        const CancelToken* cancel) {
    const auto state = ScratchFolder::isOurs(folder) ? stateOf(filesIn(folder), cancel) : std::nullopt;
    if (!state) return false;
    PendingFile file(folder / kLabel, PendingFile::Access::Owner);
    return file.opened() &&
           file.write(std::string(key) + '\n' + std::to_string(state->bytes) + '\n' + std::to_string(state->state) +
                      '\n' + std::string(note)) &&
           file.keep();
}

std::optional<CacheFolder::Label> CacheFolder::labelOf(const fs::path& folder) {
    const auto content = readSmallFile(folder / kLabel, kMaxLabel);
    if (!content.ok()) return std::nullopt;
    std::string_view rest = content.value();
    const auto key = nextLine(rest), bytes = nextLine(rest), state = nextLine(rest);
    if (!state) return std::nullopt;
    const auto size = wholeNumber<std::uint64_t>(*bytes), hash = wholeNumber<std::uint64_t>(*state);
    if (!size || !hash) return std::nullopt;
    return Label{*key, std::string(rest), *size, *hash};
}

std::optional<std::chrono::system_clock::time_point> CacheFolder::lastUse(const fs::path& folder) {
    struct stat status {};
    if (::lstat((folder / kLabel).c_str(), &status) != 0) return std::nullopt;
    return timePointOf(status.st_mtim);
}

std::shared_ptr<const CacheFolder> CacheFolder::open(const fs::path& folder, std::string_view key,
                                                     const CancelToken* cancel) {
    const int lock = ScratchFolder::isOurs(folder) ? lockLabel(folder, LOCK_SH) : -1;
    if (lock < 0) return nullptr;
    auto label = labelOf(folder);
    const auto now = label ? stateOf(filesIn(folder), cancel) : std::nullopt;
    const bool isCancelled = cancel != nullptr && cancel->cancelled();
    if (!now || label->key != key || now->bytes != label->bytes || now->state != label->state) {
        ::close(lock);
        if (!isCancelled) remove(folder, cancel);
        return nullptr;
    }
    ::utimensat(AT_FDCWD, (folder / kLabel).c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
    return std::shared_ptr<const CacheFolder>(new CacheFolder(lock, filesIn(folder), std::move(*label)));
}

bool CacheFolder::remove(const fs::path& folder, const CancelToken* cancel) {
    if (!ScratchFolder::isOurs(folder)) return false;
    const fs::path path = folder / kLabel;
    const int lock = lockLabel(folder, LOCK_EX);
    struct stat there {};
    // Without a label it is nothing that anybody could use.
    if (lock < 0 && ::lstat(path.c_str(), &there) == 0) return false;
    // The label goes first: what is left when this process is killed half-way is no folder that can be opened.
    ::unlink(path.c_str());
    const bool isRemoved = ScratchFolder::remove(folder, cancel);
    if (lock >= 0) ::close(lock);
    return isRemoved;
}

}  // namespace altiscope
