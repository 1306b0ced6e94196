#include "core/store/cache/store_pack.h"

#include <xxhash.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::uint64_t kEntryAlignment = 64;
constexpr std::size_t kKeyBytes = 32;

struct PackedEntry {
    std::array<char, kKeyBytes> key{};
    std::uint64_t offset = 0, bytes = 0;
};

std::string_view viewOf(const PackHeader& header) { return {reinterpret_cast<const char*>(&header), sizeof header}; }

/// Checksum of all that stands before the first entry, with this field 0.
std::uint64_t headChecksum(PackHeader header, std::string_view after) {
    header.checksum = 0;
    std::string head(viewOf(header));
    head += after;
    return XXH3_64bits(head.data(), head.size());
}

std::uint64_t atEntry(std::uint64_t offset) {
    return (offset + kEntryAlignment - 1) / kEntryAlignment * kEntryAlignment;
}

}  // namespace

std::string StorePack::bytesOf(std::string_view note, const Entries& entries) {
    PackHeader header;
    header.version = kStoreFileVersion;
    header.entries = static_cast<std::uint32_t>(entries.size());
    header.noteBytes = note.size();
    std::string after;
    std::uint64_t at = sizeof header + entries.size() * sizeof(PackedEntry) + note.size();
    for (const auto& [key, bytes] : entries) {
        PackedEntry entry{{}, atEntry(at), bytes.size()};
        key.copy(entry.key.data(), kKeyBytes);
        after.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        at = entry.offset + entry.bytes;
    }
    after += note;
    header.fileSize = at;
    header.checksum = headChecksum(header, after);

    std::string all;
    all.reserve(at);
    all.append(viewOf(header)).append(after);
    for (const auto& [key, bytes] : entries) all.append(atEntry(all.size()) - all.size(), '\0').append(bytes);
    return all;
}

std::shared_ptr<const StorePack> StorePack::open(const std::filesystem::path& path) {
    auto file = MappedFile::open(path);
    if (!file) return nullptr;
    std::string_view rest = file->bytes();
    PackHeader header;
    if (rest.size() < sizeof header) return nullptr;
    std::memcpy(&header, rest.data(), sizeof header);
    if (header.magic != PackHeader::kMagic || header.version != kStoreFileVersion || header.fileSize != rest.size())
        return nullptr;
    rest.remove_prefix(sizeof header);
    const std::uint64_t tableBytes = std::uint64_t{header.entries} * sizeof(PackedEntry);
    if (tableBytes > rest.size() || header.noteBytes > rest.size() - tableBytes) return nullptr;
    if (headChecksum(header, rest.substr(0, tableBytes + header.noteBytes)) != header.checksum) return nullptr;

    auto pack = std::make_shared<StorePack>();
    pack->m_note = rest.substr(tableBytes, header.noteBytes);
    for (std::uint32_t i = 0; i < header.entries; ++i) {
        PackedEntry entry;
        std::memcpy(&entry, rest.data() + i * sizeof entry, sizeof entry);
        if (entry.offset > header.fileSize || entry.bytes > header.fileSize - entry.offset ||
            entry.offset % kEntryAlignment != 0)
            return nullptr;
        pack->m_entries.emplace(std::string(entry.key.data(), kKeyBytes),
                                file->bytes().substr(entry.offset, entry.bytes));
    }
    pack->m_file = std::move(file);
    return pack;
}

std::optional<StoreFileContent> StorePack::find(std::string_view key, const CancelToken& cancel) const {
    const auto found = m_entries.find(key);
    if (found == m_entries.end()) return std::nullopt;
    auto content = readStoreBytes({m_file, found->second}, {}, cancel);
    return content.ok() ? std::optional(std::move(content).value()) : std::nullopt;
}

}  // namespace altiscope
