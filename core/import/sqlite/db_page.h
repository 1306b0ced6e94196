#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope::reader {

/// Facts of the pages in the first 100 bytes of a database. Source: sqlite.org/fileformat2.html section 1.3.
struct DbFileHeader {
    std::uint32_t pageBytes = 0;    ///< 0: the header makes no sense.
    std::uint32_t usableBytes = 0;  ///< Usable bytes of a page.
    std::uint32_t pages = 0;        ///< 0: not stated, the file's size counts.
    std::uint32_t freeList = 0, freePages = 0;
    bool hasPointerMaps = false;

    /// @param bytes  The first ones of the file, at least 100.
    static DbFileHeader of(std::span<const unsigned char> bytes);
};

/// One page, looked at without knowing whose it is.
struct DbPage {
    enum class Kind : std::uint8_t { Other, TableLeaf, TableInner, IndexLeaf, IndexInner };
    Kind kind = Kind::Other;
    bool isSound = false;  ///< Its cells fill it exactly, and the row ids of a table ascend.
    std::uint16_t cells = 0;
    std::uint32_t next = 0;             ///< The first four bytes: the next page of a chain.
    std::int64_t first = 0, last = -1;  ///< Row ids of a table's cells.

    bool isLeaf() const { return kind == Kind::TableLeaf || kind == Kind::IndexLeaf; }
    bool isOfTable() const { return kind == Kind::TableLeaf || kind == Kind::TableInner; }
};

/// Links from pages to others.
struct DbPageLinks {
    struct Child {
        std::uint32_t page, child;
        std::int64_t last;  ///< In a table: no row id below is greater.
    };
    struct Overflow {
        std::uint32_t page, first, pages;
    };
    std::vector<Child> children;  ///< In the order of the keys.
    std::vector<Overflow> overflows;
};

/// Looks at a page of a b-tree: some nanoseconds per cell. Nothing in it is trusted.
/// @param number  From 1.
/// @param bytes   header.pageBytes.
DbPage checkPage(const DbFileHeader& header, std::uint32_t number, std::span<const unsigned char> bytes,
                 DbPageLinks& links);

}  // namespace altiscope::reader
