#include "core/store/file/mapped_file.h"

#include "core/base/files/file.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace {

std::atomic<std::uint64_t> residentLimit{0};

std::mutex& mappingsMutex() {
    static std::mutex mutex;
    return mutex;
}

/// Guarded by mappingsMutex().
std::set<std::pair<void*, std::size_t>>& mappings() {
    static std::set<std::pair<void*, std::size_t>> all;
    return all;
}

/// Memory of this process in bytes: all of it, and what of it are pages of files.
struct ResidentBytes {
    std::uint64_t all = 0, files = 0;
};

/// Zeros if the system does not say.
ResidentBytes residentBytes() {
    static constexpr std::size_t kMaxText = 256;
    std::string text(kMaxText, '\0');
    const auto file = ReadOnlyFile::open("/proc/self/statm");
    const auto got = file.ok() ? file.value().read(0, text) : Result<std::size_t>(std::size_t{0});
    text.resize(got.ok() ? got.value() : 0);
    // proc_pid_statm(5): size, resident, shared, in pages
    std::uint64_t pages[3] = {};
    std::size_t at = 0;
    for (std::uint64_t& number : pages) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const auto read = wholeNumber(std::string_view(text).substr(at, end - at));
        if (!read || *read < 0 || end == text.size()) return {};
        number = static_cast<std::uint64_t>(*read);
        at = end + 1;
    }
    const auto pageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return {pages[1] * pageBytes, pages[2] * pageBytes};
}

}  // namespace

void setResidentLimit(std::uint64_t bytes) { residentLimit = bytes; }

bool keepBelowResidentLimit() {
    // Below this share of the limit files are not what takes the memory, and would only be read again and again.
    static constexpr std::uint64_t kShareOfFiles = 8;
    const std::uint64_t limit = residentLimit;
    if (limit == 0) return false;
    const ResidentBytes now = residentBytes();
    if (now.all <= limit || now.files < limit / kShareOfFiles) return false;
    const std::lock_guard lock(mappingsMutex());
    for (const auto& [data, size] : mappings()) ::madvise(data, size, MADV_DONTNEED);
    return true;
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return nullptr;
    struct stat status {};
    void* data = MAP_FAILED;
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    ::close(descriptor);
    if (data == MAP_FAILED) return nullptr;
    return std::shared_ptr<const MappedFile>(new MappedFile(data, static_cast<std::size_t>(status.st_size)));
}

MappedFile::MappedFile(void* data, std::size_t size) : m_data(data), m_size(size) {
    const std::lock_guard lock(mappingsMutex());
    mappings().emplace(data, size);
}

MappedFile::~MappedFile() {
    {
        // Not after the pages are gone: another mapping may have the address by then.
        const std::lock_guard lock(mappingsMutex());
        mappings().erase({m_data, m_size});
    }
    ::munmap(m_data, m_size);
}

}  // namespace altiscope
