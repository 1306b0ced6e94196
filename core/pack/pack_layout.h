#pragma once

#include <cstdint>

namespace altiscope::pack {

// Parts of a pack as they lie in the file, in this machine's byte order (core/pack/FORMAT.md).

/// Raised when the frame changes: what stands in this header. A pack of a later version is not opened.
inline constexpr std::uint32_t kPackVersion = 1;

/// What a section holds. Numbers are part of the format; sections of other kinds are skipped.
enum class SectionKind : std::uint32_t {
    Sums = 1,         ///< JSON: sums per rank and step (pack_sums.h).
    Ranks = 2,        ///< JSON: identity, path, ranks (pack_json.h).
    Diagnostics = 3,  ///< JSON: what was wrong with the capture's files.
    Provenance = 4,   ///< JSON: the files that the pack was made of.
    Groups = 5,       ///< A store file: rows of no rank.
    Store = 6,        ///< A store file: the sealed trace and the rows of one rank.
    Arguments = 7,    ///< Arguments of one rank's records, by position.
    Results = 8,      ///< JSON: what is computed of all ranks together (result_section.h).
};

/// Number of a section that belongs to no rank.
inline constexpr std::uint32_t kNoRankNumber = 0xffffffffU;

struct FileHeader {
    static constexpr std::uint64_t kMagic = 0x4b43415049544c41;  // "ALTIPACK" in little-endian order
    std::uint64_t magic = kMagic;
    std::uint32_t version = kPackVersion;
    std::uint32_t reserved = 0;
    std::uint64_t id = 0;        ///< Stands in each section too: a section of another pack is none of this one.
    std::uint64_t checksum = 0;  ///< XXH3-64 of the header with this field 0.
};

/// Stands before a section, and in the directory. The section's table of blocks follows, then the blocks.
struct SectionHeader {
    static constexpr std::uint64_t kMagic = 0x5443455349544c41;  // "ALTISECT"
    std::uint64_t magic = kMagic;
    std::uint64_t id = 0;  ///< FileHeader::id
    std::uint32_t kind = 0;
    std::uint32_t version = 0;  ///< Of the kind's content.
    std::uint32_t rank = kNoRankNumber;
    std::uint32_t blocks = 0;
    std::uint64_t bytes = 0;          ///< Of table and blocks.
    std::uint64_t rawBytes = 0;       ///< Of the blocks' content.
    std::uint64_t tableChecksum = 0;  ///< XXH3-64
    std::uint64_t checksum = 0;       ///< XXH3-64 of the header with this field 0.
};

/// One block in a section's table.
struct BlockEntry {
    std::uint64_t key = 0;     ///< Arguments: the lowest position in it. Else the place of its content.
    std::uint64_t offset = 0;  ///< From the table's begin.
    std::uint32_t bytes = 0, rawBytes = 0;
    std::uint64_t checksum = 0;  ///< XXH3-64 of the bytes as they lie in the file.
    std::uint32_t coding = 0;    ///< block_coding.h
    std::uint32_t reserved = 0;
};

struct DirectoryEntry {
    SectionHeader section;
    std::uint64_t offset = 0;  ///< Of the section's header, from the file's begin.
};

/// The last bytes of the file; the directory stands before it.
struct Trailer {
    static constexpr std::uint64_t kMagic = 0x3152494449544c41;  // "ALTIDIR1"
    std::uint64_t magic = kMagic;
    std::uint64_t offset = 0;  ///< Of the directory.
    std::uint64_t entries = 0;
    std::uint64_t checksum = 0;  ///< XXH3-64 of the directory, then of this with this field 0.
};

/// Content of one block, at most: a record has arguments of any length.
inline constexpr std::uint32_t kMaxBlockBytes = std::uint32_t{1} << 30;
/// Content of a section of JSON, at most: it is read into a tree that takes many times its bytes.
inline constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{64} << 20;
/// Whether a section of a kind holds JSON.
constexpr bool isJson(std::uint32_t kind) {
    return (kind >= static_cast<std::uint32_t>(SectionKind::Sums) &&
            kind <= static_cast<std::uint32_t>(SectionKind::Provenance)) ||
           kind == static_cast<std::uint32_t>(SectionKind::Results);
}
/// Content that a byte of a section can justify; zeros fill up one that shrank to less.
constexpr std::uint64_t maxRatio(std::uint32_t kind) { return isJson(kind) ? 100 : 1000; }
/// Sections begin at multiples of it.
inline constexpr std::uint64_t kSectionAlignment = 8;

}  // namespace altiscope::pack
