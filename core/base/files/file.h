#pragma once

#include "core/base/text/utf16.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace altiscope {

/// A file opened for reading only. Reads by position (pread), so any number of threads may share one object; nothing is
/// mapped, because a file that shrinks while it is read must give a short read, not a crash. Access times are left
/// alone where the system allows it.
class ReadOnlyFile {
public:
    /// Never waits: a pipe, socket or device is not opened.
    /// @return Error "file.missing", "file.denied", "file.folder", "file.special" (with its kind) or "file.unreadable",
    /// with the path.
    static Result<ReadOnlyFile> open(const std::filesystem::path& path);
    /// As open(), for a text: one in UTF-16 is read in its UTF-8 form, without its mark; size and places count bytes of
    /// that form.
    /// @note  Only for such a text O(size), polling `cancel`, and 8 bytes of memory for each 64 KiB.
    static Result<ReadOnlyFile> openText(const std::filesystem::path& path, const CancelToken& cancel = {});

    ReadOnlyFile(ReadOnlyFile&& other) noexcept;
    ReadOnlyFile& operator=(ReadOnlyFile&& other) noexcept;
    ReadOnlyFile(const ReadOnlyFile&) = delete;
    ReadOnlyFile& operator=(const ReadOnlyFile&) = delete;
    ~ReadOnlyFile();

    /// Size in bytes when it was opened.
    std::uint64_t size() const { return m_size; }
    /// Whether what is read is a text in UTF-8 that stands in UTF-16 in the file.
    bool isConverted() const { return m_index != nullptr; }
    const std::filesystem::path& path() const { return m_path; }

    /// Fills `out` from byte `offset` on.
    /// @return Bytes read: fewer than requested only at the end. Error "file.unreadable" if the system refuses.
    Result<std::size_t> read(std::uint64_t offset, std::span<char> out) const;
    /// Lets the system fetch the first bytes while something else is done: who reads many files one after the other
    /// would wait for the disk at each.
    void readAhead(std::uint64_t bytes) const;

private:
    ReadOnlyFile(int descriptor, std::uint64_t size, std::filesystem::path path);

    Result<std::size_t> readBytes(std::uint64_t offset, std::span<char> out) const;
    /// A block of a text in UTF-16, as UTF-8.
    Result<std::string> readBlock(const Utf16Form& form, std::size_t block) const;

    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::filesystem::path m_path;
    std::shared_ptr<const Utf16Index> m_index;  ///< Null: the bytes are read as they are.
};

/// How a file was at some moment; shows later whether it has changed.
struct FileStamp {
    std::filesystem::path path;
    std::uint64_t size = 0;       ///< Bytes.
    std::int64_t modifiedNs = 0;  ///< Since 1970.
    bool operator==(const FileStamp&) const = default;
};
/// Stamp of a file as it is now; zeros if it is not there.
FileStamp stampOf(const std::filesystem::path& path);

/// Kind of a file that is neither a file nor a folder ("FIFO", "socket", "device"); empty for these two, and for what
/// is not there.
std::string_view specialFileKind(std::filesystem::file_type type);

/// The whole of a small file.
/// @return Error as ReadOnlyFile::open, or "file.too_large" above `limit` bytes.
Result<std::string> readSmallFile(const std::filesystem::path& path, std::uint64_t limit);
/// The same of a text, as ReadOnlyFile::openText; a byte order mark is left out.
Result<std::string> readSmallText(const std::filesystem::path& path, std::uint64_t limit);

}  // namespace altiscope
