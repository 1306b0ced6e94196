// Preloaded into the program (LD_PRELOAD). Makes one call of one kind fail once, as the system would when it is short
// of something:
//   ALTI_FAULT_CALL    kind of call, see kErrors; empty: none fails
//   ALTI_FAULT_NUMBER  which one of that kind, from 1, since main() began
//   ALTI_FAULT_DISK    bytes that can be written to files from then on, all together; the disk is full behind them
//   ALTI_FAULT_REPORT  file that gets "KIND NUMBER" lines at the end: how many calls of each kind there were
// Calls that libc makes inside itself do not come by here.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind { kOpen, kRead, kWrite, kRename, kMap, kMalloc, kThread, kStat, kReaddir, kTruncate, kSync, kMkdir, kKinds };
struct KindOfCall {
    const char* name;
    int error;
};
// What such a call is most likely to fail with where it had worked a moment ago.
constexpr KindOfCall kCalls[kKinds] = {{"open", EMFILE}, {"read", EIO},      {"write", ENOSPC},  {"rename", EACCES},
                                       {"mmap", ENOMEM}, {"malloc", ENOMEM}, {"thread", EAGAIN}, {"stat", EIO},
                                       {"readdir", EIO}, {"truncate", EIO},  {"sync", EIO},      {"mkdir", ENOSPC}};

std::atomic<long> g_counts[kKinds];
std::atomic<bool> g_armed{false};
int g_kind = -1;
long g_number = 0;

/// Counts a call. @return Whether it is the one that fails; errno is set then.
bool fails(Kind kind) {
    if (!g_armed.load(std::memory_order_relaxed)) return false;
    const long number = g_counts[kind].fetch_add(1, std::memory_order_relaxed) + 1;
    if (kind != g_kind || number != g_number) return false;
    errno = kCalls[kind].error;
    return true;
}

std::atomic<long> g_disk{-1};  // bytes that are free; below 0: as the system says

/// Takes the bytes of a write from the small disk. @return How many of them fit, or -1 with errno set if none does.
ssize_t fitting(int file, size_t size) {
    struct stat status {};
    if (g_disk < 0 || !g_armed || syscall(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode))
        return static_cast<ssize_t>(size);
    long free = g_disk;
    long taken = 0;
    do taken = free < static_cast<long>(size) ? free : static_cast<long>(size);
    while (!g_disk.compare_exchange_weak(free, free - taken));
    if (taken == 0 && size > 0) {
        errno = ENOSPC;
        return -1;
    }
    return taken;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void report() {
    g_armed = false;
    const char* file = std::getenv("ALTI_FAULT_REPORT");
    if (file == nullptr) return;
    const long out = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    for (int kind = 0; out >= 0 && kind < kKinds; ++kind) {
        char line[64];
        const int length = std::snprintf(line, sizeof line, "%s %ld\n", kCalls[kind].name, g_counts[kind].load());
        syscall(SYS_write, out, line, length);
    }
}

int (*g_main)(int, char**, char**) = nullptr;

int armedMain(int count, char** words, char** environment) {
    if (const char* call = std::getenv("ALTI_FAULT_CALL")) {
        for (int kind = 0; kind < kKinds; ++kind) {
            if (std::strcmp(kCalls[kind].name, call) == 0) g_kind = kind;
        }
    }
    if (const char* number = std::getenv("ALTI_FAULT_NUMBER")) g_number = std::atol(number);
    if (const char* disk = std::getenv("ALTI_FAULT_DISK")) g_disk = std::atol(disk);
    std::atexit(report);
    g_armed = true;
    return g_main(count, words, environment);
}

bool takesMode(int flags) { return (flags & (O_CREAT | O_TMPFILE)) != 0; }

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(), void (*fini)(),
                      void (*rtld)(), void* stack) {
    g_main = main;
    using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next<Start>("__libc_start_main")(armedMain, count, words, init, fini, rtld, stack);
}

#define ALTI_FAULT(kind, failure, result, name, PARAMETERS, ARGUMENTS)                                                 \
    result name PARAMETERS {                                                                                           \
        if (fails(kind)) return failure;                                                                               \
        static auto* const real = next<result PARAMETERS>(#name);                                                      \
        return real ARGUMENTS;                                                                                         \
    }

#define ALTI_FAULT_OPEN(name)                                                                                          \
    int name(const char* path, int flags, ...) {                                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = takesMode(flags) ? va_arg(arguments, mode_t) : 0;                                          \
        va_end(arguments);                                                                                             \
        if (fails(kOpen)) return -1;                                                                                   \
        static auto* const real = next<int(const char*, int, ...)>(#name);                                             \
        return real(path, flags, mode);                                                                                \
    }
#define ALTI_FAULT_OPENAT(name)                                                                                        \
    int name(int folder, const char* path, int flags, ...) {                                                           \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const mode_t mode = takesMode(flags) ? va_arg(arguments, mode_t) : 0;                                          \
        va_end(arguments);                                                                                             \
        if (fails(kOpen)) return -1;                                                                                   \
        static auto* const real = next<int(int, const char*, int, ...)>(#name);                                        \
        return real(folder, path, flags, mode);                                                                        \
    }
ALTI_FAULT_OPEN(open)
ALTI_FAULT_OPEN(open64)
ALTI_FAULT_OPENAT(openat)
ALTI_FAULT_OPENAT(openat64)
ALTI_FAULT(kOpen, nullptr, FILE*, fopen, (const char* path, const char* mode), (path, mode))
ALTI_FAULT(kOpen, nullptr, FILE*, fopen64, (const char* path, const char* mode), (path, mode))
ALTI_FAULT(kOpen, nullptr, DIR*, opendir, (const char* path), (path))
ALTI_FAULT(kOpen, nullptr, DIR*, fdopendir, (int folder), (folder))

ALTI_FAULT(kRead, -1, ssize_t, read, (int file, void* out, size_t size), (file, out, size))
ALTI_FAULT(kRead, -1, ssize_t, pread, (int file, void* out, size_t size, off_t at), (file, out, size, at))
ALTI_FAULT(kRead, -1, ssize_t, pread64, (int file, void* out, size_t size, off64_t at), (file, out, size, at))

#define ALTI_FAULT_WRITE(name, PARAMETERS, PLACE)                                                                      \
    ssize_t name PARAMETERS {                                                                                          \
        if (fails(kWrite)) return -1;                                                                                  \
        const ssize_t fits = fitting(file, size);                                                                      \
        if (fits < 0) return -1;                                                                                       \
        static auto* const real = next<ssize_t PARAMETERS>(#name);                                                     \
        return real(file, in, static_cast<size_t>(fits) PLACE);                                                        \
    }
#define ALTI_FAULT_AT , at
ALTI_FAULT_WRITE(write, (int file, const void* in, size_t size), )
ALTI_FAULT_WRITE(pwrite, (int file, const void* in, size_t size, off_t at), ALTI_FAULT_AT)
ALTI_FAULT_WRITE(pwrite64, (int file, const void* in, size_t size, off64_t at), ALTI_FAULT_AT)

#define ALTI_FAULT_SPACE(name)                                                                                         \
    int name(const char* path, struct name* out) {                                                                     \
        static auto* const real = next<int(const char*, struct name*)>(#name);                                         \
        const int failed = real(path, out);                                                                            \
        if (failed == 0 && g_disk >= 0) out->f_bavail = static_cast<unsigned long>(g_disk) / out->f_frsize;            \
        return failed;                                                                                                 \
    }
ALTI_FAULT_SPACE(statvfs)
ALTI_FAULT_SPACE(statvfs64)

ALTI_FAULT(kRename, -1, int, rename, (const char* from, const char* to), (from, to))
ALTI_FAULT(kRename, -1, int, renameat, (int fromFolder, const char* from, int toFolder, const char* to),
           (fromFolder, from, toFolder, to))
ALTI_FAULT(kRename, -1, int, linkat, (int fromFolder, const char* from, int toFolder, const char* to, int flags),
           (fromFolder, from, toFolder, to, flags))

ALTI_FAULT(kMap, MAP_FAILED, void*, mmap, (void* at, size_t size, int rights, int flags, int file, off_t offset),
           (at, size, rights, flags, file, offset))
ALTI_FAULT(kMap, MAP_FAILED, void*, mmap64, (void* at, size_t size, int rights, int flags, int file, off64_t offset),
           (at, size, rights, flags, file, offset))

ALTI_FAULT(kThread, EAGAIN, int, pthread_create,
           (pthread_t * thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument),
           (thread, attributes, run, argument))

ALTI_FAULT(kStat, -1, int, stat, (const char* path, struct stat* out), (path, out))
ALTI_FAULT(kStat, -1, int, stat64, (const char* path, struct stat64* out), (path, out))
ALTI_FAULT(kStat, -1, int, lstat, (const char* path, struct stat* out), (path, out))
ALTI_FAULT(kStat, -1, int, lstat64, (const char* path, struct stat64* out), (path, out))
ALTI_FAULT(kStat, -1, int, fstat, (int file, struct stat* out), (file, out))
ALTI_FAULT(kStat, -1, int, fstat64, (int file, struct stat64* out), (file, out))
ALTI_FAULT(kStat, -1, int, fstatat, (int folder, const char* path, struct stat* out, int flags),
           (folder, path, out, flags))
ALTI_FAULT(kReaddir, nullptr, struct dirent*, readdir, (DIR * folder), (folder))
ALTI_FAULT(kReaddir, nullptr, struct dirent64*, readdir64, (DIR * folder), (folder))
ALTI_FAULT(kTruncate, -1, int, ftruncate, (int file, off_t size), (file, size))
ALTI_FAULT(kTruncate, -1, int, ftruncate64, (int file, off64_t size), (file, size))
ALTI_FAULT(kSync, -1, int, fsync, (int file), (file))
ALTI_FAULT(kSync, -1, int, fdatasync, (int file), (file))
ALTI_FAULT(kMkdir, -1, int, mkdir, (const char* path, mode_t mode), (path, mode))

// dlsym() itself may ask for memory, so the first look-up must not come by here again: libc's own names serve.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return fails(kMalloc) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(kMalloc) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, size_t size) { return fails(kMalloc) ? nullptr : __libc_realloc(block, size); }
void* aligned_alloc(size_t alignment, size_t size) {
    return fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(size_t alignment, size_t size) { return fails(kMalloc) ? nullptr : __libc_memalign(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
    if (fails(kMalloc)) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"
