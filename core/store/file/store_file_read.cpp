#include "core/store/file/store_file.h"

#include "core/store/file/mapped_file.h"
#include "core/store/file/row_blob.h"
#include "core/store/file/sound_columns.h"
#include "core/store/file/store_sections.h"
#include "core/store/file/track_blob.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>

namespace altiscope {

namespace {

using Sections = std::map<std::uint32_t, SectionEntry>;

/// The table of sections; nullopt unless header and table are whole and every section lies in the file.
std::optional<Sections> readTable(std::string_view file) {
    StoreFileHeader header;
    if (file.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, file.data(), sizeof header);
    static constexpr std::uint32_t kMaxSections = 100000;
    if (header.magic != StoreFileHeader::kMagic || header.version != kStoreFileVersion ||
        header.fileSize != file.size() || header.sections > kMaxSections ||
        sizeof header + header.sections * sizeof(SectionEntry) > file.size()) {
        return std::nullopt;
    }
    std::string table(file.substr(0, sizeof header + header.sections * sizeof(SectionEntry)));
    std::memset(table.data() + offsetof(StoreFileHeader, checksum), 0, sizeof header.checksum);
    if (XXH3_64bits(table.data(), table.size()) != header.checksum) return std::nullopt;
    Sections sections;
    for (std::uint32_t s = 0; s < header.sections; ++s) {
        SectionEntry entry;
        std::memcpy(&entry, table.data() + sizeof header + s * sizeof entry, sizeof entry);
        if (entry.offset > file.size() || entry.bytes > file.size() - entry.offset) return std::nullopt;
        sections.emplace(entry.number, entry);
    }
    return sections;
}

/// A section's bytes; nullopt if it is not there, of other elements, or its checksum is wrong, and if the work was
/// cancelled.
std::optional<std::string_view> section(std::string_view file, const Sections& sections, std::uint32_t number,
                                        std::size_t elementSize, const CancelToken& cancel) {
    const auto found = sections.find(number);
    if (found == sections.end() || found->second.elementSize != elementSize) return std::nullopt;
    static constexpr std::uint64_t kAlignment = 16;  // of whatever element
    if (found->second.offset % kAlignment != 0 || found->second.bytes % elementSize != 0) return std::nullopt;
    const std::string_view bytes = file.substr(found->second.offset, found->second.bytes);
    if (storeChecksum(bytes, cancel) != found->second.checksum) return std::nullopt;
    return bytes;
}

template <class T>
bool load(Column<T>& column, std::uint32_t number, const StoreBytes& file, const Sections& sections,
          const CancelToken& cancel) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = section(file.bytes, sections, number, sizeof(T), cancel);
    if (!bytes) return false;
    column = Column<T>({reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T)}, file.owner);
    return true;
}

/// The summary rows; null if the file has none, nullopt if they are not whole.
std::optional<std::shared_ptr<const RowTables>> loadRows(const StoreBytes& file, const Sections& sections,
                                                         const CancelToken& cancel) {
    const auto number = static_cast<std::uint32_t>(StoreSection::RowDirectory);
    if (!sections.contains(number)) return std::shared_ptr<const RowTables>();
    const auto bytes = section(file.bytes, sections, number, 1, cancel);
    const auto directory = bytes ? rowTablesFromDirectory(*bytes) : std::nullopt;
    Column<std::uint64_t> offsets;
    Column<char> texts;
    if (!directory ||
        !load(offsets, static_cast<std::uint32_t>(StoreSection::RowTextOffsets), file, sections, cancel) ||
        !load(texts, static_cast<std::uint32_t>(StoreSection::RowTextBytes), file, sections, cancel) ||
        offsets.size() == 0) {
        return std::nullopt;
    }
    std::vector<RowTable> tables;
    auto column = static_cast<std::uint32_t>(StoreSection::RowColumns);
    for (const RowTableShape& shape : *directory) {
        std::vector<PackedColumn> columns(rowColumns(shape.kind).size() + shape.extras.size());
        for (PackedColumn& packed : columns) {
            if (!load(packed.blocks, column, file, sections, cancel) ||
                !load(packed.bytes, column + 1, file, sections, cancel))
                return std::nullopt;
            const std::uint64_t full = shape.rows / RowBlock::kBlock;
            if (packed.blocks.size() != full + (shape.rows % RowBlock::kBlock == 0 ? 0U : 1U)) return std::nullopt;
            column += 2;
        }
        tables.emplace_back(shape.kind, shape.rows, shape.extras, std::move(columns));
    }
    return std::make_shared<const RowTables>(std::move(tables), StringPool(std::move(offsets), std::move(texts)));
}

Error unusable(const std::filesystem::path& path) { return {"cache.unusable", path.string(), {}, {}}; }

}  // namespace

std::optional<std::uint64_t> storeChecksum(std::string_view bytes, const CancelToken& cancel) {
    if (bytes.size() <= kStoreBlockBytes) return XXH3_64bits(bytes.data(), bytes.size());
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_64bits_reset(state.get());
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kStoreBlockBytes))) {
        if (cancel.cancelled()) return std::nullopt;
        XXH3_64bits_update(state.get(), bytes.data(), std::min(bytes.size(), kStoreBlockBytes));
    }
    return XXH3_64bits_digest(state.get());
}

Result<StoreFileContent> readStoreFile(const std::filesystem::path& path, const CancelToken& cancel) {
    const auto mapping = MappedFile::open(path);
    if (!mapping) return unusable(path);
    return readStoreBytes({mapping, mapping->bytes()}, path, cancel);
}

Result<StoreFileContent> readStoreBytes(const StoreBytes& file, const std::filesystem::path& path,
                                        const CancelToken& cancel) {
    const auto sections = readTable(file.bytes);
    if (!sections) return unusable(path);

    TraceColumns columns;
    bool ok = true;
    visitColumns(columns,
                 [&](std::uint32_t number, auto& column) { ok = ok && load(column, number, file, *sections, cancel); });
    Column<std::uint64_t> offsets;
    Column<char> bytes;
    ok = ok && load(offsets, static_cast<std::uint32_t>(StoreSection::TextOffsets), file, *sections, cancel) &&
         load(bytes, static_cast<std::uint32_t>(StoreSection::TextBytes), file, *sections, cancel);
    const auto tracks = section(file.bytes, *sections, static_cast<std::uint32_t>(StoreSection::Tracks), 1, cancel);
    const auto note = section(file.bytes, *sections, static_cast<std::uint32_t>(StoreSection::Note), 1, cancel);
    if (cancel.cancelled()) return Cancelled{};
    if (!ok || offsets.size() == 0 || !tracks || !note) return unusable(path);
    auto list = tracksFromBlob(*tracks, cancel);
    const auto rows = loadRows(file, *sections, cancel);
    if (cancel.cancelled()) return Cancelled{};
    if (!rows || !list || list->size() != columns.extents.size()) return unusable(path);
    columns.tracks = std::move(*list);
    columns.texts = StringPool(std::move(offsets), std::move(bytes));
    const bool isWhole =
        isSound(columns, cancel) && (*rows == nullptr || isSound(**rows, columns.begin.size(), cancel));
    if (cancel.cancelled()) return Cancelled{};
    if (!isWhole) return unusable(path);
    return StoreFileContent{std::make_shared<TraceStore>(std::move(columns), false), *rows, std::string(*note)};
}

Result<std::string> readStoreNote(const std::filesystem::path& path) {
    const auto mapping = MappedFile::open(path);
    if (!mapping) return unusable(path);
    const auto sections = readTable(mapping->bytes());
    if (!sections) return unusable(path);
    const auto note = section(mapping->bytes(), *sections, static_cast<std::uint32_t>(StoreSection::Note), 1, {});
    if (!note) return unusable(path);
    return std::string(*note);
}

}  // namespace altiscope
