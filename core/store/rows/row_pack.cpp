#include "core/store/rows/row_pack.h"

#include "core/store/rows/real_cells.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace altiscope {

namespace {

template <class Unsigned>
void writeDistances(std::span<const std::int64_t> cells, std::int64_t min, bool withNulls, char* out) {
    for (const std::int64_t cell : cells) {
        std::uint64_t distance = 0;
        if (cell != kNoCell)
            distance = static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(min) + (withNulls ? 1U : 0U);
        const auto narrow = static_cast<Unsigned>(distance);
        std::memcpy(out, &narrow, sizeof narrow);
        out += sizeof narrow;
    }
}

template <class Unsigned>
std::int64_t readDistance(const char* bytes, std::size_t place, const RowBlock& block) {
    Unsigned distance = 0;
    std::memcpy(&distance, bytes + place * sizeof distance, sizeof distance);
    if (block.nulls == RowBlock::Nulls::Some) {
        if (distance == 0) return kNoCell;
        --distance;
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(block.min) + distance);
}

template <class Unsigned>
void readDistances(const char* bytes, const RowBlock& block, std::span<std::int64_t> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = readDistance<Unsigned>(bytes, i, block);
}

std::uint8_t widthOf(std::uint64_t distance) {
    if (distance == 0) return 0;
    if (distance <= 0xffU) return 1;
    if (distance <= 0xffffU) return 2;
    return distance <= 0xffffffffU ? 4 : 8;
}

void packBlock(std::span<const std::int64_t> values, std::uint8_t scale, std::vector<RowBlock>& blocks,
               std::vector<char>& bytes) {
    RowBlock block;
    block.offset = bytes.size();
    block.scale = scale;
    std::size_t nulls = 0;
    std::int64_t min = std::numeric_limits<std::int64_t>::max(), max = kNoCell;
    for (const std::int64_t cell : values) {
        if (cell == kNoCell) {
            ++nulls;
            continue;
        }
        min = std::min(min, cell);
        max = std::max(max, cell);
    }
    block.absent = static_cast<std::uint16_t>(nulls);
    if (nulls == values.size()) {
        block.nulls = RowBlock::Nulls::All;
    } else {
        const bool withNulls = nulls > 0;
        block.nulls = withNulls ? RowBlock::Nulls::Some : RowBlock::Nulls::None;
        block.min = min;
        block.max = max;
        const std::uint64_t range = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min);
        block.width = range > 0xfffffffeU ? 8 : widthOf(range + (withNulls ? 1U : 0U));
        bytes.resize(bytes.size() + values.size() * block.width);
        char* out = bytes.data() + block.offset;
        switch (block.width) {
        case 1: writeDistances<std::uint8_t>(values, min, withNulls, out); break;
        case 2: writeDistances<std::uint16_t>(values, min, withNulls, out); break;
        case 4: writeDistances<std::uint32_t>(values, min, withNulls, out); break;
        case 8: std::memcpy(out, values.data(), values.size_bytes()); break;
        default: break;
        }
    }
    blocks.push_back(block);
}

}  // namespace

ColumnPacker::ColumnPacker(RowCell cell, std::size_t expectedBytes) : m_cell(cell) { m_bytes.reserve(expectedBytes); }

void ColumnPacker::append(std::span<const std::int64_t> cells, std::span<const std::uint8_t> scales) {
    while (!cells.empty()) {
        // Reals are brought to one scale first.
        if (m_open.empty() && cells.size() >= RowBlock::kBlock && m_cell != RowCell::Real) {
            packBlock(cells.first(RowBlock::kBlock), 0, m_blocks, m_bytes);
            cells = cells.subspan(RowBlock::kBlock);
            continue;
        }
        const std::size_t taken = std::min(cells.size(), RowBlock::kBlock - m_open.size());
        m_open.insert(m_open.end(), cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(taken));
        cells = cells.subspan(taken);
        if (m_cell == RowCell::Real) {
            const auto after = static_cast<std::ptrdiff_t>(std::min(taken, scales.size()));
            m_openScales.insert(m_openScales.end(), scales.begin(), scales.begin() + after);
            m_openScales.resize(m_open.size(), RowBlock::kRawReal);
            scales = scales.subspan(static_cast<std::size_t>(after));
        }
        if (m_open.size() == RowBlock::kBlock) packOpen();
    }
}

void ColumnPacker::packOpen() {
    const std::uint8_t scale = m_cell == RowCell::Real ? scaleReals(m_open, m_openScales) : std::uint8_t{0};
    packBlock(m_open, scale, m_blocks, m_bytes);
    m_open.clear();
    m_openScales.clear();
}

bool ColumnPacker::appendBlock(const PackedColumn& column, std::size_t block, std::size_t rows) {
    if (rows != RowBlock::kBlock || !m_open.empty()) return false;
    RowBlock own = column.blocks[block];
    const std::size_t bytes = own.nulls == RowBlock::Nulls::All ? 0 : rows * own.width;
    const char* first = column.bytes.span().data() + own.offset;
    own.offset = m_bytes.size();
    m_bytes.insert(m_bytes.end(), first, first + bytes);
    m_blocks.push_back(own);
    return true;
}

PackedColumn ColumnPacker::finish() {
    if (!m_open.empty()) packOpen();
    if (m_bytes.capacity() > m_bytes.size() + m_bytes.size() / 8) m_bytes.shrink_to_fit();
    return {Column(std::move(m_blocks)), Column(std::move(m_bytes))};
}

std::int64_t packedCell(const PackedColumn& column, const RowBlock& block, std::size_t place) {
    if (block.nulls == RowBlock::Nulls::All) return kNoCell;
    const char* bytes = column.bytes.span().data() + block.offset;
    switch (block.width) {
    case 1: return readDistance<std::uint8_t>(bytes, place, block);
    case 2: return readDistance<std::uint16_t>(bytes, place, block);
    case 4: return readDistance<std::uint32_t>(bytes, place, block);
    case 8: {
        std::int64_t value = 0;
        std::memcpy(&value, bytes + place * sizeof value, sizeof value);
        return value;
    }
    default: return block.min;
    }
}

std::uint8_t unpackBlock(const PackedColumn& column, std::size_t number, std::span<std::int64_t> out) {
    const RowBlock& block = column.blocks[number];
    const char* bytes = column.bytes.span().data() + block.offset;
    if (block.nulls == RowBlock::Nulls::All) {
        std::fill(out.begin(), out.end(), kNoCell);
        return block.scale;
    }
    switch (block.width) {
    case 1: readDistances<std::uint8_t>(bytes, block, out); break;
    case 2: readDistances<std::uint16_t>(bytes, block, out); break;
    case 4: readDistances<std::uint32_t>(bytes, block, out); break;
    case 8: std::memcpy(out.data(), bytes, out.size_bytes()); break;
    default: std::fill(out.begin(), out.end(), block.min);
    }
    return block.scale;
}

}  // namespace altiscope
