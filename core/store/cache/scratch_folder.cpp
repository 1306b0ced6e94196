#include "core/store/cache/scratch_folder.h"

#include "core/base/files/file.h"
#include "core/base/files/write_all.h"
#include "core/base/text/table_text.h"
#include "core/base/values/parse.h"
#include "core/store/cache/private_folder.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScratchName = "scratch-";
constexpr std::int64_t kLongAgo = 24 * 60 * 60;  // s
constexpr const char* kMark = ".altiscope-folder";
constexpr std::string_view kMarkMagic = "altiscope scratch folder 1";

/// Facts in a mark about the folder and its maker.
struct FolderMark {
    std::string magic, user, inode, process, begin, boot;
    std::string text() const {
        return magic + '\n' + user + '\n' + inode + '\n' + process + '\n' + begin + '\n' + boot + '\n';
    }
};

std::string smallText(const fs::path& path) {
    static constexpr std::size_t kMax = 4096;
    std::string text(kMax, '\0');
    // Not by its size: files of /proc have none.
    const auto file = ReadOnlyFile::open(path);
    const auto got = file.ok() ? file.value().read(0, text) : Result<std::size_t>(std::size_t{0});
    text.resize(got.ok() ? got.value() : 0);
    return text;
}

/// When a process began, in ticks since the system's start; empty if there is none. A number alone is soon another
/// process's.
std::string beginOf(std::string_view process) {
    // field 22 of proc_pid_stat(5), counted from the name, which may hold anything
    static constexpr int kFieldsBetween = 20;
    const std::string text = smallText("/proc/" + std::string(process) + "/stat");
    std::size_t at = text.rfind(')');
    for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = text.find(' ', at + 1);
    return at == std::string::npos ? std::string() : text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

/// Where process numbers mean what they mean here: a start of the system, and in it a space of process numbers, as each
/// container has its own (pid_namespaces(7)).
std::string bootOf() {
    const std::string text = smallText("/proc/sys/kernel/random/boot_id");
    std::error_code error;
    const fs::path space = fs::read_symlink("/proc/self/ns/pid", error);
    return text.substr(0, text.find('\n')) + ' ' + (error ? std::string() : space.string());
}

std::string inodeOf(const struct stat& status) { return std::to_string(status.st_ino); }

FolderMark markFor(const struct stat& folder) {
    const std::string process = std::to_string(::getpid());
    return {std::string(kMarkMagic), std::to_string(::geteuid()), inodeOf(folder), process, beginOf(process), bootOf()};
}

/// The mark of a folder of ours; nullopt for all others. Links are not followed.
std::optional<FolderMark> markOf(const fs::path& folder) {
    struct stat there {
    }, mark{};
    if (::lstat(folder.c_str(), &there) != 0 || !S_ISDIR(there.st_mode) || there.st_uid != ::geteuid())
        return std::nullopt;
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
    const bool isIts = found.magic == kMarkMagic && wholeNumber(found.process) &&
                       found.user == std::to_string(there.st_uid) && found.inode == inodeOf(there);
    return isIts ? std::optional(found) : std::nullopt;
}

/// The end of a name of ours that begins so.
std::string checkOf(std::string_view begin) { return '-' + hexNumber(XXH3_64bits(begin.data(), begin.size())); }

/// bootOf() as a name states it.
std::string shortBootOf() {
    const std::string boot = bootOf();
    return hexNumber(XXH3_64bits(boot.data(), boot.size())).substr(0, 8);
}

std::string_view nameBegin(ScratchPlace place) {
    return place == ScratchPlace::Ours ? kScratchName : kCaptureScratchName;
}

/// nullopt for names that do not begin as ours.
std::optional<ScratchPlace> placeOf(std::string_view name) {
    for (const ScratchPlace place : {ScratchPlace::Ours, ScratchPlace::Capture}) {
        if (name.starts_with(nameBegin(place))) return place;
    }
    return std::nullopt;
}

/// "scratch-<process>-<its begin>-<start of the system>-<random number>-<check>".
std::string newName(std::random_device& random, ScratchPlace place) {
    const std::string process = std::to_string(::getpid());
    const std::string begin = std::string(nameBegin(place)) + process + '-' + beginOf(process) + '-' + shortBootOf() +
                              '-' + hexNumber((std::uint64_t{random()} << 32) | random());
    return begin + checkOf(begin);
}

/// Maker of a folder as its name states it.
struct NamedMaker {
    std::string process, begin, boot;
};

/// nullopt for names that newName() does not give.
std::optional<NamedMaker> makerInName(const std::string& name) {
    const std::size_t check = name.rfind('-');
    const auto place = placeOf(name);
    if (!place || name.substr(check) != checkOf(name.substr(0, check))) return std::nullopt;
    std::string_view rest = std::string_view(name).substr(nameBegin(*place).size());
    NamedMaker maker;
    for (std::string* field : {&maker.process, &maker.begin, &maker.boot}) {
        const std::size_t end = rest.find('-');
        if (end == std::string_view::npos) return std::nullopt;
        field->assign(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    return maker;
}

/// Removes a folder whose maker ended before it had its mark, or whose remover ended after that was gone: it bears a
/// name that only this program gives, and holds nothing but an empty mark, or nothing at all.
void removeUnmarked(const fs::path& folder) {
    struct stat there {
    }, mark{};
    const auto maker = makerInName(folder.filename().string());
    if (!maker || ::lstat(folder.c_str(), &there) != 0 || !S_ISDIR(there.st_mode) || there.st_uid != ::geteuid())
        return;
    // Another start may be another machine, whose processes are not known here.
    const bool isGone = maker->boot == shortBootOf() ? beginOf(maker->process) != maker->begin
                                                     : there.st_mtime + kLongAgo < ::time(nullptr);
    if (!isGone) return;
    const fs::path file = folder / kMark;
    if (::lstat(file.c_str(), &mark) == 0 && S_ISREG(mark.st_mode) && mark.st_size == 0 && mark.st_uid == ::geteuid())
        ::unlink(file.c_str());
    ::rmdir(folder.c_str());  // fails where anything else lies in it
}

/// Locks the mark before it says anything: nobody sees a mark without its maker.
int makeMark(const fs::path& folder) {
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0) return -1;
    const int mark = ::open((folder / kMark).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (mark < 0) return -1;
    ::flock(mark, LOCK_EX | LOCK_NB);  // where the file system has no locks the process tells
    struct stat made {
    }, there{};
    int problem = writeAll(mark, markFor(status).text());
    if (problem == 0) {
        if (::fstat(mark, &made) == 0 && ::lstat((folder / kMark).c_str(), &there) == 0 && made.st_ino == there.st_ino)
            return mark;
        problem = errno;
    }
    ::close(mark);
    ::unlink((folder / kMark).c_str());
    errno = problem;
    return -1;
}

/// Decides when a removal has to leave the rest to a later one.
class Patience {
public:
    /// @param grace  How long it goes on after a cancel.
    Patience(const CancelToken* cancel, std::chrono::milliseconds grace) : m_cancel(cancel), m_grace(grace) {}
    bool isOver() {
        if (m_cancel == nullptr || !m_cancel->cancelled()) return false;
        const auto now = std::chrono::steady_clock::now();
        if (!m_end) m_end = now + m_grace;
        return now >= *m_end;
    }

private:
    const CancelToken* m_cancel;
    std::chrono::milliseconds m_grace;
    std::optional<std::chrono::steady_clock::time_point> m_end;
};

/// Removes what lies in a folder but the mark. Links are not followed; one folder is open at a time, however deep they
/// lie.
/// @return Whether nothing else is left.
bool removeInside(const fs::path& top, Patience& patience) {
    bool isEmpty = true;
    std::vector<fs::path> folders{top};
    for (std::size_t i = 0; i < folders.size(); ++i) {
        const fs::path folder = folders[i];
        std::error_code error;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            if (patience.isOver()) return false;
            std::error_code unknown;
            if (i == 0 && it->path().filename() == kMark) continue;
            if (it->symlink_status(unknown).type() == fs::file_type::directory) folders.push_back(it->path());
            else isEmpty = ::unlink(it->path().c_str()) == 0 && isEmpty;
        }
        isEmpty = isEmpty && !error;
    }
    for (; folders.size() > 1; folders.pop_back()) {
        if (patience.isOver()) return false;
        isEmpty = ::rmdir(folders.back().c_str()) == 0 && isEmpty;
    }
    return isEmpty;
}

/// Whether nothing in a folder, at any depth, has changed for a day.
bool isLongUnchanged(const fs::path& top) {
    const std::int64_t limit = ::time(nullptr) - kLongAgo;
    const auto isOld = [limit](const fs::path& path) {
        struct stat there {};
        return ::lstat(path.c_str(), &there) == 0 && there.st_mtime < limit;
    };
    if (!isOld(top)) return false;
    std::error_code error;
    for (fs::recursive_directory_iterator it(top, error), end; !error && it != end; it.increment(error)) {
        if (!isOld(it->path())) return false;
    }
    return !error;
}

/// True the first time that it is called for a folder.
bool isNewParent(const fs::path& parent) {
    static std::mutex mutex;
    static std::set<fs::path> known;
    const std::lock_guard lock(mutex);
    return known.insert(parent).second;
}

}  // namespace

std::shared_ptr<const ScratchFolder> ScratchFolder::make(const fs::path& parent, const CancelToken& cancel,
                                                         std::error_code& error, ScratchPlace place) {
    static constexpr int kTries = 3;
    if (place == ScratchPlace::Ours) {
        if (!makePrivateFolder(parent, error)) return nullptr;
        if (isNewParent(parent)) removeAbandoned(parent, &cancel);
    }
    std::random_device random;
    for (int i = 0; i < kTries; ++i) {
        const fs::path path = parent / newName(random, place);
        const bool isMade = ::mkdir(path.c_str(), 0700) == 0;
        const int mark = isMade ? makeMark(path) : -1;
        if (mark >= 0) return std::shared_ptr<const ScratchFolder>(new ScratchFolder(path, mark, cancel));
        error = std::error_code(errno, std::generic_category());
        if (isMade) ::rmdir(path.c_str());
        // Another machine may have taken it for one that was left behind.
        if (error != std::errc::no_such_file_or_directory && error != std::errc::file_exists) break;
    }
    return nullptr;
}

ScratchFolder::~ScratchFolder() {
    struct stat locked {
    }, there{};
    const bool isHere = ::fstat(m_mark, &locked) == 0 && ::lstat((m_path / kMark).c_str(), &there) == 0 &&
                        locked.st_ino == there.st_ino;
    if (isHere) remove(m_path, &m_cancel);
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
    if (mark->boot == bootOf()) return beginOf(mark->process) != mark->begin;
    return placeOf(folder.filename().string()) != ScratchPlace::Capture || isLongUnchanged(folder);
}

bool ScratchFolder::remove(const fs::path& folder, const CancelToken* cancel) {
    static constexpr std::chrono::milliseconds kGrace{40};
    if (!isOurs(folder)) return false;
    fs::path path = folder;
    if (!makerInName(folder.filename().string())) {
        // A program that is killed after the mark is gone must leave a name that states whose it was.
        std::random_device random;
        fs::path other = folder.parent_path() / newName(random, ScratchPlace::Ours);
        if (::rename(folder.c_str(), other.c_str()) == 0) path = std::move(other);
    }
    Patience patience(cancel, kGrace);
    return removeInside(path, patience) && ::unlink((path / kMark).c_str()) == 0 && ::rmdir(path.c_str()) == 0;
}

std::vector<fs::path> ScratchFolder::removeAbandoned(const fs::path& parent, const CancelToken* cancel,
                                                     ScratchPlace place) {
    std::error_code error;
    std::vector<fs::path> found, removed;
    for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
        if (it->path().filename().string().starts_with(nameBegin(place))) found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    for (const fs::path& path : found) {
        if (cancel != nullptr && cancel->cancelled()) break;
        if (isAbandoned(path)) remove(path, cancel);
        else removeUnmarked(path);
        if (!fs::exists(fs::symlink_status(path, error))) removed.push_back(path);
    }
    return removed;
}

}  // namespace altiscope
