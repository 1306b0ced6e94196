#include "core/store/store_file.h"

#include "core/base/pending_file.h"
#include "core/store/row_blob.h"
#include "core/store/store_sections.h"
#include "core/store/track_blob.h"

#include <xxhash.h>

#include <cstring>
#include <vector>

namespace altiscope {

namespace {

constexpr std::uint64_t kAlignment = 64;

struct Part {
    SectionEntry entry;
    const void* data = nullptr;
};

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

bool writeAll(PendingFile& file, const StoreFileHeader& header, const std::vector<Part>& parts) {
    static constexpr char kZeros[kAlignment] = {};
    std::uint64_t at = sizeof header;
    const auto write = [&file](const void* data, std::uint64_t bytes) { return file.write({static_cast<const char*>(data), bytes}); };
    if (!write(&header, sizeof header)) return false;
    for (const Part& part : parts) {
        if (!write(&part.entry, sizeof part.entry)) return false;
        at += sizeof part.entry;
    }
    for (const Part& part : parts) {
        if (!write(kZeros, part.entry.offset - at)) return false;
        if (!write(part.data, part.entry.bytes)) return false;
        at = part.entry.offset + part.entry.bytes;
    }
    return true;
}

} // namespace

Result<Done> writeStoreFile(const std::filesystem::path& path, const TraceStore& store, const RowTables* rows, std::string_view note) {
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
    if (!file.opened() || !writeAll(file, header, parts) || !file.keep()) {
        return Error{"cache.not_written", path.string(), {}, {{"reason", file.problem()}}};
    }
    return Done{};
}

} // namespace altiscope
