#include "core/base/file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace {

Error fileError(std::string code, const std::filesystem::path& path, int number) {
    return {std::move(code), path.string(), {}, {{"reason", std::strerror(number)}}};
}

Error openError(const std::filesystem::path& path, int number) {
    if (number == ENOENT || number == ENOTDIR) return fileError("file.missing", path, number);
    if (number == EACCES || number == EPERM) return fileError("file.denied", path, number);
    return fileError("file.unreadable", path, number);
}

} // namespace

ReadOnlyFile::ReadOnlyFile(int descriptor, std::uint64_t size, std::filesystem::path path)
    : m_descriptor(descriptor), m_size(size), m_path(std::move(path)) {}

ReadOnlyFile::ReadOnlyFile(ReadOnlyFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_size(other.m_size), m_path(std::move(other.m_path)) {}

ReadOnlyFile& ReadOnlyFile::operator=(ReadOnlyFile&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    std::swap(m_path, other.m_path);
    return *this;
}

ReadOnlyFile::~ReadOnlyFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<ReadOnlyFile> ReadOnlyFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a pipe that somebody named like a trace must not hang; it is refused below.
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME | O_NONBLOCK);
    // O_NOATIME is for owners only.
    if (descriptor < 0 && errno == EPERM) descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return openError(path, errno);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        const int number = errno;
        ::close(descriptor);
        return openError(path, number);
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return fileError(S_ISDIR(status.st_mode) ? "file.folder" : "file.unreadable", path, EINVAL);
    }
    return ReadOnlyFile(descriptor, static_cast<std::uint64_t>(status.st_size), path);
}

Result<std::size_t> ReadOnlyFile::read(std::uint64_t offset, std::span<char> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t got = ::pread(m_descriptor, out.data() + done, out.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0) {
            if (errno == EINTR) continue;
            return fileError("file.unreadable", m_path, errno);
        }
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

FileStamp stampOf(const std::filesystem::path& path) {
    static constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    FileStamp stamp{.path = path};
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return stamp;
    stamp.size = static_cast<std::uint64_t>(status.st_size);
    stamp.modifiedNs = std::int64_t{status.st_mtim.tv_sec} * kNsPerSecond + status.st_mtim.tv_nsec;
    return stamp;
}

Result<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t limit) {
    auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return file.as<std::string>();
    if (file.value().size() > limit) {
        return Error{"file.too_large", path.string(), {},
                     {{"size", std::to_string(file.value().size())}, {"limit", std::to_string(limit)}}};
    }
    std::string content(static_cast<std::size_t>(file.value().size()), '\0');
    const auto got = file.value().read(0, content);
    if (!got.ok()) return got.as<std::string>();
    content.resize(got.value());
    return content;
}

} // namespace altiscope
