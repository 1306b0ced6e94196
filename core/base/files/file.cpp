#include "core/base/files/file.h"

#include <algorithm>
#include <array>
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

/// The kind that stat() states of a file that cannot be read like one; empty for files and folders.
std::string_view specialKind(mode_t mode) {
    if (S_ISFIFO(mode)) return "FIFO";
    if (S_ISSOCK(mode)) return "socket";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "device";
    return {};
}

Error notAFile(const std::filesystem::path& path, mode_t mode) {
    if (S_ISDIR(mode)) return fileError("file.folder", path, EISDIR);
    return {"file.special", path.string(), {}, {{"kind", std::string(specialKind(mode))}}};
}

Error openError(const std::filesystem::path& path, int number) {
    if (number == ENOENT || number == ENOTDIR) return fileError("file.missing", path, number);
    if (number == EACCES || number == EPERM) return fileError("file.denied", path, number);
    return fileError("file.unreadable", path, number);
}

}  // namespace

ReadOnlyFile::ReadOnlyFile(int descriptor, std::uint64_t size, std::filesystem::path path)
    : m_descriptor(descriptor), m_size(size), m_path(std::move(path)) {}

ReadOnlyFile::ReadOnlyFile(ReadOnlyFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_size(other.m_size), m_path(std::move(other.m_path)),
      m_index(std::move(other.m_index)) {}

ReadOnlyFile& ReadOnlyFile::operator=(ReadOnlyFile&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    std::swap(m_path, other.m_path);
    std::swap(m_index, other.m_index);
    return *this;
}

ReadOnlyFile::~ReadOnlyFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<ReadOnlyFile> ReadOnlyFile::open(const std::filesystem::path& path) {
    struct stat status {};
    // Looked at before: to open a device may do something, a socket cannot be opened.
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return notAFile(path, status.st_mode);
    // O_NONBLOCK: it may be a pipe by now, which must not hang.
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME | O_NONBLOCK);
    // O_NOATIME is for owners only.
    if (descriptor < 0 && errno == EPERM) descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return openError(path, errno);
    if (::fstat(descriptor, &status) != 0) {
        const int number = errno;
        ::close(descriptor);
        return openError(path, number);
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return notAFile(path, status.st_mode);
    }
    return ReadOnlyFile(descriptor, static_cast<std::uint64_t>(status.st_size), path);
}

void ReadOnlyFile::readAhead(std::uint64_t bytes) const {
    // An advice: whether it is taken makes no difference to what is read.
    static_cast<void>(
        ::posix_fadvise(m_descriptor, 0, static_cast<off_t>(std::min(bytes, m_size)), POSIX_FADV_WILLNEED));
}

Result<ReadOnlyFile> ReadOnlyFile::openText(const std::filesystem::path& path, const CancelToken& cancel) {
    static constexpr std::size_t kHead = 128;
    auto opened = open(path);
    if (!opened.ok()) return opened;
    ReadOnlyFile& file = opened.value();
    std::array<char, kHead> head{};
    const auto got = file.readBytes(0, head);
    if (!got.ok()) return got.as<ReadOnlyFile>();
    const auto form = utf16FormOf({head.data(), got.value()});
    if (!form) return opened;
    auto index = std::make_shared<Utf16Index>(*form);
    const std::uint64_t blocks =
        (file.m_size - std::min<std::uint64_t>(form->mark, file.m_size) + Utf16Index::kBlock - 1) / Utf16Index::kBlock;
    for (std::size_t block = 0; block < blocks; ++block) {
        if (cancel.cancelled()) return Cancelled{};
        const auto text = file.readBlock(*form, block);
        if (!text.ok()) return text.as<ReadOnlyFile>();
        index->add(text.value().size());
    }
    file.m_size = index->size();
    file.m_index = std::move(index);
    return opened;
}

Result<std::string> ReadOnlyFile::readBlock(const Utf16Form& form, std::size_t block) const {
    static constexpr std::size_t kUnit = 2;
    const bool isFirst = block == 0;
    // With the units around it.
    const std::uint64_t begin = form.mark + std::uint64_t{block} * Utf16Index::kBlock - (isFirst ? 0 : kUnit);
    std::string bytes(Utf16Index::kBlock + (isFirst ? 1 : 2) * kUnit, '\0');
    const auto got = readBytes(begin, bytes);
    if (!got.ok()) return got.as<std::string>();
    std::string_view text = std::string_view(bytes).substr(0, got.value());
    const auto unit = [&](std::size_t at) -> std::optional<char16_t> {
        if (at + kUnit > text.size()) return std::nullopt;
        return utf16UnitAt(text, at, form.order);
    };
    const std::size_t own = isFirst ? 0 : kUnit;
    const auto before = isFirst ? std::nullopt : unit(0);
    const auto after = unit(own + Utf16Index::kBlock);
    text = text.substr(std::min(own, text.size()), Utf16Index::kBlock);
    std::string utf8;
    utf8.reserve(text.size());
    appendUtf8OfUtf16(text, form.order, before, after, utf8);
    return utf8;
}

Result<std::size_t> ReadOnlyFile::read(std::uint64_t offset, std::span<char> out) const {
    if (m_index == nullptr) return readBytes(offset, out);
    std::size_t done = 0;
    while (done < out.size() && offset + done < m_index->size()) {
        const std::size_t block = m_index->blockOf(offset + done);
        const auto text = readBlock(m_index->form(), block);
        if (!text.ok()) return text.as<std::size_t>();
        const auto skipped = static_cast<std::size_t>(offset + done - m_index->begin(block));
        const std::size_t wanted = std::min<std::size_t>(out.size() - done, m_index->begin(block + 1) - offset - done);
        // Less than was there: the file has been changed.
        const std::size_t part = text.value().copy(out.data() + done, wanted, std::min(skipped, text.value().size()));
        done += part;
        if (part < wanted) break;
    }
    return done;
}

Result<std::size_t> ReadOnlyFile::readBytes(std::uint64_t offset, std::span<char> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t got =
            ::pread(m_descriptor, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
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

std::string_view specialFileKind(std::filesystem::file_type type) {
    using std::filesystem::file_type;
    switch (type) {
    case file_type::fifo: return specialKind(S_IFIFO);
    case file_type::socket: return specialKind(S_IFSOCK);
    case file_type::character:
    case file_type::block: return specialKind(S_IFCHR);
    default: return {};
    }
}

namespace {

Result<std::string> allOf(const Result<ReadOnlyFile>& file, std::uint64_t limit) {
    if (!file.ok()) return file.as<std::string>();
    if (file.value().size() > limit) {
        return Error{"file.too_large",
                     file.value().path().string(),
                     {},
                     {{"size", std::to_string(file.value().size())}, {"limit", std::to_string(limit)}}};
    }
    std::string content(static_cast<std::size_t>(file.value().size()), '\0');
    const auto got = file.value().read(0, content);
    if (!got.ok()) return got.as<std::string>();
    content.resize(got.value());
    return content;
}

}  // namespace

Result<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t limit) {
    return allOf(ReadOnlyFile::open(path), limit);
}

Result<std::string> readSmallText(const std::filesystem::path& path, std::uint64_t limit) {
    static constexpr std::string_view kMark = "\xEF\xBB\xBF";
    auto text = allOf(ReadOnlyFile::openText(path), limit);
    if (text.ok() && text.value().starts_with(kMark)) text.value().erase(0, kMark.size());
    return text;
}

}  // namespace altiscope
