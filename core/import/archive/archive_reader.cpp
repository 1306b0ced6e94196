#include "core/import/archive/archive_reader.h"

#include "core/base/text/diagnostics.h"
#include "core/import/files/gzip_input.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <locale.h>

namespace altiscope::reader {

// Outside of the anonymous namespace, because the reader's own Impl is made of them.
namespace archive_parts {

struct Closer {
    void operator()(archive* handle) const { archive_read_free(handle); }
};

/// Source of the bytes that libarchive asks for.
struct ByteSource {
    const ReadOnlyFile& file;
    CancelToken cancel;
    std::vector<char> buffer;
    std::uint64_t at = 0;
    std::uint64_t done = 0;
    bool sawEnd = false;  ///< More was requested than there is.
    std::unique_ptr<GzipInput> gzip{};
    std::uint64_t unpacked = 0;  ///< That came out of it.
    std::size_t given = 0;       ///< The last of that, in the buffer.
};

enum class Packing : std::uint8_t { Zip, Gzip, Zstd, None };

/// For its lifetime this thread spells names in UTF-8, whatever the user's locale is: libarchive goes by the locale.
class Utf8Names {
public:
    Utf8Names() : m_utf8(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (m_utf8 != nullptr) m_before = ::uselocale(m_utf8);
    }
    ~Utf8Names() {
        if (m_utf8 == nullptr) return;
        ::uselocale(m_before);
        ::freelocale(m_utf8);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

private:
    locale_t m_utf8;
    locale_t m_before = nullptr;
};

}  // namespace archive_parts

namespace {

using archive_parts::ByteSource;
using archive_parts::Packing;

la_ssize_t readBytes(archive* handle, void* data, const void** out) {
    auto& source = *static_cast<ByteSource*>(data);
    if (source.cancel.cancelled()) {
        archive_set_error(handle, ECANCELED, "cancelled");
        return -1;
    }
    if (source.gzip) {
        const std::size_t size = source.gzip->read(source.buffer);
        if (source.cancel.cancelled()) {
            archive_set_error(handle, ECANCELED, "cancelled");
            return -1;
        }
        source.given = size;
        source.unpacked += size;
        source.at = source.gzip->position();
        source.done = source.at;
        source.sawEnd = source.gzip->isCut();
        // A problem is reported at the end: the bytes before it are kept.
        *out = source.buffer.data();
        return static_cast<la_ssize_t>(size);
    }
    const auto got = source.file.read(source.at, source.buffer);
    if (!got.ok()) {
        archive_set_error(handle, EIO, "%s",
                          got.error().parameters.empty() ? "" : got.error().parameters.front().second.c_str());
        return -1;
    }
    source.at += got.value();
    source.done += got.value();
    source.sawEnd = got.value() == 0;
    *out = source.buffer.data();
    return static_cast<la_ssize_t>(got.value());
}

la_int64_t skipBytes(archive*, void* data, la_int64_t request) {
    auto& source = *static_cast<ByteSource*>(data);
    if (request <= 0 || source.at >= source.file.size()) return 0;
    const std::uint64_t step = std::min(static_cast<std::uint64_t>(request), source.file.size() - source.at);
    source.at += step;
    source.done += step;
    return static_cast<la_int64_t>(step);
}

la_int64_t seekBytes(archive*, void* data, la_int64_t offset, int whence) {
    auto& source = *static_cast<ByteSource*>(data);
    std::int64_t from = 0;
    if (whence == SEEK_CUR) from = static_cast<std::int64_t>(source.at);
    if (whence == SEEK_END) from = static_cast<std::int64_t>(source.file.size());
    std::int64_t target = 0;
    if (__builtin_add_overflow(from, offset, &target) || target < 0) return ARCHIVE_FATAL;
    source.at = static_cast<std::uint64_t>(target);
    source.sawEnd = false;
    return target;
}

Packing packingOf(const ReadOnlyFile& file) {
    using namespace std::string_view_literals;
    std::array<char, 4> head{};
    const auto got = file.read(0, head);
    const std::string_view text(head.data(), got.ok() ? got.value() : 0);
    if (text.starts_with("PK"sv)) return Packing::Zip;
    if (text.starts_with("\x1F\x8B"sv)) return Packing::Gzip;
    if (text.starts_with("\x28\xB5\x2F\xFD"sv)) return Packing::Zstd;
    return Packing::None;
}

/// Exactly one layer of packing: more would be an archive in an archive.
bool setUp(archive* handle, Packing packing) {
    switch (packing) {
    case Packing::Zip: return archive_read_support_format_zip(handle) == ARCHIVE_OK;
    case Packing::Zstd:
        if (archive_read_append_filter(handle, ARCHIVE_FILTER_ZSTD) != ARCHIVE_OK) return false;
        [[fallthrough]];
    case Packing::Gzip:
        return archive_read_support_format_tar(handle) == ARCHIVE_OK &&
               archive_read_support_format_raw(handle) == ARCHIVE_OK;
    case Packing::None: return archive_read_support_format_tar(handle) == ARCHIVE_OK;
    }
    return false;
}

ArchiveMember::Kind memberKind(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK)
        return ArchiveMember::Kind::Link;
    if (archive_entry_filetype(entry) == AE_IFDIR) return ArchiveMember::Kind::Folder;
    return archive_entry_filetype(entry) == AE_IFREG ? ArchiveMember::Kind::File : ArchiveMember::Kind::Special;
}

std::string nameOf(archive_entry* entry) {
    // UTF-8 where the archive says what its names are in; else the bytes as they are, whatever the locale is.
    if (const char* name = archive_entry_pathname_utf8(entry)) return name;
    if (const char* name = archive_entry_pathname(entry)) return name;
    return {};
}

}  // namespace

struct ArchiveReader::Impl {
    archive_parts::ByteSource source;
    archive_parts::Packing packing;
    std::unique_ptr<archive, archive_parts::Closer> handle{archive_read_new()};
    bool isOver = false;
    bool endsUnmarked = false;

    bool isTar() const { return (archive_format(handle.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR; }
    std::uint64_t bytesAt(int filter) const {
        return static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(handle.get(), filter), 0));
    }

    std::uint64_t position() const {
        return std::min(source.gzip ? source.gzip->position() : bytesAt(-1), source.file.size());
    }

    /// Reads what stands after the end mark of a tar: only then the checksum of gzip is known.
    /// @return Error if it is wrong, or if more than filling follows.
    std::optional<Error> drain() {
        // Zeros that take up no room in the file.
        static constexpr std::uint64_t kMaxFilling = std::uint64_t{64} << 20;
        static constexpr std::uint64_t kEndMark = 1024;
        if (packing != Packing::Gzip && packing != Packing::None) return std::nullopt;
        std::uint64_t at = static_cast<std::uint64_t>(archive_read_header_position(handle.get())) + kEndMark;
        const auto isZeros = [](std::span<const char> bytes) {
            return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
        };
        // The block that libarchive holds of a stream may go on after the mark.
        const std::uint64_t before = source.unpacked - source.given;
        const std::span<const char> given(source.buffer.data(), source.given);
        bool isFilling = !source.gzip || at < before || at >= source.unpacked || isZeros(given.subspan(at - before));
        std::uint64_t after = 0;
        for (std::size_t size = 1; size > 0 && isFilling && !(source.gzip && after >= kMaxFilling);
             after += size, at += size) {
            if (source.cancel.cancelled()) return std::nullopt;
            if (source.gzip) {
                size = source.gzip->read(source.buffer);
            } else {
                const auto got = source.file.read(at, source.buffer);
                if (!got.ok()) return got.error();
                size = got.value();
            }
            isFilling = isZeros(std::span<const char>(source.buffer).first(size));
        }
        if (isDamagedGzip()) return problemAt(source.gzip->problem());
        if (isFilling && after >= kMaxFilling) return problemAt("more than 64 MiB of zeros follow the end mark");
        if (isFilling) return std::nullopt;
        return problemAt("something follows the end mark");
    }
    bool isDamagedGzip() const { return source.gzip && !source.gzip->problem().empty(); }
    Error problemAt(const std::string& reason) const {
        return {source.gzip && source.gzip->isCut() ? "archive.truncated" : "archive.damaged",
                source.file.path().string(),
                Place{PlaceUnit::Byte, position()}.text(),
                {{"reason", reason}}};
    }

    Error problem() const {
        if (isDamagedGzip()) return problemAt(source.gzip->problem());
        const char* text = archive_error_string(handle.get());
        // Bytes that were requested beyond the end are missing.
        return {source.sawEnd ? "archive.truncated" : "archive.damaged",
                source.file.path().string(),
                Place{PlaceUnit::Byte, position()}.text(),
                {{"reason", text == nullptr ? "" : text}}};
    }
};

ArchiveReader::ArchiveReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader& ArchiveReader::operator=(ArchiveReader&&) noexcept = default;
ArchiveReader::~ArchiveReader() = default;

Result<ArchiveReader> ArchiveReader::open(const ReadOnlyFile& file, const CancelToken& cancel) {
    static constexpr std::size_t kBlock = std::size_t{256} << 10;
    const archive_parts::Utf8Names utf8;
    auto impl = std::unique_ptr<Impl>(
        new Impl{.source = {file, cancel, std::vector<char>(kBlock)}, .packing = packingOf(file)});
    const bool isGzip = impl->packing == Packing::Gzip;
    if (isGzip) impl->source.gzip = std::make_unique<GzipInput>(file, cancel);
    archive* handle = impl->handle.get();
    const bool isReady = handle != nullptr && setUp(handle, impl->packing) &&
                         archive_read_set_callback_data(handle, &impl->source) == ARCHIVE_OK &&
                         archive_read_set_read_callback(handle, readBytes) == ARCHIVE_OK &&
                         (isGzip || (archive_read_set_skip_callback(handle, skipBytes) == ARCHIVE_OK &&
                                     archive_read_set_seek_callback(handle, seekBytes) == ARCHIVE_OK)) &&
                         archive_read_open1(handle) == ARCHIVE_OK;
    if (cancel.cancelled()) return Cancelled{};
    if (!isReady) return impl->problem();
    return ArchiveReader(std::move(impl));
}

Result<std::optional<ArchiveMember>> ArchiveReader::next() {
    if (m_impl->isOver) return std::optional<ArchiveMember>{};
    const archive_parts::Utf8Names utf8;
    archive* handle = m_impl->handle.get();
    archive_entry* entry = nullptr;
    int code = ARCHIVE_RETRY;
    static constexpr int kTries = 3;
    for (int i = 0; i < kTries && code == ARCHIVE_RETRY; ++i) code = archive_read_next_header(handle, &entry);
    if (m_impl->source.cancel.cancelled()) return Cancelled{};
    if (code == ARCHIVE_EOF) {
        m_impl->isOver = true;
        // The mark is consumed, so something stands after where the last header would have begun.
        m_impl->endsUnmarked =
            m_impl->isTar() && static_cast<std::uint64_t>(archive_read_header_position(handle)) == m_impl->bytesAt(0);
        if (const auto problem = m_impl->isTar() ? m_impl->drain() : std::nullopt) return *problem;
        if (m_impl->source.cancel.cancelled()) return Cancelled{};
        return std::optional<ArchiveMember>{};
    }
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN) {
        m_impl->isOver = true;
        return m_impl->problem();
    }
    ArchiveMember member;
    if (!isSingleFile()) {
        member.name = nameOf(entry);
        member.kind = memberKind(entry);
        member.isEncrypted = archive_entry_is_encrypted(entry) != 0;
        if (archive_entry_size_is_set(entry) != 0 && archive_entry_size(entry) >= 0)
            member.size = static_cast<std::uint64_t>(archive_entry_size(entry));
    }
    return std::optional(std::move(member));
}

Result<std::optional<ArchiveReader::Block>> ArchiveReader::read() {
    if (m_impl->isOver) return std::optional<Block>{};
    if (m_impl->source.cancel.cancelled()) return Cancelled{};
    const void* data = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int code = archive_read_data_block(m_impl->handle.get(), &data, &size, &offset);
    if (m_impl->source.cancel.cancelled()) return Cancelled{};
    if (code == ARCHIVE_EOF) {
        if (!isSingleFile() || !m_impl->isDamagedGzip()) return std::optional<Block>{};
        m_impl->isOver = true;
        return m_impl->problem();
    }
    if (code != ARCHIVE_OK || offset < 0) {
        m_impl->isOver = code != ARCHIVE_FAILED && code != ARCHIVE_WARN;
        return m_impl->problem();
    }
    return std::optional(Block{{static_cast<const char*>(data), size}, static_cast<std::uint64_t>(offset)});
}

std::uint64_t ArchiveReader::position() const { return m_impl->position(); }
std::uint64_t ArchiveReader::bytesDone() const { return std::min(m_impl->source.done, m_impl->source.file.size()); }
bool ArchiveReader::isSingleFile() const { return archive_format(m_impl->handle.get()) == ARCHIVE_FORMAT_RAW; }
bool ArchiveReader::endsUnmarked() const { return m_impl->endsUnmarked; }
std::uint64_t ArchiveReader::damagedParts() const {
    return m_impl->source.gzip ? m_impl->source.gzip->damagedMembers() : 0;
}
std::vector<std::uint64_t> ArchiveReader::damagedPlaces() const {
    return m_impl->source.gzip ? m_impl->source.gzip->damagedPlaces() : std::vector<std::uint64_t>();
}
bool ArchiveReader::isStream() const { return m_impl->packing == Packing::Gzip || m_impl->packing == Packing::Zstd; }

}  // namespace altiscope::reader
