#include "core/pack/pack_file.h"

#include "core/base/text/diagnostics.h"
#include "core/base/threads/parallel.h"
#include "core/pack/block_coding.h"
#include "core/pack/stored_content.h"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>
#include <span>
#include <system_error>
#include <utility>

namespace altiscope::pack {

namespace {

std::uint64_t swapped(std::uint64_t value) {
    std::uint64_t other = 0;
    for (unsigned byte = 0; byte < sizeof value; ++byte) other = other << 8U | (value >> (8U * byte) & 0xffU);
    return other;
}

}  // namespace

template <class Part>
std::uint64_t ownChecksum(Part part) {
    part.checksum = 0;
    return XXH3_64bits(&part, sizeof part);
}
template std::uint64_t ownChecksum(FileHeader);
template std::uint64_t ownChecksum(SectionHeader);

bool isPack(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    if (path.extension() == ".altipack") return true;
    const auto file = ReadOnlyFile::open(path);
    std::uint64_t magic = 0;
    if (!file.ok()) return false;
    const auto read = file.value().read(0, {reinterpret_cast<char*>(&magic), sizeof magic});
    return read.ok() && read.value() == sizeof magic &&
           (magic == FileHeader::kMagic || magic == swapped(FileHeader::kMagic));
}

Error PackFile::damagedAt(std::uint64_t offset) const {
    return {"pack.damaged", path().string(), Place{PlaceUnit::Byte, offset}.text(), {}};
}

std::optional<Error> PackFile::readAll(std::uint64_t offset, char* to, std::uint64_t bytes) const {
    if (m_source != nullptr) {
        if (bytes > m_size || offset > m_size - bytes) return damagedAt(offset);
        if (auto problem = m_source->require(offset, bytes)) return problem;
    }
    if (!m_file) {
        const auto again = ReadOnlyFile::open(m_path);
        if (again.failed()) return again.error();
        if (!again.ok() || stampOf(m_path) != m_stamp) return damagedAt(offset);
        const auto read = again.value().read(offset, {to, bytes});
        if (read.failed()) return read.error();
        return read.ok() && read.value() == bytes ? std::nullopt : std::optional(damagedAt(offset));
    }
    const auto read = m_file->read(offset, {to, bytes});
    if (read.failed()) return read.error();
    if (!read.ok() || read.value() != bytes) return damagedAt(offset);
    return std::nullopt;
}

Result<std::shared_ptr<const PackFile>> PackFile::open(const std::filesystem::path& path, Access access,
                                                       std::shared_ptr<const PackSource> source) {
    FileStamp stamp = stampOf(path);
    if (source != nullptr) stamp.modifiedNs = 0;
    auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return file.as<std::shared_ptr<const PackFile>>();
    const std::shared_ptr<PackFile> pack(new PackFile(std::move(file).value(), std::move(stamp), std::move(source)));
    FileHeader header;
    if (const auto problem = pack->readAll(0, reinterpret_cast<char*>(&header), sizeof header)) return *problem;
    if (header.magic == swapped(FileHeader::kMagic)) return Error{"pack.other_machine", path.string(), {}, {}};
    if (header.magic != FileHeader::kMagic) return pack->damagedAt(0);
    if (header.version > kPackVersion)
        return Error{"pack.later", path.string(), {}, {{"version", std::to_string(header.version)}}};
    if (header.checksum != ownChecksum(header)) return pack->damagedAt(0);
    pack->m_id = header.id;
    if (!pack->readDirectory(header.id)) pack->walkSections(header.id);
    if (access == Access::Again) pack->m_file.reset();
    return std::shared_ptr<const PackFile>(pack);
}

bool PackFile::isSound(const PackSection& section, std::uint64_t id, std::uint64_t end) const {
    const SectionHeader& header = section.header;
    return header.magic == SectionHeader::kMagic && header.checksum == ownChecksum(header) && header.id == id &&
           section.offset % kSectionAlignment == 0 && section.offset >= sizeof(FileHeader) && section.offset <= end &&
           sizeof header <= end - section.offset && header.bytes <= end - section.offset - sizeof header &&
           header.blocks <= header.bytes / sizeof(BlockEntry) &&
           header.rawBytes <= header.bytes * maxRatio(header.kind) &&
           (!isJson(header.kind) || header.rawBytes <= kMaxJsonBytes);
}

void PackFile::addSection(const PackSection& section) {
    m_places.try_emplace({section.header.kind, section.header.rank}, m_sections.size());
    m_sections.push_back(section);
}

bool PackFile::readDirectory(std::uint64_t id) {
    Trailer trailer;
    if (m_size < sizeof(FileHeader) + sizeof trailer) return false;
    const std::uint64_t end = m_size - sizeof trailer;
    if (readAll(end, reinterpret_cast<char*>(&trailer), sizeof trailer)) return false;
    if (trailer.magic != Trailer::kMagic || trailer.offset > end ||
        (end - trailer.offset) / sizeof(DirectoryEntry) != trailer.entries ||
        (end - trailer.offset) % sizeof(DirectoryEntry) != 0)
        return false;
    std::string bytes(end - trailer.offset + sizeof trailer, '\0');
    if (readAll(trailer.offset, bytes.data(), bytes.size())) return false;
    Trailer checked = trailer;
    checked.checksum = 0;
    std::memcpy(bytes.data() + (end - trailer.offset), &checked, sizeof checked);
    if (XXH3_64bits(bytes.data(), bytes.size()) != trailer.checksum) return false;
    std::uint64_t next = sizeof(FileHeader);
    for (std::uint64_t i = 0; i < trailer.entries; ++i) {
        DirectoryEntry entry;
        std::memcpy(&entry, bytes.data() + i * sizeof entry, sizeof entry);
        const PackSection section{entry.section, entry.offset};
        // A section whose size lies counts as absent: the reader that needs it reports that.
        if (section.offset < next || !isSound(section, id, trailer.offset)) continue;
        addSection(section);
        next = section.offset + sizeof section.header + section.header.bytes;
    }
    return true;
}

void PackFile::walkSections(std::uint64_t id) {
    std::uint64_t at = sizeof(FileHeader);
    for (PackSection section{{}, at};
         !readAll(at, reinterpret_cast<char*>(&section.header), sizeof section.header) && isSound(section, id, m_size);
         section.offset = at) {
        addSection(section);
        at += sizeof section.header + section.header.bytes;
        at = (at + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
    }
    m_wholeUntil = std::min(at, m_size);
}

const PackSection* PackFile::find(SectionKind kind, std::uint32_t rank) const {
    const auto found = m_places.find({static_cast<std::uint32_t>(kind), rank});
    return found == m_places.end() ? nullptr : &m_sections[found->second];
}

Result<std::vector<BlockEntry>> PackFile::table(const PackSection& section) const {
    const std::uint64_t bytes = section.header.blocks * sizeof(BlockEntry);
    std::vector<BlockEntry> table(section.header.blocks);
    if (const auto problem =
            readAll(section.offset + sizeof section.header, reinterpret_cast<char*>(table.data()), bytes))
        return *problem;
    if (XXH3_64bits(table.data(), bytes) != section.header.tableChecksum) return damagedAt(section.offset);
    std::uint64_t rawBytes = 0, next = bytes;
    const bool isSound = std::all_of(table.begin(), table.end(), [&](const BlockEntry& entry) {
        rawBytes += entry.rawBytes;
        // One behind the other: bytes that stand in many blocks would be read and spread again for each.
        const bool isNext =
            entry.offset == next && next <= section.header.bytes && entry.bytes <= section.header.bytes - next;
        next += entry.bytes;
        return isNext && entry.rawBytes <= kMaxBlockBytes;
    });
    const bool isSorted = std::is_sorted(table.begin(), table.end(),
                                         [](const BlockEntry& a, const BlockEntry& b) { return a.key < b.key; });
    if (!isSound || !isSorted || rawBytes != section.header.rawBytes) return damagedAt(section.offset);
    return table;
}

std::optional<Error> PackFile::readBlock(const PackSection& section, const BlockEntry& entry,
                                         std::span<char> out) const {
    std::string bytes(entry.bytes, '\0');
    const std::uint64_t place = section.offset + sizeof section.header + entry.offset;
    if (const auto problem = readAll(place, bytes.data(), bytes.size())) return problem;
    if (XXH3_64bits(bytes.data(), bytes.size()) != entry.checksum || !decodeBlock(bytes, entry.coding, out))
        return damagedAt(place);
    return std::nullopt;
}

Result<std::string> PackFile::block(const PackSection& section, const BlockEntry& entry) const {
    std::string content(entry.rawBytes, '\0');
    if (const auto problem = readBlock(section, entry, content)) return *problem;
    return content;
}

Result<std::string> PackFile::bytes(const PackSection& section) const {
    std::string bytes(section.header.bytes, '\0');
    if (const auto problem = readAll(section.offset + sizeof section.header, bytes.data(), bytes.size()))
        return *problem;
    return bytes;
}

Result<PackBytes> PackFile::content(const PackSection& section, const CancelToken& cancel) const {
    // One way there and back for all of its blocks.
    if (m_source != nullptr)
        if (auto problem = m_source->require(section.offset, sizeof section.header + section.header.bytes))
            return std::move(*problem);
    const auto table = this->table(section);
    if (!table.ok()) return table.as<PackBytes>();
    std::uint64_t at = 0;
    for (const BlockEntry& entry : table.value()) {
        if (entry.key != at) return damagedAt(section.offset);
        at += entry.rawBytes;
    }
    const std::shared_ptr<char> memory = alignedMemory(std::max<std::uint64_t>(at, 1));
    std::atomic<bool> isAnyBad = false, isOutOfMemory = false;
    std::optional<Error> error;
    std::mutex mutex;  // guards the error
    parallelFor(table.value().size(), [&](std::size_t i) {
        if (cancel.cancelled() || isAnyBad || isOutOfMemory) return;
        const BlockEntry& entry = table.value()[i];
        try {
            const auto problem = readBlock(section, entry, {memory.get() + entry.key, entry.rawBytes});
            if (!problem) return;
            const std::lock_guard lock(mutex);
            if (!error) error = problem;
            isAnyBad = true;
        } catch (const std::bad_alloc&) { isOutOfMemory = true; }
    });
    if (cancel.cancelled()) return Cancelled{};
    if (isOutOfMemory) throw std::bad_alloc();
    if (error) return *error;
    return PackBytes{memory, {memory.get(), at}};
}

}  // namespace altiscope::pack
