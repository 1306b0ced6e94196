#pragma once

#include "core/base/columns/column.h"
#include "core/base/columns/string_pool.h"
#include "core/store/rows/row_kinds.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// An absent cell, as plain integers hold it. Readers refuse this value as out of range.
inline constexpr std::int64_t kNoCell = std::numeric_limits<std::int64_t>::min();

/// Summary of kBlock neighbouring cells of a column: their min, and each one's distance from it in as few
/// bytes as the largest needs. Reals are decimal numbers of few digits nearly always and are kept as such where that
/// is exact.
struct RowBlock {
    static constexpr std::size_t kBlock = 1024;  ///< Rows; the last block of a column may have fewer.
    /// More digits after the point come from sums of doubles; such values rarely have a short form.
    static constexpr std::uint8_t kMaxScale = 9;
    static constexpr std::uint8_t kRawReal = 255;  ///< In `scale`: the integers are the bits of doubles.

    enum class Nulls : std::uint8_t {
        None,
        Some,  ///< Distance 0 is an absent cell, the others are one greater. With a width of 8: kNoCell is.
        All,
    };

    std::uint64_t offset = 0;  ///< Offset of the first cell in the column's bytes.
    std::int64_t min = 0;  ///< Without absent cells, as plain integer. With a width of 8 cells are kept as they are.
    std::int64_t max = 0;
    std::uint8_t width = 0;  ///< Bytes of a cell: 0, 1, 2, 4 or 8.
    std::uint8_t scale = 0;  ///< Reals: value = integer / 10^scale.
    Nulls nulls = Nulls::None;
    std::uint8_t unused = 0;
    std::uint16_t absent = 0;  ///< How many cells are.
    std::uint8_t unusedToo[2] = {};
};

/// Cells of one column.
struct PackedColumn {
    Column<RowBlock> blocks;
    Column<char> bytes;
};

/// Rows of one kind and rank, in the order of their source: constant, so any thread may read without locks.
class RowTable {
public:
    /// @param extras   Names of the columns after rowColumns(kind); all real.
    /// @param columns  One per column, each with all rows.
    RowTable(RowKind kind, std::size_t rows, std::vector<std::string> extras, std::vector<PackedColumn> columns);

    RowKind kind() const { return m_kind; }
    std::size_t size() const { return m_rows; }
    std::size_t columnCount() const { return m_columns.size(); }
    /// Names of the further columns; the first of them is column number rowColumns(kind()).size().
    const std::vector<std::string>& extras() const { return m_extras; }

    /// A cell of an Integer or Slice column, or the pool id of a text; nullopt if it is absent. O(1).
    std::optional<std::int64_t> integer(std::size_t column, std::size_t row) const {
        const std::int64_t value = plain(column, row);
        return value == kNoCell ? std::nullopt : std::optional(value);
    }
    std::optional<double> real(std::size_t column, std::size_t row) const;
    std::optional<StringId> text(std::size_t column, std::size_t row) const {
        const std::int64_t value = plain(column, row);
        return value == kNoCell ? std::nullopt : std::optional(StringId{static_cast<std::uint32_t>(value)});
    }

    /// A block of a column; its min and max value let a search pass over it.
    const RowBlock& block(std::size_t column, std::size_t row) const {
        return m_columns[column].blocks[row / RowBlock::kBlock];
    }
    const std::vector<PackedColumn>& columns() const { return m_columns; }
    /// How many cells of a column are not absent. O(blocks).
    std::size_t presentCount(std::size_t column) const;

private:
    std::int64_t plain(std::size_t column, std::size_t row) const;

    RowKind m_kind;
    std::size_t m_rows;
    std::vector<std::string> m_extras;
    std::vector<PackedColumn> m_columns;
};

/// All summary rows of one rank (or, for kinds without rank, of a capture), with their texts. Constant.
class RowTables {
public:
    RowTables(std::vector<RowTable> tables, StringPool texts)
        : m_tables(std::move(tables)), m_texts(std::move(texts)) {}

    /// Null if there are no rows of the kind.
    const RowTable* find(RowKind kind) const;
    /// By kind.
    const std::vector<RowTable>& tables() const { return m_tables; }
    const StringPool& texts() const { return m_texts; }
    std::string_view text(StringId id) const { return m_texts.text(id); }

    /// A copy in which one column of a kind has other values (kNoCell: absent), one per row. Shares everything else.
    RowTables with(RowKind kind, std::size_t column, const std::vector<std::int64_t>& values) const;

private:
    std::vector<RowTable> m_tables;
    StringPool m_texts;
};

}  // namespace altiscope
