#include "core/store/store_file.h"

#include "core/store/store_sections.h"
#include "core/store/track_blob.h"

#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace altiscope {

namespace {

constexpr std::uint64_t kAlignment = 64;

struct Part {
    SectionEntry entry;
    const void* data = nullptr;
};

/// A file under a temporary name that takes its real name when it is complete and vanishes otherwise.
class PendingFile {
public:
    explicit PendingFile(const std::filesystem::path& path)
        : m_path(path), m_pending(path.string() + ".tmp." + std::to_string(::getpid()) + ".XXXXXX") {
        m_descriptor = ::mkstemp(m_pending.data());
    }
    ~PendingFile() {
        if (m_descriptor >= 0) ::close(m_descriptor);
        if (m_descriptor >= 0 && !m_kept) ::unlink(m_pending.c_str());
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    bool opened() const { return m_descriptor >= 0; }

    bool write(const void* data, std::uint64_t bytes) {
        const char* from = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t written = ::write(m_descriptor, from, bytes);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return false;
            from += written;
            bytes -= static_cast<std::uint64_t>(written);
        }
        return true;
    }

    bool keep() {
        // No sync: blocks that a power cut swallows fail their checksum later, and the entry is made anew.
        if (::rename(m_pending.c_str(), m_path.c_str()) != 0) return false;
        m_kept = true;
        return true;
    }

private:
    std::filesystem::path m_path;
    std::string m_pending;
    int m_descriptor = -1;
    bool m_kept = false;
};

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

bool writeAll(PendingFile& file, const StoreFileHeader& header, const std::vector<Part>& parts) {
    static constexpr char kZeros[kAlignment] = {};
    std::uint64_t at = sizeof header;
    if (!file.write(&header, sizeof header)) return false;
    for (const Part& part : parts) {
        if (!file.write(&part.entry, sizeof part.entry)) return false;
        at += sizeof part.entry;
    }
    for (const Part& part : parts) {
        if (!file.write(kZeros, part.entry.offset - at)) return false;
        if (!file.write(part.data, part.entry.bytes)) return false;
        at = part.entry.offset + part.entry.bytes;
    }
    return true;
}

} // namespace

Result<Done> writeStoreFile(const std::filesystem::path& path, const TraceStore& store, std::string_view note) {
    std::vector<Part> parts;
    const auto add = [&parts](std::uint32_t number, std::size_t elementSize, const void* data, std::uint64_t bytes) {
        parts.push_back({{number, static_cast<std::uint32_t>(elementSize), 0, bytes, XXH3_64bits(data, bytes)}, data});
    };
    const TraceColumns& c = store.columns();
    visitColumns(c, [&](std::uint32_t number, const auto& column) {
        add(number, sizeof(column[0]), column.span().data(), column.bytes());
    });
    const std::string tracks = tracksToBlob(c.tracks);
    add(static_cast<std::uint32_t>(StoreSection::TextOffsets), sizeof(std::uint64_t), c.texts.offsets().span().data(), c.texts.offsets().bytes());
    add(static_cast<std::uint32_t>(StoreSection::TextBytes), 1, c.texts.bytes().span().data(), c.texts.bytes().bytes());
    add(static_cast<std::uint32_t>(StoreSection::Tracks), 1, tracks.data(), tracks.size());
    add(static_cast<std::uint32_t>(StoreSection::Note), 1, note.data(), note.size());

    StoreFileHeader header;
    header.version = kStoreFileVersion;
    header.sections = static_cast<std::uint32_t>(parts.size());
    std::uint64_t at = sizeof header + parts.size() * sizeof(SectionEntry);
    for (Part& part : parts) {
        part.entry.offset = aligned(at);
        at = part.entry.offset + part.entry.bytes;
    }
    header.fileSize = at;
    std::string table(reinterpret_cast<const char*>(&header), sizeof header);
    for (const Part& part : parts) table.append(reinterpret_cast<const char*>(&part.entry), sizeof part.entry);
    header.checksum = XXH3_64bits(table.data(), table.size());

    PendingFile file(path);
    if (!file.opened() || !writeAll(file, header, parts) || !file.keep()) {
        return Error{"cache.not_written", path.string(), {}, {{"reason", std::strerror(errno)}}};
    }
    return Done{};
}

} // namespace altiscope
