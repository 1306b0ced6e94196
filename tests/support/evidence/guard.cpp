// Preloaded into test programs (LD_PRELOAD). Ends the process with status 99 at any call that would write, create,
// remove, rename or re-date something below the folder ALTI_EVIDENCE_DIR, before the system sees the call. Permissions
// cannot do this: tests often run as root. Each catch is also appended to ALTI_EVIDENCE_LOG, so that it counts even if
// a test expects its child to fail.
//
// Calls that libc makes inside itself do not come by here, so every public entry is listed, also those that only wrap
// another (fopen, remove, mkstemp). Programs that call the kernel directly are not covered; the hashes taken before and
// after the tests (evidence_hashes.py) are the net below.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int kExitCode = 99;

/// The real function behind a name; the wrappers below have the same signature.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Canonical folder to protect; empty if there is none.
const std::string& evidence() {
    static const std::string folder = [] {
        const char* given = std::getenv("ALTI_EVIDENCE_DIR");
        char buffer[PATH_MAX];
        return std::string(given != nullptr && *given != '\0' && realpath(given, buffer) != nullptr ? buffer : "");
    }();
    return folder;
}

bool isBelow(std::string_view path, std::string_view folder) {
    return path.substr(0, folder.size()) == folder && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string ofDescriptor(int descriptor) {
    char buffer[PATH_MAX];
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t length = readlink(link.c_str(), buffer, sizeof buffer);
    return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : std::string();
}

std::string absolute(int folder, const char* path) {
    if (*path == '/') return path;
    char buffer[PATH_MAX];
    if (folder != AT_FDCWD) return ofDescriptor(folder) + '/' + path;
    return getcwd(buffer, sizeof buffer) != nullptr ? std::string(buffer) + '/' + path : path;
}

/// True if the path names something below the evidence: itself, through a link, or as a new name in one of its folders.
bool touchesEvidence(int folder, const char* path) {
    if (path == nullptr || evidence().empty()) return false;
    const int savedErrno = errno;
    const std::string full = absolute(folder, path);
    char buffer[PATH_MAX];
    bool touches = realpath(full.c_str(), buffer) != nullptr && isBelow(buffer, evidence());
    if (!touches) {
        const std::size_t end = full.find_last_not_of('/');
        const std::size_t slash = full.rfind('/', end);
        const std::string parent = slash == 0 || slash == std::string::npos ? "/" : full.substr(0, slash);
        touches = realpath(parent.c_str(), buffer) != nullptr && isBelow(buffer, evidence());
    }
    errno = savedErrno;
    return touches;
}

[[noreturn]] void stop(const char* call, const std::string& path) {
    const std::string message = std::string("evidence guard: ") + call + " of " + path + '\n';
    // System calls by number: the wrappers below must not see these.
    syscall(SYS_write, STDERR_FILENO, message.data(), message.size());
    if (const char* log = std::getenv("ALTI_EVIDENCE_LOG")) {
        const long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (file >= 0) syscall(SYS_write, file, message.data(), message.size());
    }
    _exit(kExitCode);
}

void refuse(const char* call, int folder, const char* path) {
    if (touchesEvidence(folder, path)) stop(call, absolute(folder, path));
}

void refuseDescriptor(const char* call, int descriptor) {
    if (evidence().empty()) return;
    const std::string path = ofDescriptor(descriptor);
    if (isBelow(path, evidence())) stop(call, path);
}

bool opensForWriting(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0; }

/// The optional argument of open() is there only then.
bool takesMode(int flags) { return (flags & (O_CREAT | O_TMPFILE)) != 0; }

bool opensForWriting(const char* mode) { return std::strpbrk(mode, "wa+") != nullptr; }

}  // namespace

// The declarations in the system's headers promise "never throws" and "never null" here and there; the wrappers promise
// nothing, and the linker does not mind.
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wtautological-pointer-compare"
#else
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif

extern "C" {

// --- open and create ---------------------------------------------------------------------------------------------

#define ALTI_GUARD_OPEN(name)                                                                                          \
    int name(const char* path, int flags, ...) {                                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = takesMode(flags) ? va_arg(arguments, mode_t) : 0;                                          \
        va_end(arguments);                                                                                             \
        if (opensForWriting(flags)) refuse(#name, AT_FDCWD, path);                                                     \
        static auto* const real = next<int(const char*, int, ...)>(#name);                                             \
        return real(path, flags, mode);                                                                                \
    }

#define ALTI_GUARD_OPENAT(name)                                                                                        \
    int name(int folder, const char* path, int flags, ...) {                                                           \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = takesMode(flags) ? va_arg(arguments, mode_t) : 0;                                          \
        va_end(arguments);                                                                                             \
        if (opensForWriting(flags)) refuse(#name, folder, path);                                                       \
        static auto* const real = next<int(int, const char*, int, ...)>(#name);                                        \
        return real(folder, path, flags, mode);                                                                        \
    }

ALTI_GUARD_OPEN(open)
ALTI_GUARD_OPEN(open64)
ALTI_GUARD_OPENAT(openat)
ALTI_GUARD_OPENAT(openat64)

// Fortified forms: never with O_CREAT, but writing they may.
int __open_2(const char* path, int flags) { return open(path, flags); }
int __open64_2(const char* path, int flags) { return open64(path, flags); }
int __openat_2(int folder, const char* path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char* path, int flags) { return openat64(folder, path, flags); }

#define ALTI_GUARD_FOPEN(name)                                                                                         \
    FILE* name(const char* path, const char* mode) {                                                                   \
        if (opensForWriting(mode)) refuse(#name, AT_FDCWD, path);                                                      \
        static auto* const real = next<FILE*(const char*, const char*)>(#name);                                        \
        return real(path, mode);                                                                                       \
    }

#define ALTI_GUARD_FREOPEN(name)                                                                                       \
    FILE* name(const char* path, const char* mode, FILE* stream) {                                                     \
        if (opensForWriting(mode)) refuse(#name, AT_FDCWD, path);                                                      \
        static auto* const real = next<FILE*(const char*, const char*, FILE*)>(#name);                                 \
        return real(path, mode, stream);                                                                               \
    }

ALTI_GUARD_FOPEN(fopen)
ALTI_GUARD_FOPEN(fopen64)
ALTI_GUARD_FREOPEN(freopen)
ALTI_GUARD_FREOPEN(freopen64)

/// A guard for `type name(path...)`: PARAMETERS is the parameter list, ARGUMENTS the same without types, and FOLDER and
/// PATH say what is touched.
#define ALTI_GUARD(name, PARAMETERS, ARGUMENTS, FOLDER, PATH)                                                          \
    int name PARAMETERS {                                                                                              \
        refuse(#name, FOLDER, PATH);                                                                                   \
        static auto* const real = next<int PARAMETERS>(#name);                                                         \
        return real ARGUMENTS;                                                                                         \
    }

ALTI_GUARD(creat, (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ALTI_GUARD(creat64, (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ALTI_GUARD(mkstemp, (char* path), (path), AT_FDCWD, path)
ALTI_GUARD(mkstemp64, (char* path), (path), AT_FDCWD, path)
ALTI_GUARD(mkostemp, (char* path, int flags), (path, flags), AT_FDCWD, path)
ALTI_GUARD(mkostemp64, (char* path, int flags), (path, flags), AT_FDCWD, path)
ALTI_GUARD(mkstemps, (char* path, int suffix), (path, suffix), AT_FDCWD, path)
ALTI_GUARD(mkdir, (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ALTI_GUARD(mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode), folder, path)
ALTI_GUARD(mkfifo, (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ALTI_GUARD(mknod, (const char* path, mode_t mode, dev_t device), (path, mode, device), AT_FDCWD, path)
ALTI_GUARD(mknodat, (int folder, const char* path, mode_t mode, dev_t device), (folder, path, mode, device), folder,
           path)

char* mkdtemp(char* path) {
    refuse("mkdtemp", AT_FDCWD, path);
    static auto* const real = next<char*(char*)>("mkdtemp");
    return real(path);
}

// --- remove, rename, link ----------------------------------------------------------------------------------------

ALTI_GUARD(unlink, (const char* path), (path), AT_FDCWD, path)
ALTI_GUARD(unlinkat, (int folder, const char* path, int flags), (folder, path, flags), folder, path)
ALTI_GUARD(remove, (const char* path), (path), AT_FDCWD, path)
ALTI_GUARD(rmdir, (const char* path), (path), AT_FDCWD, path)
ALTI_GUARD(symlink, (const char* target, const char* path), (target, path), AT_FDCWD, path)
ALTI_GUARD(symlinkat, (const char* target, int folder, const char* path), (target, folder, path), folder, path)

int rename(const char* from, const char* to) {
    refuse("rename", AT_FDCWD, from);
    refuse("rename", AT_FDCWD, to);
    static auto* const real = next<int(const char*, const char*)>("rename");
    return real(from, to);
}

int renameat(int fromFolder, const char* from, int toFolder, const char* to) {
    refuse("renameat", fromFolder, from);
    refuse("renameat", toFolder, to);
    static auto* const real = next<int(int, const char*, int, const char*)>("renameat");
    return real(fromFolder, from, toFolder, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) {
    refuse("renameat2", fromFolder, from);
    refuse("renameat2", toFolder, to);
    static auto* const real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
    return real(fromFolder, from, toFolder, to, flags);
}

// A hard link changes the link count of the original, and opens a way around this guard.
int link(const char* from, const char* to) {
    refuse("link", AT_FDCWD, from);
    refuse("link", AT_FDCWD, to);
    static auto* const real = next<int(const char*, const char*)>("link");
    return real(from, to);
}

int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) {
    refuse("linkat", fromFolder, from);
    refuse("linkat", toFolder, to);
    static auto* const real = next<int(int, const char*, int, const char*, int)>("linkat");
    return real(fromFolder, from, toFolder, to, flags);
}

// --- size, rights, owner, dates ----------------------------------------------------------------------------------

ALTI_GUARD(truncate, (const char* path, off_t size), (path, size), AT_FDCWD, path)
ALTI_GUARD(truncate64, (const char* path, off64_t size), (path, size), AT_FDCWD, path)
ALTI_GUARD(chmod, (const char* path, mode_t mode), (path, mode), AT_FDCWD, path)
ALTI_GUARD(fchmodat, (int folder, const char* path, mode_t mode, int flags), (folder, path, mode, flags), folder, path)
ALTI_GUARD(chown, (const char* path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path)
ALTI_GUARD(lchown, (const char* path, uid_t user, gid_t group), (path, user, group), AT_FDCWD, path)
ALTI_GUARD(fchownat, (int folder, const char* path, uid_t user, gid_t group, int flags),
           (folder, path, user, group, flags), folder, path)
ALTI_GUARD(utime, (const char* path, const struct utimbuf* times), (path, times), AT_FDCWD, path)
ALTI_GUARD(utimes, (const char* path, const struct timeval* times), (path, times), AT_FDCWD, path)
ALTI_GUARD(lutimes, (const char* path, const struct timeval* times), (path, times), AT_FDCWD, path)
ALTI_GUARD(setxattr, (const char* path, const char* name, const void* value, size_t size, int flags),
           (path, name, value, size, flags), AT_FDCWD, path)
ALTI_GUARD(lsetxattr, (const char* path, const char* name, const void* value, size_t size, int flags),
           (path, name, value, size, flags), AT_FDCWD, path)
ALTI_GUARD(removexattr, (const char* path, const char* name), (path, name), AT_FDCWD, path)

int utimensat(int folder, const char* path, const struct timespec* times, int flags) {
    if (path == nullptr) refuseDescriptor("utimensat", folder);
    refuse("utimensat", folder, path);
    static auto* const real = next<int(int, const char*, const struct timespec*, int)>("utimensat");
    return real(folder, path, times, flags);
}

/// The same for `type name(descriptor...)`: a descriptor that was opened for reading can still change the file's rights
/// and dates.
#define ALTI_GUARD_DESCRIPTOR(name, PARAMETERS, ARGUMENTS)                                                             \
    int name PARAMETERS {                                                                                              \
        refuseDescriptor(#name, descriptor);                                                                           \
        static auto* const real = next<int PARAMETERS>(#name);                                                         \
        return real ARGUMENTS;                                                                                         \
    }

ALTI_GUARD_DESCRIPTOR(fchmod, (int descriptor, mode_t mode), (descriptor, mode))
ALTI_GUARD_DESCRIPTOR(fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group))
ALTI_GUARD_DESCRIPTOR(futimens, (int descriptor, const struct timespec* times), (descriptor, times))
ALTI_GUARD_DESCRIPTOR(futimes, (int descriptor, const struct timeval* times), (descriptor, times))
ALTI_GUARD_DESCRIPTOR(fsetxattr, (int descriptor, const char* name, const void* value, size_t size, int flags),
                      (descriptor, name, value, size, flags))

}  // extern "C"
