#include "core/import/files/sparse_copy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::reader {

namespace {

constexpr std::size_t kCopiedAtATime = std::size_t{1} << 20;

/// A descriptor that is closed with the object.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0) ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return m_number; }

private:
    int m_number;
};

Error systemError(const std::filesystem::path& file, int number) {
    return {"file.unreadable", file.string(), {}, {{"reason", std::strerror(number)}}};
}

/// @return 0, or the errno of a failure.
int writeBlock(int target, const char* bytes, std::size_t count, off_t offset) {
    for (std::size_t done = 0; done < count;) {
        const ssize_t written = ::pwrite(target, bytes + done, count - done, offset + static_cast<off_t>(done));
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) done += static_cast<std::size_t>(written);
    }
    return 0;
}

}  // namespace

std::uint64_t bytesOnDisk(const std::filesystem::path& file) {
    static constexpr std::uint64_t kBlock = 512;  // of st_blocks, whatever the disk has
    struct stat status {};
    if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return static_cast<std::uint64_t>(status.st_blocks) * kBlock;
}

Result<Done> copySparse(const std::filesystem::path& from, const std::filesystem::path& to, const CancelToken& cancel) {
    const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (source.number() < 0 || ::fstat(source.number(), &status) != 0) return systemError(from, errno);
    if (!S_ISREG(status.st_mode)) return systemError(from, EINVAL);
    const Descriptor target(
        ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (target.number() < 0 || ::ftruncate(target.number(), status.st_size) != 0) return systemError(to, errno);

    std::vector<char> buffer(kCopiedAtATime);
    for (off_t offset = 0; offset < status.st_size;) {
        if (cancel.cancelled()) return Cancelled{};
        const off_t data = ::lseek(source.number(), offset, SEEK_DATA);
        if (data < 0 && errno == ENXIO) break;  // a hole up to the end
        // File systems that know no holes refuse the question; then everything is data.
        if (data > offset) offset = data;
        const auto wanted =
            static_cast<std::size_t>(std::min<off_t>(status.st_size - offset, static_cast<off_t>(buffer.size())));
        const ssize_t got = ::pread(source.number(), buffer.data(), wanted, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return systemError(from, errno);
        if (got == 0) break;  // it became shorter meanwhile
        // Zeros that were written out in the source need not be written out in the copy.
        const bool isEmpty = std::all_of(buffer.begin(), buffer.begin() + got, [](char byte) { return byte == 0; });
        const int number =
            isEmpty ? 0 : writeBlock(target.number(), buffer.data(), static_cast<std::size_t>(got), offset);
        if (number != 0) return systemError(to, number);
        offset += got;
    }
    return Done{};
}

}  // namespace altiscope::reader
