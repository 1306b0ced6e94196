#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace altiscope {

/// A file opened for reading only. Reads by position (pread), so any number of threads may share one object; nothing is
/// mapped, because a file that shrinks while it is read must give a short read, not a crash. Access times are left alone
/// where the system allows it.
class ReadOnlyFile {
public:
    /// @return Error "file.missing", "file.denied", "file.folder" or "file.unreadable", with the path.
    static Result<ReadOnlyFile> open(const std::filesystem::path& path);

    ReadOnlyFile(ReadOnlyFile&& other) noexcept;
    ReadOnlyFile& operator=(ReadOnlyFile&& other) noexcept;
    ReadOnlyFile(const ReadOnlyFile&) = delete;
    ReadOnlyFile& operator=(const ReadOnlyFile&) = delete;
    ~ReadOnlyFile();

    /// Size in bytes when it was opened.
    std::uint64_t size() const { return m_size; }
    const std::filesystem::path& path() const { return m_path; }

    /// Fills `out` from byte `offset` on.
    /// @return Bytes read: fewer than asked only at the end of the file. Error "file.unreadable" if the system refuses.
    Result<std::size_t> read(std::uint64_t offset, std::span<char> out) const;

private:
    ReadOnlyFile(int descriptor, std::uint64_t size, std::filesystem::path path);

    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::filesystem::path m_path;
};

/// How a file was at some moment; tells later whether it has changed.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t size = 0;       ///< Bytes.
    std::int64_t modifiedNs = 0;  ///< Since 1970.
    bool operator==(const FileStamp&) const = default;
};
/// Of a file as it is now; zeros if it is not there.
FileStamp stampOf(const std::filesystem::path& path);

/// The whole of a small file.
/// @return Error as ReadOnlyFile::open, or "file.too_large" above `limit` bytes.
Result<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t limit);

} // namespace altiscope
