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

CodedSection codedSection(SectionKind kind, std::uint32_t version, const std::vector<NewBlock>& blocks) {
    CodedSection section;
    SectionHeader& header = section.header;
    header.kind = static_cast<std::uint32_t>(kind);
    header.version = version;
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
    const std::uint64_t ratio = maxRatio(header.kind);
    header.bytes = std::max(header.bytes, (header.rawBytes + ratio - 1) / ratio);
    header.tableChecksum = XXH3_64bits(table.data(), table.size() * sizeof(BlockEntry));
    const std::uint64_t beyond = header.bytes % kSectionAlignment;
    section.bytes.reserve(header.bytes + kSectionAlignment);
    section.bytes += asBytes(table);
    for (const NewBlock& block : blocks) section.bytes += block.coded.bytes;
    section.bytes.resize(header.bytes + (beyond == 0 ? 0 : kSectionAlignment - beyond), '\0');
    return section;
}

CodedSection codedSection(SectionKind kind, std::uint32_t version, std::string_view content, BlockContent how,
                          const CancelToken& cancel) {
    std::vector<NewBlock> blocks((content.size() + kColumnBlockBytes - 1) / kColumnBlockBytes);
    parallelFor(blocks.size(), [&](std::size_t i) {
        if (cancel.cancelled()) return;
        const std::string_view part = content.substr(i * kColumnBlockBytes, kColumnBlockBytes);
        blocks[i] = {i * kColumnBlockBytes, static_cast<std::uint32_t>(part.size()), encodeBlock(part, how)};
    });
    return codedSection(kind, version, blocks);
}

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

bool SectionWriter::addHeader(SectionHeader header, std::uint32_t rank) {
    header.id = m_id;
    header.rank = rank;
    header.checksum = 0;
    header.checksum = XXH3_64bits(&header, sizeof header);
    m_directory.push_back({header, m_at});
    return write(asBytes(header));
}

bool SectionWriter::add(const CodedSection& section, std::uint32_t rank) {
    return addHeader(section.header, rank) && write(section.bytes);
}

bool SectionWriter::add(const SpooledSection& section, std::uint32_t rank, SpoolFile& from) {
    addHeader(section.header, rank);
    constexpr std::uint64_t kAtOnce = std::uint64_t{4} << 20;
    std::string part;
    for (std::uint64_t done = 0; m_isWell && done < section.size; done += part.size()) {
        part.resize(std::min(kAtOnce, section.size - done));
        m_isWell = from.read(section.offset + done, part) && write(part);
    }
    return m_isWell;
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
