#include "core/store/file/store_file.h"

#include "core/base/files/pending_file.h"
#include "core/store/file/row_blob.h"
#include "core/store/file/store_sections.h"
#include "core/store/file/track_blob.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace altiscope {

namespace {

constexpr std::uint64_t kAlignment = 64;

std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

/// Many sections are small, and a call of the system for each would cost more than the bytes.
class GatheredWriter {
public:
    GatheredWriter(PendingFile& file, const CancelToken& cancel) : m_file(file), m_cancel(cancel) {}

    void add(std::string_view bytes) {
        if (m_gathered.size() + bytes.size() > kMaxGathered) flush();
        if (bytes.size() <= kMaxGathered) {
            m_gathered += bytes;
            return;
        }
        for (; m_isWell && !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kStoreBlockBytes)))
            write(bytes.substr(0, kStoreBlockBytes));
    }
    /// @return Whether all has been written.
    bool flush() {
        write(m_gathered);
        m_gathered.clear();
        return m_isWell;
    }

private:
    void write(std::string_view bytes) { m_isWell = m_isWell && !m_cancel.cancelled() && m_file.write(bytes); }

    static constexpr std::size_t kMaxGathered = std::size_t{64} << 10;
    PendingFile& m_file;
    const CancelToken& m_cancel;
    std::string m_gathered;
    bool m_isWell = true;
};

/// @param fill  Gives the content to a function that takes texts.
template <class Fill>
Result<Done> writePending(const std::filesystem::path& path, const CancelToken& cancel, const Fill& fill) {
    if (cancel.cancelled()) return Cancelled{};
    PendingFile file(path, PendingFile::Access::Owner);
    GatheredWriter writer(file, cancel);
    if (file.opened()) fill([&writer](std::string_view bytes) { writer.add(bytes); });
    // No sync: blocks that a power cut swallows fail their checksum later, and the entry is made anew.
    if (file.opened() && writer.flush() && file.keep()) return Done{};
    if (cancel.cancelled()) return Cancelled{};
    return Error{"cache.not_written", path.string(), {}, {{"reason", file.problem()}}};
}

}  // namespace

StoreImage::StoreImage(const TraceStore& store, const RowTables* rows, std::string_view note, const CancelToken& cancel)
    : m_cancel(cancel) {
    const TraceColumns& c = store.columns();
    visitColumns(c, [&](std::uint32_t number, const auto& column) {
        add(number, sizeof(column[0]), column.span().data(), column.bytes());
    });
    m_tracks = tracksToBlob(c.tracks, m_cancel);
    add(static_cast<std::uint32_t>(StoreSection::TextOffsets), sizeof(std::uint64_t), c.texts.offsets().span().data(),
        c.texts.offsets().bytes());
    add(static_cast<std::uint32_t>(StoreSection::TextBytes), 1, c.texts.bytes().span().data(), c.texts.bytes().bytes());
    add(static_cast<std::uint32_t>(StoreSection::Tracks), 1, m_tracks.data(), m_tracks.size());
    add(static_cast<std::uint32_t>(StoreSection::Note), 1, note.data(), note.size());
    if (rows != nullptr) addRows(*rows);
    place();
}

void StoreImage::add(std::uint32_t number, std::size_t elementSize, const void* data, std::uint64_t bytes) {
    const std::uint64_t checksum = storeChecksum({static_cast<const char*>(data), bytes}, m_cancel).value_or(0);
    m_parts.push_back({{number, static_cast<std::uint32_t>(elementSize), 0, bytes, checksum}, data});
}

void StoreImage::addRows(const RowTables& rows) {
    m_rowDirectory = rowDirectory(rows);
    const StringPool& texts = rows.texts();
    add(static_cast<std::uint32_t>(StoreSection::RowDirectory), 1, m_rowDirectory.data(), m_rowDirectory.size());
    add(static_cast<std::uint32_t>(StoreSection::RowTextOffsets), sizeof(std::uint64_t), texts.offsets().span().data(),
        texts.offsets().bytes());
    add(static_cast<std::uint32_t>(StoreSection::RowTextBytes), 1, texts.bytes().span().data(), texts.bytes().bytes());
    auto number = static_cast<std::uint32_t>(StoreSection::RowColumns);
    for (const RowTable& table : rows.tables()) {
        for (const PackedColumn& column : table.columns()) {
            add(number++, sizeof(RowBlock), column.blocks.span().data(), column.blocks.bytes());
            add(number++, 1, column.bytes.span().data(), column.bytes.bytes());
        }
    }
}

void StoreImage::place() {
    m_header.version = kStoreFileVersion;
    m_header.sections = static_cast<std::uint32_t>(m_parts.size());
    std::uint64_t at = sizeof m_header + m_parts.size() * sizeof(SectionEntry);
    for (Part& part : m_parts) {
        part.entry.offset = aligned(at);
        at = part.entry.offset + part.entry.bytes;
    }
    m_header.fileSize = m_size = at;
    std::string table(reinterpret_cast<const char*>(&m_header), sizeof m_header);
    for (const Part& part : m_parts) table.append(reinterpret_cast<const char*>(&part.entry), sizeof part.entry);
    m_header.checksum = XXH3_64bits(table.data(), table.size());
}

template <class Take>
void StoreImage::each(const Take& take) const {
    static constexpr char kZeros[kAlignment] = {};
    take({reinterpret_cast<const char*>(&m_header), sizeof m_header});
    for (const Part& part : m_parts) take({reinterpret_cast<const char*>(&part.entry), sizeof part.entry});
    std::uint64_t at = sizeof m_header + m_parts.size() * sizeof(SectionEntry);
    for (const Part& part : m_parts) {
        take({kZeros, part.entry.offset - at});
        take({static_cast<const char*>(part.data), part.entry.bytes});
        at = part.entry.offset + part.entry.bytes;
    }
}

std::string StoreImage::bytes() const {
    std::string all;
    all.reserve(m_size);
    each([&all](std::string_view bytes) { all += bytes; });
    return all;
}

Result<Done> StoreImage::write(const std::filesystem::path& path) const {
    return writePending(path, m_cancel, [this](const auto& take) { each(take); });
}

Result<Done> writeCacheFile(const std::filesystem::path& path, std::string_view bytes, const CancelToken& cancel) {
    return writePending(path, cancel, [bytes](const auto& take) { take(bytes); });
}

}  // namespace altiscope
