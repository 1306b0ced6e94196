#include "core/analysis/kernels/kernel_signatures.h"

#include "core/store/rows/row_pack.h"

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kernelColumnOf(std::string_view name) { return rowColumn(RowKind::Kernel, name); }

/// Signatures and steps of the kernels of a table; a block is unpacked once for all its rows.
class SignatureReader {
public:
    explicit SignatureReader(const RowTable& table) : m_table(table) {}

    RawSignature signatureAt(std::size_t row) {
        const std::size_t block = row / RowBlock::kBlock;
        if (block != m_block) load(block);
        const std::size_t i = row % RowBlock::kBlock;
        return {.name = m_names[i], .type = m_types[i], .core = m_cores[i], .shapes = m_shapes[i], .kind = m_kinds[i]};
    }
    /// @pre signatureAt(row) was the last call.
    std::int64_t stepAt(std::size_t row) const { return m_steps[row % RowBlock::kBlock]; }

private:
    using Texts = std::array<std::uint32_t, RowBlock::kBlock>;

    void load(std::size_t block) {
        m_block = block;
        const std::size_t rows = std::min(RowBlock::kBlock, m_table.size() - block * RowBlock::kBlock);
        const auto unpack = [&](std::size_t column, Texts& texts) {
            unpackTexts(m_table.columns()[column], block, {texts.data(), rows});
        };
        unpack(kernelColumnOf("name"), m_names);
        unpack(kernelColumnOf("type"), m_types);
        unpack(kernelColumnOf("accelerator_core"), m_cores);
        unpack(kernelColumnOf("input_shapes"), m_shapes);
        unpack(kernelColumnOf("kind"), m_kinds);
        unpackBlock(m_table.columns()[kernelColumnOf("step")], block, {m_steps.data(), rows});
    }

    const RowTable& m_table;
    std::size_t m_block = std::numeric_limits<std::size_t>::max();
    Texts m_names{}, m_types{}, m_cores{}, m_shapes{}, m_kinds{};
    std::array<std::int64_t, RowBlock::kBlock> m_steps{};
};

}  // namespace

void SignatureNumbers::grow() {
    m_slots.assign(std::max<std::size_t>(4096, m_slots.size() * 4), kFree);
    for (std::uint32_t i = 0; i < m_keys.size(); ++i) {
        std::size_t at = slotOf(m_keys[i]);
        while (m_slots[at] != kFree) at = (at + 1) & (m_slots.size() - 1);
        m_slots[at] = i;
    }
}

PieceSignatures readSignatures(const RowTable& table, const FilteredRows& rows, const IndexPiece& piece,
                               std::span<std::uint32_t> numbers) {
    SignatureReader reader(table);
    PieceSignatures read;
    SignatureNumbers known;
    std::int64_t lastStep = kNoCell;
    for (std::size_t i = piece.first; i < piece.last; ++i) {
        const std::uint32_t row = rows[i];
        numbers[i - piece.first] = known.number(reader.signatureAt(row));
        const std::int64_t step = reader.stepAt(row);
        if (std::exchange(lastStep, step) != step && step != kNoCell) read.steps.insert(step);
    }
    read.keys = known.keys();
    return read;
}

}  // namespace altiscope
