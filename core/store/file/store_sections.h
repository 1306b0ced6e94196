#pragma once

#include "core/base/columns/column.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// Calls visit(number, column) for every array of a store that goes into a store file as it stands. The numbers are
/// part of the file format. Tracks and the string pool's two arrays are not among them, because they need more than
/// copying.
template <class Columns, class Visit>
void visitColumns(Columns& c, Visit visit) {
    visit(1, c.begin);
    visit(2, c.duration);
    visit(3, c.selfDuration);
    visit(4, c.name);
    visit(5, c.category);
    visit(6, c.parent);
    visit(7, c.pos);
    visit(8, c.runs);
    visit(9, c.extents);
    visit(10, c.blocks);
    visit(11, c.blockPosMin);
    visit(12, c.blockPosMax);
    visit(13, c.nameStats);
    visit(14, c.series);
    visit(15, c.sampleTime);
    visit(16, c.sampleValue);
    visit(17, c.minMax);
    visit(18, c.instantTrack);
    visit(19, c.instantTime);
    visit(20, c.instantName);
    visit(21, c.instantPos);
    visit(22, c.flowPos);
    visit(23, c.flowFrom);
    visit(24, c.flowTo);
    visit(25, c.flowFromTime);
    visit(26, c.flowToTime);
    visit(27, c.flowCategory);
    visit(28, c.flowsByFrom);
    visit(29, c.flowsByTo);
    visit(30, c.colour);
}

/// Sections that are no plain columns.
enum class StoreSection : std::uint32_t {
    TextOffsets = 100,
    TextBytes = 101,
    Tracks = 102,
    Note = 103,
    RowDirectory = 200,  ///< Which row tables there are (row_blob.h); absent if there are none.
    RowTextOffsets = 201,
    RowTextBytes = 202,
    RowColumns = 1000,  ///< Two sections per column of all row tables, in their order: its blocks, its bytes.
};

/// Place of one section in the file.
struct SectionEntry {
    std::uint32_t number = 0;
    std::uint32_t elementSize = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;  ///< XXH3-64 of the bytes.
};

/// First bytes of a store file; the table of sections follows.
struct StoreFileHeader {
    static constexpr std::uint64_t kMagic = 0x31524F5453544C41;  // "ALTSTOR1" in little-endian order
    std::uint64_t magic = kMagic;                                ///< Wrong on a machine of the other byte order too.
    std::uint32_t version = 0;
    std::uint32_t sections = 0;
    std::uint64_t fileSize = 0;
    std::uint64_t checksum = 0;  ///< XXH3-64 of the header with this field 0, and the table.
};

/// First bytes of a StorePack.
struct PackHeader {
    static constexpr std::uint64_t kMagic = 0x314B4341504C4154;  // "TALPACK1" in little-endian order
    std::uint64_t magic = kMagic;
    std::uint32_t version = 0;
    std::uint32_t entries = 0;
    std::uint64_t noteBytes = 0;
    std::uint64_t fileSize = 0;
    std::uint64_t checksum = 0;  ///< XXH3-64 of what stands before the entries, with this field 0.
};

/// Bytes of a store file that are worked on before somebody asks whether to go on: some ms, also of a slow disk.
inline constexpr std::size_t kStoreBlockBytes = std::size_t{4} << 20;

/// SectionEntry::checksum of a section; nullopt if it was cancelled.
std::optional<std::uint64_t> storeChecksum(std::string_view bytes, const CancelToken& cancel);

}  // namespace altiscope
