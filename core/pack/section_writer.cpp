#include "core/pack/section_writer.h"

#include "core/base/threads/parallel.h"

#include <xxhash.h>

#include <algorithm>

namespace altiscope::pack {

namespace {

/// Content of a block of columns: small enough that all workers have some, large enough to shrink well.
constexpr std::size_t kColumnBlockBytes = std::size_t{256} << 10;

template <class Part>
std::string_view asBytes(const Part& part) {
    return {reinterpret_cast<const char*>(&part), sizeof part};
}

template <class Part>
std::string_view asBytes(const std::vector<Part>& parts) {
    return {reinterpret_cast<const char*>(parts.data()), parts.size() * sizeof(Part)};
}

}  // namespace

SectionWriter::SectionWriter(PendingFile& file, std::uint64_t id, const CancelToken& cancel)
    : m_file(file), m_cancel(cancel), m_id(id) {
    FileHeader header;
    header.id = id;
    header.checksum = XXH3_64bits(&header, sizeof header);
    write(asBytes(header));
}

bool SectionWriter::write(std::string_view bytes) {
    constexpr std::size_t kAtOnce = std::size_t{4} << 20;
    m_at += bytes.size();
    for (; m_isWell && !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kAtOnce)))
        m_isWell = !m_cancel.cancelled() && m_file.write(bytes.substr(0, kAtOnce));
    return m_isWell;
}

bool SectionWriter::add(SectionKind kind, std::uint32_t version, std::uint32_t rank,
                        const std::vector<NewBlock>& blocks) {
    SectionHeader header;
    header.id = m_id;
    header.kind = static_cast<std::uint32_t>(kind);
    header.version = version;
    header.rank = rank;
    header.blocks = static_cast<std::uint32_t>(blocks.size());
    header.bytes = blocks.size() * sizeof(BlockEntry);
    std::vector<BlockEntry> table;
    for (const NewBlock& block : blocks) {
        BlockEntry& entry = table.emplace_back();
        entry.key = block.key;
        entry.offset = header.bytes;
        entry.bytes = static_cast<std::uint32_t>(block.coded.bytes.size());
        entry.rawBytes = block.rawBytes;
        entry.checksum = XXH3_64bits(block.coded.bytes.data(), block.coded.bytes.size());
        entry.coding = static_cast<std::uint32_t>(block.coded.coding);
        header.bytes += entry.bytes;
        header.rawBytes += entry.rawBytes;
    }
    const std::uint64_t end = header.bytes;
    const std::uint64_t ratio = maxRatio(header.kind);
    header.bytes = std::max(end, (header.rawBytes + ratio - 1) / ratio);
    header.tableChecksum = XXH3_64bits(table.data(), table.size() * sizeof(BlockEntry));
    header.checksum = XXH3_64bits(&header, sizeof header);
    m_directory.push_back({header, m_at});
    write(asBytes(header));
    write(asBytes(table));
    for (const NewBlock& block : blocks) write(block.coded.bytes);
    const std::uint64_t beyond = (m_at + header.bytes - end) % kSectionAlignment;
    return write(std::string(header.bytes - end + (beyond == 0 ? 0 : kSectionAlignment - beyond), '\0'));
}

bool SectionWriter::add(SectionKind kind, std::uint32_t version, std::uint32_t rank, std::string_view content,
                        BlockContent how) {
    std::vector<NewBlock> blocks((content.size() + kColumnBlockBytes - 1) / kColumnBlockBytes);
    parallelFor(blocks.size(), [&](std::size_t i) {
        if (m_cancel.cancelled()) return;
        const std::string_view part = content.substr(i * kColumnBlockBytes, kColumnBlockBytes);
        blocks[i] = {i * kColumnBlockBytes, static_cast<std::uint32_t>(part.size()), encodeBlock(part, how)};
    });
    return add(kind, version, rank, blocks);
}

bool SectionWriter::finish() {
    Trailer trailer;
    trailer.offset = m_at;
    trailer.entries = m_directory.size();
    std::string bytes(asBytes(m_directory));
    bytes += asBytes(trailer);
    trailer.checksum = XXH3_64bits(bytes.data(), bytes.size());
    write(asBytes(m_directory));
    return write(asBytes(trailer));
}

}  // namespace altiscope::pack
