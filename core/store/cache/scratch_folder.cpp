#include "core/store/cache/scratch_folder.h"

#include "core/base/file.h"
#include "core/base/parse.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScratchName = "scratch-";
constexpr const char* kMark = ".altiscope-folder";
constexpr std::string_view kMarkMagic = "altiscope scratch folder 1";

/// What a mark tells of the folder and its maker.
struct FolderMark {
    std::string magic, user, inode, process, begin, boot;
    std::string text() const { return magic + '\n' + user + '\n' + inode + '\n' + process + '\n' + begin + '\n' + boot + '\n'; }
};

std::string smallText(const fs::path& path) {
    static constexpr std::size_t kMost = 4096;
    std::string text(kMost, '\0');
    // Not by its size: files of /proc have none.
    const auto file = ReadOnlyFile::open(path);
    const auto got = file.ok() ? file.value().read(0, text) : Result<std::size_t>(std::size_t{0});
    text.resize(got.ok() ? got.value() : 0);
    return text;
}

/// When a process began, in ticks since the system's start; empty if there is none. A number alone is soon another process's.
std::string beginOf(std::string_view process) {
    static constexpr int kFieldsBetween = 20;  // field 22 of proc_pid_stat(5), counted from the name, which may hold anything
    const std::string text = smallText("/proc/" + std::string(process) + "/stat");
    std::size_t at = text.rfind(')');
    for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = text.find(' ', at + 1);
    return at == std::string::npos ? std::string() : text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

std::string bootOf() {
    const std::string text = smallText("/proc/sys/kernel/random/boot_id");
    return text.substr(0, text.find('\n'));
}

std::string inodeOf(const struct stat& status) { return std::to_string(status.st_ino); }

FolderMark markFor(const struct stat& folder) {
    const std::string process = std::to_string(::getpid());
    return {std::string(kMarkMagic), std::to_string(::geteuid()), inodeOf(folder), process, beginOf(process), bootOf()};
}

/// The mark of a folder of ours; nullopt for all others. Links are not followed.
std::optional<FolderMark> markOf(const fs::path& folder) {
    struct stat there {}, mark {};
    if (::lstat(folder.c_str(), &there) != 0 || !S_ISDIR(there.st_mode) || there.st_uid != ::geteuid()) return std::nullopt;
    const fs::path file = folder / kMark;
    if (::lstat(file.c_str(), &mark) != 0 || !S_ISREG(mark.st_mode) || mark.st_uid != ::geteuid()) return std::nullopt;
    FolderMark found;
    const std::string text = smallText(file);
    std::string_view rest = text;
    for (std::string* field : {&found.magic, &found.user, &found.inode, &found.process, &found.begin, &found.boot}) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        field->assign(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    const bool isIts = found.magic == kMarkMagic && wholeNumber(found.process) && found.user == std::to_string(there.st_uid) && found.inode == inodeOf(there);
    return isIts ? std::optional(found) : std::nullopt;
}

bool writeAllOf(int descriptor, std::string_view text) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0 && static_cast<std::size_t>(written) < text.size()) errno = ENOSPC;
    return written == static_cast<ssize_t>(text.size());
}

/// Locks the mark before it says anything: nobody sees a mark without its maker.
int makeMark(const fs::path& folder) {
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0) return -1;
    const int mark = ::open((folder / kMark).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (mark < 0) return -1;
    ::flock(mark, LOCK_EX | LOCK_NB);  // where the file system has no locks the process tells
    if (writeAllOf(mark, markFor(status).text())) return mark;
    const int number = errno;
    ::close(mark);
    ::unlink((folder / kMark).c_str());
    errno = number;
    return -1;
}

/// True the first time that it is called for a folder.
bool isNewParent(const fs::path& parent) {
    static std::mutex mutex;
    static std::set<fs::path> known;
    const std::lock_guard lock(mutex);
    return known.insert(parent).second;
}

}  // namespace

std::shared_ptr<const ScratchFolder> ScratchFolder::make(const fs::path& parent, std::error_code& error) {
    fs::create_directories(parent, error);
    if (error) return nullptr;
    if (isNewParent(parent)) removeAbandoned(parent);
    std::string name = (parent / kScratchName).string() + std::to_string(::getpid()) + "-XXXXXX";
    const bool isMade = ::mkdtemp(name.data()) != nullptr;
    const int mark = isMade ? makeMark(name) : -1;
    if (mark >= 0) return std::shared_ptr<const ScratchFolder>(new ScratchFolder(name, mark));
    error = std::error_code(errno, std::generic_category());
    if (isMade) ::rmdir(name.c_str());
    return nullptr;
}

ScratchFolder::~ScratchFolder() {
    struct stat locked {}, there {};
    const bool isHere = ::fstat(m_mark, &locked) == 0 && ::lstat((m_path / kMark).c_str(), &there) == 0 && locked.st_ino == there.st_ino;
    if (isHere) remove(m_path);
    ::close(m_mark);
}

bool ScratchFolder::isOurs(const fs::path& folder) { return markOf(folder).has_value(); }

bool ScratchFolder::isAbandoned(const fs::path& folder) {
    const auto mark = markOf(folder);
    if (!mark) return false;
    const int descriptor = ::open((folder / kMark).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return false;
    const bool isLocked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    if (isLocked) return false;
    // Processes of another start of the system are gone, and those of another machine hold the lock.
    return mark->boot != bootOf() || beginOf(mark->process) != mark->begin;
}

bool ScratchFolder::remove(const fs::path& folder) {
    if (!isOurs(folder)) return false;
    std::error_code error;
    std::vector<fs::path> inside;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (it->path().filename() != kMark) inside.push_back(it->path());
    }
    bool isEmpty = !error;
    for (const fs::path& path : inside) {
        fs::remove_all(path, error);
        isEmpty = isEmpty && !error;
    }
    return isEmpty && ::unlink((folder / kMark).c_str()) == 0 && ::rmdir(folder.c_str()) == 0;
}

void ScratchFolder::removeAbandoned(const fs::path& parent) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
        if (it->path().filename().string().starts_with(kScratchName) && isAbandoned(it->path())) found.push_back(it->path());
    }
    for (const fs::path& path : found) remove(path);
}

}  // namespace altiscope
