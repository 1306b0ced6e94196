#include "core/import/sqlite/db_page.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace altiscope::reader {

namespace {

constexpr std::uint32_t kFileHeaderBytes = 100;

std::uint32_t number16(const unsigned char* bytes) { return std::uint32_t{bytes[0]} << 8 | bytes[1]; }
std::uint32_t number32(const unsigned char* bytes) { return number16(bytes) << 16 | number16(bytes + 2); }

const unsigned char* readLongVarint(const unsigned char* at, const unsigned char* end, std::uint64_t& value) {
    value = 0;
    for (int i = 0; i < 8 && at < end; ++i) {
        const unsigned char byte = *at++;
        value = value << 7 | (byte & 0x7f);
        if (byte < 0x80) return at;
    }
    if (at >= end) return nullptr;
    value = value << 8 | *at++;
    return at;
}

/// A number of 1 to 9 bytes, mostly of 1 to 3; null when it does not end before `end`.
inline const unsigned char* readVarint(const unsigned char* at, const unsigned char* end, std::uint64_t& value) {
    if (end - at < 3) return readLongVarint(at, end, value);
    value = at[0];
    if (value < 0x80) return at + 1;
    value = (value & 0x7f) << 7 | (at[1] & 0x7f);
    if (at[1] < 0x80) return at + 2;
    value = value << 7 | at[2];
    return at[2] < 0x80 ? at + 3 : readLongVarint(at, end, value);
}

/// Bytes of a longer payload than `most` that lie on the page itself.
std::uint64_t localBytes(std::uint64_t payload, std::uint64_t most, std::uint32_t usable) {
    const std::uint64_t min = (usable - 12) * 32 / 255 - 23;
    const std::uint64_t fitting = min + (payload - min) % (usable - 4);
    return fitting <= most ? fitting : min;
}

/// Bytes of blocks that were freed within a page; nullopt if their chain is broken.
std::optional<std::uint32_t> freedBytes(std::span<const unsigned char> bytes, std::uint32_t block,
                                        std::uint32_t usable) {
    std::uint32_t sum = 0, before = 0;
    while (block != 0) {
        if (block < before || block + 4 > usable) return std::nullopt;
        const std::uint32_t size = number16(&bytes[block + 2]);
        if (size < 4 || block + size > usable) return std::nullopt;
        sum += size;
        before = block + size;
        block = number16(&bytes[block]);
    }
    return sum;
}

DbPage::Kind kindOf(unsigned char flags) {
    switch (flags) {
    case 0x0d: return DbPage::Kind::TableLeaf;
    case 0x05: return DbPage::Kind::TableInner;
    case 0x0a: return DbPage::Kind::IndexLeaf;
    case 0x02: return DbPage::Kind::IndexInner;
    default: return DbPage::Kind::Other;
    }
}

/// Walks over the cells of a page.
class CellWalk {
public:
    CellWalk(const DbFileHeader& header, std::uint32_t number, std::span<const unsigned char> bytes, DbPage& page,
             DbPageLinks& links)
        : m_header(header), m_number(number), m_bytes(bytes), m_page(page), m_links(links),
          m_most(page.isOfTable() ? header.usableBytes - 35 : (header.usableBytes - 12) * 64 / 255 - 23) {}

    bool run(std::uint32_t start) {
        const std::uint32_t usable = m_header.usableBytes;
        const std::uint32_t pointers = start + (m_page.isLeaf() ? 8 : 12);
        const std::uint32_t cellsEnd = pointers + 2 * m_page.cells;
        const std::uint32_t content = number16(&m_bytes[start + 5]) == 0 ? 65536 : number16(&m_bytes[start + 5]);
        if (cellsEnd > usable || content < cellsEnd || content > usable) return false;
        std::uint64_t used = 0;
        for (std::uint32_t i = 0; i < m_page.cells; ++i) {
            const std::uint32_t cell = number16(&m_bytes[pointers + 2 * i]);
            if (cell < content || cell + 4 > usable) return false;
            const auto size = readCell(cell, i);
            if (!size || cell + *size > usable) return false;
            used += std::max<std::uint64_t>(*size, 4);
        }
        if (!m_page.isLeaf() && !addChild(number32(&m_bytes[start + 8]), INT64_MAX)) return false;
        const auto freed = freedBytes(m_bytes, number16(&m_bytes[start + 1]), usable);
        return freed && used + *freed + m_bytes[start + 7] == usable - content;
    }

private:
    std::optional<std::uint64_t> readCell(std::uint32_t cell, std::uint32_t index) {
        const unsigned char* const begin = &m_bytes[cell];
        const unsigned char* const end = m_bytes.data() + m_header.usableBytes;
        const unsigned char* at = begin;
        std::uint64_t payload = 0, row = 0;
        if (!m_page.isLeaf()) at += 4;
        const bool hasPayload = m_page.kind != DbPage::Kind::TableInner;
        if (hasPayload && (at = readVarint(at, end, payload)) == nullptr) return std::nullopt;
        if (m_page.isOfTable()) {
            if ((at = readVarint(at, end, row)) == nullptr) return std::nullopt;
            const auto id = static_cast<std::int64_t>(row);
            if (index > 0 && id <= m_page.last) return std::nullopt;
            if (index == 0) m_page.first = id;
            m_page.last = id;
        }
        if (!m_page.isLeaf() && !addChild(number32(begin), m_page.isOfTable() ? m_page.last : INT64_MAX))
            return std::nullopt;
        const auto head = static_cast<std::uint64_t>(at - begin);
        if (!hasPayload) return head;
        if (payload > INT32_MAX) return std::nullopt;
        if (payload <= m_most) return head + payload;
        const std::uint64_t local = localBytes(payload, m_most, m_header.usableBytes);
        if (cell + head + local + 4 > m_header.usableBytes) return std::nullopt;
        const std::uint64_t perPage = m_header.usableBytes - 4;
        m_links.overflows.push_back(
            {m_number, number32(at + local), static_cast<std::uint32_t>((payload - local + perPage - 1) / perPage)});
        return head + local + 4;
    }

    bool addChild(std::uint32_t child, std::int64_t last) {
        m_links.children.push_back({m_number, child, last});
        return child > 1;
    }

    const DbFileHeader& m_header;
    const std::uint32_t m_number;
    const std::span<const unsigned char> m_bytes;
    DbPage& m_page;
    DbPageLinks& m_links;
    const std::uint32_t m_most;  // bytes of a payload that lies on the page as a whole
};

}  // namespace

DbFileHeader DbFileHeader::of(std::span<const unsigned char> bytes) {
    static constexpr std::uint32_t kMinUsable = 480;
    DbFileHeader header;
    const std::uint32_t size = number16(&bytes[16]) == 1 ? 65536 : number16(&bytes[16]);
    if (size < 512 || !std::has_single_bit(size) || size - bytes[20] < kMinUsable) return header;
    header.pageBytes = size;
    header.usableBytes = size - bytes[20];
    // Writers of before 3.7.0 leave the number of pages as it is; the two counters tell.
    if (number32(&bytes[24]) == number32(&bytes[92])) header.pages = number32(&bytes[28]);
    header.freeList = number32(&bytes[32]);
    header.freePages = number32(&bytes[36]);
    header.hasPointerMaps = number32(&bytes[52]) != 0;
    return header;
}

DbPage checkPage(const DbFileHeader& header, std::uint32_t number, std::span<const unsigned char> bytes,
                 DbPageLinks& links) {
    DbPage page;
    page.next = number32(bytes.data());
    const std::uint32_t start = number == 1 ? kFileHeaderBytes : 0;
    page.kind = kindOf(bytes[start]);
    if (page.kind == DbPage::Kind::Other) return page;
    page.cells = static_cast<std::uint16_t>(number16(&bytes[start + 3]));
    const std::size_t children = links.children.size(), overflows = links.overflows.size();
    page.isSound = CellWalk(header, number, bytes, page, links).run(start);
    if (page.isSound) return page;
    // Where its cells are none, what it seems to point to means nothing either.
    links.overflows.resize(overflows);
    if (links.children.size() - children != std::size_t{page.cells} + 1) links.children.resize(children);
    return page;
}

}  // namespace altiscope::reader
