#include "core/store/store_file.h"

#include "core/base/pending_file.h"
#include "core/store/row_blob.h"
#include "core/store/store_sections.h"
#include "core/store/track_blob.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace altiscope {

namespace {

constexpr std::uint64_t kAlignment = 64;

struct Part {
    SectionEntry entry;
    const void* data = nullptr;
};

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

/// Many sections are small, and a call of the system for each would cost more than the bytes.
class GatheredWriter {
public:
    GatheredWriter(PendingFile& file, const CancelToken& cancel) : m_file(file), m_cancel(cancel) {}

    void add(std::string_view bytes) {
        if (m_gathered.size() + bytes.size() > kMostGathered) flush();
        if (bytes.size() <= kMostGathered) {
            m_gathered += bytes;
            return;
        }
        for (; m_isWell && !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kStoreBlockBytes))) write(bytes.substr(0, kStoreBlockBytes));
    }
    /// @return Whether all has been written.
    bool flush() {
        write(m_gathered);
        m_gathered.clear();
        return m_isWell;
    }

private:
    void write(std::string_view bytes) { m_isWell = m_isWell && !m_cancel.cancelled() && m_file.write(bytes); }

    static constexpr std::size_t kMostGathered = std::size_t{64} << 10;
    PendingFile& m_file;
    const CancelToken& m_cancel;
    std::string m_gathered;
    bool m_isWell = true;
};

bool writeAll(PendingFile& file, const StoreFileHeader& header, const std::vector<Part>& parts, const CancelToken& cancel) {
    static constexpr char kZeros[kAlignment] = {};
    GatheredWriter writer(file, cancel);
    std::uint64_t at = sizeof header;
    const auto write = [&writer](const void* data, std::uint64_t bytes) { writer.add({static_cast<const char*>(data), bytes}); };
    write(&header, sizeof header);
    for (const Part& part : parts) {
        write(&part.entry, sizeof part.entry);
        at += sizeof part.entry;
    }
    for (const Part& part : parts) {
        write(kZeros, part.entry.offset - at);
        write(part.data, part.entry.bytes);
        at = part.entry.offset + part.entry.bytes;
    }
    return writer.flush();
}

} // namespace

Result<Done> writeStoreFile(const std::filesystem::path& path, const TraceStore& store, const RowTables* rows, std::string_view note,
                            const CancelToken& cancel) {
    std::vector<Part> parts;
    const auto add = [&](std::uint32_t number, std::size_t elementSize, const void* data, std::uint64_t bytes) {
        const std::uint64_t checksum = storeChecksum({static_cast<const char*>(data), bytes}, cancel).value_or(0);
        parts.push_back({{number, static_cast<std::uint32_t>(elementSize), 0, bytes, checksum}, data});
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

    std::string directory;
    if (rows != nullptr) {
        directory = rowDirectory(*rows);
        const StringPool& texts = rows->texts();
        add(static_cast<std::uint32_t>(StoreSection::RowDirectory), 1, directory.data(), directory.size());
        add(static_cast<std::uint32_t>(StoreSection::RowTextOffsets), sizeof(std::uint64_t), texts.offsets().span().data(), texts.offsets().bytes());
        add(static_cast<std::uint32_t>(StoreSection::RowTextBytes), 1, texts.bytes().span().data(), texts.bytes().bytes());
        auto number = static_cast<std::uint32_t>(StoreSection::RowColumns);
        for (const RowTable& table : rows->tables()) {
            for (const PackedColumn& column : table.columns()) {
                add(number++, sizeof(RowBlock), column.blocks.span().data(), column.blocks.bytes());
                add(number++, 1, column.bytes.span().data(), column.bytes.bytes());
            }
        }
    }

    if (cancel.cancelled()) return Cancelled{};

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

    PendingFile file(path, PendingFile::Access::Owner);
    // No sync: blocks that a power cut swallows fail their checksum later, and the entry is made anew.
    if (!file.opened() || !writeAll(file, header, parts, cancel) || !file.keep()) {
        if (cancel.cancelled()) return Cancelled{};
        return Error{"cache.not_written", path.string(), {}, {{"reason", file.problem()}}};
    }
    return Done{};
}

} // namespace altiscope
