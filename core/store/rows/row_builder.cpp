#include "core/store/rows/row_builder.h"

#include "core/base/memory/freed_memory.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace altiscope {

namespace {

RowCell cellOf(RowKind kind, std::size_t column) {
    const auto fixed = rowColumns(kind);
    return column < fixed.size() ? fixed[column].cell : RowCell::Real;
}

/// Appends the cells of a part. @param finalText  Ids of texts by provisional ones; null: they stay provisional.
void appendPart(const RowTablesBuilder::Packed& part, std::size_t column, RowCell cell,
                const std::vector<StringId>* finalText, ColumnPacker& packer) {
    std::int64_t cells[RowBlock::kBlock];
    std::array<std::uint8_t, RowBlock::kBlock> scales{};
    for (std::size_t row = 0, block = 0; row < part.rows; row += RowBlock::kBlock, ++block) {
        const std::span<std::int64_t> out(cells, std::min(RowBlock::kBlock, part.rows - row));
        // The result of packing its cells again.
        if (cell != RowCell::Text && column < part.columns.size() &&
            packer.appendBlock(part.columns[column], block, out.size()))
            continue;
        if (column < part.columns.size()) scales.fill(unpackBlock(part.columns[column], block, out));
        else std::fill(out.begin(), out.end(), kNoCell);
        if (cell == RowCell::Text && finalText != nullptr) {
            for (std::int64_t& id : out) {
                if (id != kNoCell) id = (*finalText)[static_cast<std::size_t>(id)].value;
            }
        }
        packer.append(out, std::span(scales).first(out.size()));
    }
}

/// One column of a kind from all of its parts, whose memory is given back on the way.
PackedColumn joined(std::vector<RowTablesBuilder::Packed>& parts, RowKind kind, std::size_t column,
                    const std::vector<StringId>& finalText) {
    const RowCell cell = cellOf(kind, column);
    // Blocks of one part alone are what packing its cells again would give, see scaleReals.
    if (parts.size() == 1 && cell != RowCell::Text && column < parts.front().columns.size())
        return std::exchange(parts.front().columns[column], {});
    std::size_t bytes = 0;
    for (const auto& part : parts) {
        if (column < part.columns.size()) bytes += part.columns[column].bytes.bytes();
    }
    ColumnPacker packer(cell, bytes);
    for (auto& part : parts) {
        appendPart(part, column, cell, &finalText, packer);
        if (column < part.columns.size()) part.columns[column] = {};
    }
    return packer.finish();
}

/// Makes one of the last parts where they are small. A folder may hold a hundred thousand files with a row each, which
/// as parts of their own would take much memory, and long to free. Each row is packed again some ten times.
void joinSmallParts(std::vector<RowTablesBuilder::Packed>& parts) {
    while (parts.size() > 1) {
        RowTablesBuilder::Packed& before = parts[parts.size() - 2];
        const RowTablesBuilder::Packed& last = parts.back();
        if (before.rows >= RowBlock::kBlock || last.rows >= RowBlock::kBlock || before.rows > 2 * last.rows) return;
        RowTablesBuilder::Packed both{last.kind, before.rows + last.rows, {}};
        for (std::size_t c = 0; c < std::max(before.columns.size(), last.columns.size()); ++c) {
            const RowCell cell = cellOf(last.kind, c);
            ColumnPacker packer(cell);
            appendPart(before, c, cell, nullptr, packer);
            appendPart(last, c, cell, nullptr, packer);
            both.columns.push_back(packer.finish());
        }
        before = std::move(both);
        parts.pop_back();
    }
}

}  // namespace

RowBatch::RowBatch(RowKind kind, std::size_t columns, SharedStringPool& texts)
    : m_kind(kind), m_texts(texts), m_columns(columns), m_scales(columns) {
    m_packed.reserve(columns);
    for (std::size_t c = 0; c < columns; ++c) m_packed.emplace_back(cellOf(kind, c));
}

void RowBatch::dropRow() {
    --m_rows;
    --m_open;
    for (auto& column : m_columns) column[m_open] = kNoCell;
}

void RowBatch::packOpen() {
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const bool isReal = cellOf(m_kind, c) == RowCell::Real;
        m_packed[c].append(std::span(m_columns[c]).first(m_open), std::span(m_scales[c]).first(isReal ? m_open : 0));
        std::fill_n(m_columns[c].begin(), m_open, kNoCell);
    }
    m_open = 0;
}

void RowBatch::makeRoom() {
    if (m_capacity == RowBlock::kBlock) return packOpen();
    m_capacity = std::clamp<std::size_t>(m_capacity * 2, 64, RowBlock::kBlock);
    for (auto& column : m_columns) column.resize(m_capacity, kNoCell);
    for (std::size_t c = 0; c < m_scales.size(); ++c) {
        if (cellOf(m_kind, c) == RowCell::Real) m_scales[c].resize(m_capacity, RowBlock::kRawReal);
    }
}

std::size_t RowTablesBuilder::extraColumn(RowKind kind, std::string_view name) {
    const std::lock_guard lock(m_mutex);
    auto& extras = m_kinds[static_cast<std::size_t>(kind)].extras;
    const auto found = std::find(extras.begin(), extras.end(), name);
    const auto number = static_cast<std::size_t>(found - extras.begin());
    if (found == extras.end()) extras.emplace_back(name);
    return rowColumns(kind).size() + number;
}

bool RowTablesBuilder::hasRoomForColumn(RowKind kind, std::string_view name) const {
    const std::lock_guard lock(m_mutex);
    const auto& extras = m_kinds[static_cast<std::size_t>(kind)].extras;
    return extras.size() < kMaxExtraColumns || std::find(extras.begin(), extras.end(), name) != extras.end();
}

RowBatch RowTablesBuilder::batch(RowKind kind) {
    const std::lock_guard lock(m_mutex);
    return {kind, rowColumns(kind).size() + m_kinds[static_cast<std::size_t>(kind)].extras.size(), m_texts};
}

RowTablesBuilder::Packed RowTablesBuilder::pack(RowBatch& batch) {
    Packed packed{batch.m_kind, batch.m_rows, {}};
    batch.packOpen();
    for (std::size_t c = 0; c < batch.m_packed.size(); ++c)
        packed.columns.push_back(std::exchange(batch.m_packed[c], ColumnPacker(cellOf(batch.m_kind, c))).finish());
    batch.m_rows = 0;
    return packed;
}

void RowTablesBuilder::append(Packed rows) {
    if (rows.rows == 0) return;
    const std::lock_guard lock(m_mutex);
    Kind& kind = m_kinds[static_cast<std::size_t>(rows.kind)];
    kind.rows += rows.rows;
    kind.parts.push_back(std::move(rows));
    joinSmallParts(kind.parts);
}

void RowTablesBuilder::commit(RowBatch& batch) { append(pack(batch)); }

std::size_t RowTablesBuilder::rowCount(RowKind kind) const {
    const std::lock_guard lock(m_mutex);
    return m_kinds[static_cast<std::size_t>(kind)].rows;
}

Result<std::shared_ptr<const RowTables>> RowTablesBuilder::seal(const CancelToken& cancel) {
    const std::lock_guard lock(m_mutex);
    const SharedStringPool::Sealed texts = m_texts.sealed(cancel);
    if (cancel.cancelled()) return Cancelled{};
    std::vector<RowTable> tables;
    for (std::size_t k = 0; k < kRowKinds; ++k) {
        Kind& kind = m_kinds[k];
        if (kind.rows == 0) continue;
        const auto name = static_cast<RowKind>(k);
        std::vector<PackedColumn> columns(rowColumns(name).size() + kind.extras.size());
        std::atomic<std::size_t> freed = 0;
        parallelFor(columns.size(), [&](std::size_t c) {
            if (cancel.cancelled()) return;
            columns[c] = joined(kind.parts, name, c, texts.finalId);
            // Without this the table stands in memory twice: its parts are many small pieces.
            static constexpr std::size_t kMuch = std::size_t{32} << 20;
            const std::size_t bytes = columns[c].bytes.bytes();
            const std::size_t before = freed.fetch_add(bytes);
            if ((before + bytes) / kMuch != before / kMuch) releaseFreedMemory();
        });
        if (cancel.cancelled()) return Cancelled{};
        tables.emplace_back(name, kind.rows, kind.extras, std::move(columns));
        kind = {};
    }
    if (tables.empty()) return std::shared_ptr<const RowTables>();
    return std::make_shared<const RowTables>(std::move(tables), texts.pool);
}

}  // namespace altiscope
