#include "core/store/row_pack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace altiscope {

namespace {

/// More digits behind the point come from sums of doubles; such values rarely have a short form.
constexpr std::uint8_t kMaxScale = 9;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

/// The integer whose quotient by 10^scale is exactly `value`.
std::optional<std::int64_t> scaled(double value, std::uint8_t scale) {
    const double product = value * kPowers[scale];
    if (!(std::abs(product) < kExactIntegers)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(product < 0 ? product - 0.5 : product + 0.5);
    // Both operands are exact, so the quotient is the double that the decimal text stands for.
    if (static_cast<double>(whole) / kPowers[scale] != value) return std::nullopt;
    return whole;
}

/// Multiplies integers by 10^by; false if one becomes greater than a double can tell from its neighbours.
bool rescale(std::span<std::int64_t> integers, int by) {
    const auto factor = static_cast<std::int64_t>(kPowers[by]);
    const std::int64_t limit = static_cast<std::int64_t>(kExactIntegers) / factor;
    for (std::int64_t& integer : integers) {
        if (integer == kNoCell) continue;
        if (integer >= limit || integer <= -limit) return false;
        integer *= factor;
    }
    return true;
}

/// Turns bits of doubles into scaled integers, in place, by the least scale that fits all of them.
std::uint8_t scaleReals(std::span<std::int64_t> cells) {
    std::int64_t integers[RowBlock::kBlock];
    std::uint8_t scale = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == kNoCell) {
            integers[i] = kNoCell;
            continue;
        }
        const auto value = std::bit_cast<double>(cells[i]);
        auto whole = scaled(value, scale);
        if (!whole) {
            const std::uint8_t before = scale;
            while (!whole) {
                if (++scale > kMaxScale) return RowBlock::kRawReal;
                whole = scaled(value, scale);
            }
            if (!rescale(std::span(integers).first(i), scale - before)) return RowBlock::kRawReal;
        }
        integers[i] = *whole;
    }
    std::copy_n(integers, cells.size(), cells.begin());
    return scale;
}

template <class Unsigned>
void writeDistances(std::span<const std::int64_t> cells, std::int64_t least, bool withNulls, char* out) {
    for (const std::int64_t cell : cells) {
        std::uint64_t distance = 0;
        if (cell != kNoCell) distance = static_cast<std::uint64_t>(cell) - static_cast<std::uint64_t>(least) + (withNulls ? 1U : 0U);
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
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(block.least) + distance);
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

}  // namespace

double powerOfTen(std::uint8_t scale) { return kPowers[scale]; }

ColumnPacker::ColumnPacker(RowCell cell, std::size_t expectedBytes) : m_cell(cell) {
    m_bytes.reserve(expectedBytes);
}

void ColumnPacker::append(std::span<const std::int64_t> cells) {
    while (!cells.empty()) {
        if (m_open.empty() && cells.size() >= RowBlock::kBlock) {
            packBlock(cells.first(RowBlock::kBlock));
            cells = cells.subspan(RowBlock::kBlock);
            continue;
        }
        const std::size_t taken = std::min(cells.size(), RowBlock::kBlock - m_open.size());
        m_open.insert(m_open.end(), cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(taken));
        cells = cells.subspan(taken);
        if (m_open.size() < RowBlock::kBlock) continue;
        packBlock(m_open);
        m_open.clear();
    }
}

void ColumnPacker::packBlock(std::span<const std::int64_t> given) {
    std::int64_t cells[RowBlock::kBlock];
    std::copy(given.begin(), given.end(), cells);
    const std::span<std::int64_t> values(cells, given.size());
    RowBlock block;
    block.offset = m_bytes.size();
    if (m_cell == RowCell::Real) block.scale = scaleReals(values);
    std::size_t nulls = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), greatest = kNoCell;
    for (const std::int64_t cell : values) {
        if (cell == kNoCell) {
            ++nulls;
            continue;
        }
        least = std::min(least, cell);
        greatest = std::max(greatest, cell);
    }
    block.absent = static_cast<std::uint16_t>(nulls);
    if (nulls == values.size()) {
        block.nulls = RowBlock::Nulls::All;
    } else {
        const bool withNulls = nulls > 0;
        block.nulls = withNulls ? RowBlock::Nulls::Some : RowBlock::Nulls::None;
        block.least = least;
        block.greatest = greatest;
        const std::uint64_t range = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
        block.width = range > 0xfffffffeU ? 8 : widthOf(range + (withNulls ? 1U : 0U));
        m_bytes.resize(m_bytes.size() + values.size() * block.width);
        char* out = m_bytes.data() + block.offset;
        switch (block.width) {
        case 1: writeDistances<std::uint8_t>(values, least, withNulls, out); break;
        case 2: writeDistances<std::uint16_t>(values, least, withNulls, out); break;
        case 4: writeDistances<std::uint32_t>(values, least, withNulls, out); break;
        case 8: std::memcpy(out, values.data(), values.size_bytes()); break;
        default: break;
        }
    }
    m_blocks.push_back(block);
}

PackedColumn ColumnPacker::finish() {
    if (!m_open.empty()) packBlock(m_open);
    m_open.clear();
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
    default: return block.least;
    }
}

void unpackBlock(const PackedColumn& column, std::size_t number, RowCell cell, std::span<std::int64_t> out) {
    const RowBlock& block = column.blocks[number];
    if (block.nulls == RowBlock::Nulls::All) return std::fill(out.begin(), out.end(), kNoCell);
    const char* bytes = column.bytes.span().data() + block.offset;
    switch (block.width) {
    case 1: readDistances<std::uint8_t>(bytes, block, out); break;
    case 2: readDistances<std::uint16_t>(bytes, block, out); break;
    case 4: readDistances<std::uint32_t>(bytes, block, out); break;
    case 8: std::memcpy(out.data(), bytes, out.size_bytes()); break;
    default: std::fill(out.begin(), out.end(), block.least);
    }
    if (cell != RowCell::Real || block.scale == RowBlock::kRawReal) return;
    for (std::int64_t& value : out) {
        if (value != kNoCell) value = std::bit_cast<std::int64_t>(static_cast<double>(value) / kPowers[block.scale] + 0.0);
    }
}

}  // namespace altiscope
