#include "core/base/files/sqlite_guard.h"

#include "core/base/files/real_place.h"

#include <sqlite3.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

/// Rights of a connection; appData of its VFS.
struct FileRules {
    sqlite3_vfs* system = nullptr;
    std::string writable{};  ///< Database that may be changed; empty: none.
    std::optional<CancelToken> cancel{};

    /// The database that may be changed, or what SQLite itself keeps beside it.
    bool allowsChanging(const char* path) const {
        const std::string_view wanted(path == nullptr ? "" : path);
        if (writable.empty() || !wanted.starts_with(writable)) return false;
        const std::string_view ending = wanted.substr(writable.size());
        return ending.empty() || ending == "-journal" || ending == "-wal" || ending == "-shm";
    }
    bool wantsToStop() const { return cancel && cancel->cancelled(); }
};

const FileRules& rulesOf(sqlite3_vfs* vfs) { return *static_cast<const FileRules*>(vfs->pAppData); }

// --- Files: those of the system, which fail once their connection was cancelled.

using Io = sqlite3_io_methods;

struct GuardedFile {
    sqlite3_file base;
    const FileRules* rules;
    bool isTemporary;
    std::int64_t bytes, most;  ///< Sizes of a temporary file.
    char* name;                ///< Name of a temporary file, which SQLite may still request; from malloc.
};

std::atomic<std::int64_t> temporaryBytes{0};

/// Cancel token of the statement that this thread runs.
thread_local const CancelToken* statementCancel = nullptr;

GuardedFile& guarded(sqlite3_file* file) { return *reinterpret_cast<GuardedFile*>(file); }

sqlite3_file* systemFile(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<GuardedFile*>(file) + 1);
}

template <auto Method, class... Values>
int passOn(sqlite3_file* file, Values... values) {
    sqlite3_file* real = systemFile(file);
    return (real->pMethods->*Method)(real, values...);
}

template <auto Method, int Refusal, class... Values>
int passOnUnlessCancelled(sqlite3_file* file, Values... values) {
    const GuardedFile& own = guarded(file);
    const bool isUnwanted = own.isTemporary && statementCancel != nullptr && statementCancel->cancelled();
    return isUnwanted || own.rules->wantsToStop() ? Refusal : passOn<Method>(file, values...);
}

int writeGuarded(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
    GuardedFile& to = guarded(file);
    if (const std::int64_t end = offset + count; to.isTemporary && end > to.bytes) {
        const std::int64_t more = end - to.bytes;
        if (end > to.most || temporaryBytes.fetch_add(more) + more > kMaxTemporaryBytes) {
            if (end <= to.most) temporaryBytes -= more;
            return SQLITE_FULL;
        }
        to.bytes = end;
    }
    return passOnUnlessCancelled<&Io::xWrite, SQLITE_IOERR_WRITE>(file, bytes, count, offset);
}

int closeGuarded(sqlite3_file* file) {
    GuardedFile& closed = guarded(file);
    temporaryBytes -= closed.bytes;
    closed.bytes = 0;
    const int code = passOn<&Io::xClose>(file);
    std::free(std::exchange(closed.name, nullptr));
    return code;
}

/// SQLite takes an error of the device for damage of the file, which would be reported as such and believed for ever.
int readGuarded(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset) {
    const int code = passOnUnlessCancelled<&Io::xRead, SQLITE_IOERR_READ>(file, bytes, count, offset);
    return code == SQLITE_IOERR_CORRUPTFS ? SQLITE_IOERR_READ : code;
}

void passOnBarrier(sqlite3_file* file) {
    sqlite3_file* real = systemFile(file);
    real->pMethods->xShmBarrier(real);
}

// Version 2: with shared memory for logs, without mapped pages, which would count as our memory.
constexpr Io kGuardedMethods = {
    .iVersion = 2,
    .xClose = closeGuarded,
    .xRead = readGuarded,
    .xWrite = writeGuarded,
    .xTruncate = passOn<&Io::xTruncate, sqlite3_int64>,
    .xSync = passOn<&Io::xSync, int>,
    .xFileSize = passOn<&Io::xFileSize, sqlite3_int64*>,
    .xLock = passOn<&Io::xLock, int>,
    .xUnlock = passOn<&Io::xUnlock, int>,
    .xCheckReservedLock = passOn<&Io::xCheckReservedLock, int*>,
    .xFileControl = passOn<&Io::xFileControl, int, void*>,
    .xSectorSize = passOn<&Io::xSectorSize>,
    .xDeviceCharacteristics = passOn<&Io::xDeviceCharacteristics>,
    .xShmMap = passOn<&Io::xShmMap, int, int, int, void volatile**>,
    .xShmLock = passOn<&Io::xShmLock, int, int, int>,
    .xShmBarrier = passOnBarrier,
    .xShmUnmap = passOn<&Io::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

// --- The file system as a connection sees it.

/// Folders without temporary files, as they really are.
struct KeptOut {
    std::mutex mutex;
    std::set<std::filesystem::path> folders;  ///< Guarded by it.
};
KeptOut& keptOut() {
    static KeptOut kept;
    return kept;
}

bool isKeptOut(const char* folder) {
    KeptOut& kept = keptOut();
    const std::lock_guard lock(kept.mutex);
    if (kept.folders.empty()) return false;
    for (std::filesystem::path at = realPlace(folder);; at = at.parent_path()) {
        if (kept.folders.contains(at)) return true;
        if (!at.has_relative_path()) return false;
    }
}

/// The folder for temporary files, null if there is none. SQLite by itself would then take the current folder, which
/// may be a capture's.
const char* folderForTemporaryFiles() {
    const std::array<const char*, 5> folders = {std::getenv("SQLITE_TMPDIR"), std::getenv("TMPDIR"), "/var/tmp",
                                                "/usr/tmp", "/tmp"};
    for (const char* folder : folders) {
        if (folder != nullptr && ::access(folder, W_OK | X_OK) == 0 && !isKeptOut(folder)) return folder;
    }
    return nullptr;
}

/// A name for a temporary file, of malloc, with a second NUL after it as SQLite wants it; null if there is no place or
/// memory for one.
char* newTemporaryName(const FileRules& rules) {
    const char* folder = folderForTemporaryFiles();
    if (folder == nullptr) return nullptr;
    std::uint64_t number = 0;
    rules.system->xRandomness(rules.system, sizeof number, reinterpret_cast<char*>(&number));
    const std::string name = std::string(folder) + "/altiscope-sql-" + std::to_string(number);
    auto* const copy = static_cast<char*>(std::calloc(name.size() + 2, 1));
    if (copy != nullptr) name.copy(copy, name.size());
    return copy;
}

/// The size that a new temporary file may grow to, so that other programs are left as much.
std::int64_t mostTemporaryBytes() {
    const char* folder = folderForTemporaryFiles();
    struct statvfs space {};
    if (folder == nullptr || ::statvfs(folder, &space) != 0) return kMaxTemporaryBytes;
    const auto blocks = static_cast<std::uint64_t>(kMaxTemporaryBytes) / std::max<std::uint64_t>(space.f_frsize, 1);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(space.f_bavail / 2, blocks) * space.f_frsize);
}

bool mayOpen(const FileRules& rules, const char* path, int flags) {
    if (path == nullptr) return folderForTemporaryFiles() != nullptr;
    if (rules.allowsChanging(path)) return true;
    const bool changesNothing = (flags & (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE)) == 0;
    return rules.writable.empty() && changesNothing && (flags & SQLITE_OPEN_MAIN_DB) != 0;
}

int openGuarded(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* flagsOut) {
    const FileRules& rules = rulesOf(vfs);
    file->pMethods = nullptr;
    if (!mayOpen(rules, path, flags)) return SQLITE_CANTOPEN;
    const bool isTemporary = path == nullptr;
    char* const name = isTemporary ? newTemporaryName(rules) : nullptr;
    if (isTemporary && name == nullptr) return SQLITE_CANTOPEN;
    guarded(file) = {.base = file[0],
                     .rules = &rules,
                     .isTemporary = isTemporary,
                     .bytes = 0,
                     .most = isTemporary ? mostTemporaryBytes() : 0,
                     .name = name};
    const int code = rules.system->xOpen(rules.system, isTemporary ? name : path, systemFile(file), flags, flagsOut);
    if (systemFile(file)->pMethods != nullptr) file->pMethods = &kGuardedMethods;
    else std::free(std::exchange(guarded(file).name, nullptr));
    return code;
}

int deleteGuarded(sqlite3_vfs* vfs, const char* path, int syncFolder) {
    const FileRules& rules = rulesOf(vfs);
    return rules.allowsChanging(path) ? rules.system->xDelete(rules.system, path, syncFolder) : SQLITE_IOERR_DELETE;
}

int accessGuarded(sqlite3_vfs* vfs, const char* path, int flags, int* result) {
    const FileRules& rules = rulesOf(vfs);
    if (rules.allowsChanging(path)) return rules.system->xAccess(rules.system, path, flags, result);
    *result = 0;
    return SQLITE_OK;
}

int fullPathname(sqlite3_vfs* vfs, const char* path, int size, char* out) {
    sqlite3_vfs* system = rulesOf(vfs).system;
    return system->xFullPathname(system, path, size, out);
}

int randomness(sqlite3_vfs* vfs, int size, char* out) {
    sqlite3_vfs* system = rulesOf(vfs).system;
    return system->xRandomness(system, size, out);
}

int sleepFor(sqlite3_vfs* vfs, int microseconds) {
    sqlite3_vfs* system = rulesOf(vfs).system;
    return system->xSleep(system, microseconds);
}

int currentTime(sqlite3_vfs* vfs, sqlite3_int64* milliseconds) {
    sqlite3_vfs* system = rulesOf(vfs).system;
    return system->xCurrentTimeInt64(system, milliseconds);
}

int lastError(sqlite3_vfs* vfs, int size, char* out) {
    sqlite3_vfs* system = rulesOf(vfs).system;
    return system->xGetLastError == nullptr ? 0 : system->xGetLastError(system, size, out);
}

/// Without the functions that load libraries: no connection of ours may do so anyway.
sqlite3_vfs guardFor(FileRules& rules, const char* name) {
    sqlite3_vfs vfs{};
    vfs.iVersion = 2;
    vfs.szOsFile = static_cast<int>(sizeof(GuardedFile)) + rules.system->szOsFile;
    vfs.mxPathname = rules.system->mxPathname;
    vfs.zName = name;
    vfs.pAppData = &rules;
    vfs.xOpen = openGuarded;
    vfs.xDelete = deleteGuarded;
    vfs.xAccess = accessGuarded;
    vfs.xFullPathname = fullPathname;
    vfs.xRandomness = randomness;
    vfs.xSleep = sleepFor;
    vfs.xGetLastError = lastError;
    vfs.xCurrentTimeInt64 = currentTime;
    return vfs;
}

}  // namespace

struct WritableSqliteFiles::Registered {
    Registered(FileRules given, std::string givenName)
        : rules(std::move(given)), name(std::move(givenName)), vfs(guardFor(rules, name.c_str())) {
        sqlite3_vfs_register(&vfs, 0);
    }
    ~Registered() { sqlite3_vfs_unregister(&vfs); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;

    FileRules rules;
    std::string name;
    sqlite3_vfs vfs;
};

void keepTemporaryFilesOut(const std::filesystem::path& folder) {
    KeptOut& kept = keptOut();
    const std::lock_guard lock(kept.mutex);
    kept.folders.insert(realPlace(folder));
}

CancelsTemporaryFiles::CancelsTemporaryFiles(const CancelToken& cancel)
    : m_outer(std::exchange(statementCancel, &cancel)) {}

CancelsTemporaryFiles::~CancelsTemporaryFiles() { statementCancel = m_outer; }

const char* readOnlySqliteFiles() {
    static constexpr const char* kName = "altiscope-read-only";
    static FileRules rules{sqlite3_vfs_find(nullptr)};
    static sqlite3_vfs vfs = guardFor(rules, kName);
    static const int registered = sqlite3_vfs_register(&vfs, 0);
    return registered == SQLITE_OK ? kName : "";
}

WritableSqliteFiles::WritableSqliteFiles(const std::filesystem::path& database, const CancelToken& cancel) {
    // Several copies may be completed at a time, each through a guard of its own.
    static std::atomic<unsigned> number{0};
    // SQLite follows links in the path before it opens.
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(database, error);
    m_registered = std::make_unique<Registered>(
        FileRules{sqlite3_vfs_find(nullptr), (error ? database : canonical).string(), cancel},
        "altiscope-writable-" + std::to_string(number++));
}

WritableSqliteFiles::~WritableSqliteFiles() = default;

const char* WritableSqliteFiles::name() const { return m_registered->name.c_str(); }

}  // namespace altiscope
