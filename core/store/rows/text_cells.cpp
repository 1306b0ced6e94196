#include "core/store/rows/text_cells.h"

#include <algorithm>
#include <cstring>

namespace altiscope {

namespace {

/// Numbers of texts have 32 bits: so have distances between them, and sums with these.
template <class Unsigned>
void readTexts(const char* bytes, const RowBlock& block, std::span<std::uint32_t> out) {
    const auto min = static_cast<std::uint32_t>(block.min);
    Unsigned distance = 0;
    if (block.nulls == RowBlock::Nulls::Some) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::memcpy(&distance, bytes + i * sizeof distance, sizeof distance);
            out[i] = distance == 0 ? kNoTextCell : min + static_cast<std::uint32_t>(distance) - 1;
        }
        return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::memcpy(&distance, bytes + i * sizeof distance, sizeof distance);
        out[i] = min + static_cast<std::uint32_t>(distance);
    }
}

}  // namespace

void unpackTexts(const PackedColumn& column, std::size_t number, std::span<std::uint32_t> out) {
    const RowBlock& block = column.blocks[number];
    const char* bytes = column.bytes.span().data() + block.offset;
    if (block.nulls == RowBlock::Nulls::All) return std::fill(out.begin(), out.end(), kNoTextCell);
    switch (block.width) {
    case 1: return readTexts<std::uint8_t>(bytes, block, out);
    case 2: return readTexts<std::uint16_t>(bytes, block, out);
    case 4: return readTexts<std::uint32_t>(bytes, block, out);
    default: std::fill(out.begin(), out.end(), static_cast<std::uint32_t>(block.min));
    }
}

}  // namespace altiscope
