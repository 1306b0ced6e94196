#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Something that an archive holds.
struct ArchiveMember {
    enum class Kind : std::uint8_t { File, Folder, Link, Special };

    /// As the archive spells it, '/' between parts; empty if it is unknown, or the archive is one compressed file.
    std::string name;
    Kind kind = Kind::File;
    std::optional<std::uint64_t> size;  ///< Bytes, as the archive says; not to be trusted.
    bool isEncrypted = false;
};

/// Walks through a .zip, .tar, .tar.gz, .tar.zst, or one file compressed by gzip or zstd, from front to back: which of
/// them it is its first bytes say. One thread.
class ArchiveReader {
public:
    /// A piece of a member's bytes, and where in it they belong. Valid until the next call.
    struct Block {
        std::span<const char> bytes;
        std::uint64_t offset = 0;
    };

    /// @param file  Must outlive the reader.
    /// @param cancel  Polled before each read of the file, at most 256 KiB.
    /// @return Error "archive.damaged" if it is no such archive.
    static Result<ArchiveReader> open(const ReadOnlyFile& file, const CancelToken& cancel);

    ArchiveReader(ArchiveReader&&) noexcept;
    ArchiveReader& operator=(ArchiveReader&&) noexcept;
    ~ArchiveReader();

    /// Goes to the next member.
    /// @return nullopt after the last one. Error "archive.damaged" or "archive.truncated" with the place in the
    ///         archive; then and afterwards nothing more can be read.
    Result<std::optional<ArchiveMember>> next();
    /// Reads on in the member that next() went to.
    /// @return nullopt at its end. Errors as next(); after one that concerns this member only, next() still goes on.
    Result<std::optional<Block>> read();

    /// Byte of the archive that was reached.
    std::uint64_t position() const;
    /// Bytes of the archive that were read or passed over so far, for progress; the list at the end of a .zip is read
    /// first.
    std::uint64_t bytesDone() const;
    /// One compressed file, not a collection.
    bool isSingleFile() const;
    /// A tar whose end is not marked, so members may be missing; known when next() has returned nullopt.
    bool endsUnmarked() const;
    /// Parts of a gzip file that were read so far and hold something else than their checksums or lengths say; and
    /// where the first of them begin, as bytes of the archive.
    std::uint64_t damagedParts() const;
    std::vector<std::uint64_t> damagedPlaces() const;
    /// Members that are not read cost as much as those that are.
    bool isStream() const;

private:
    struct Impl;
    explicit ArchiveReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace altiscope::reader
