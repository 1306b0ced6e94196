#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/rows/row_pack.h"
#include "core/store/rows/row_table.h"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

class RowTablesBuilder;

/// Some rows of one kind on their way in; filled by one worker, then committed. Columns are numbers of rowColumn(kind,
/// name), and after them those of RowTablesBuilder::extraColumn. A cell that is not set is absent (NULL).
class RowBatch {
public:
    RowKind kind() const { return m_kind; }
    std::size_t size() const { return m_rows; }

    void addRow() {
        if (m_open == m_capacity) makeRoom();
        ++m_open;
        ++m_rows;
    }
    /// Takes the newest row back.
    void dropRow();
    /// Cells of the newest row. `value` must not be kNoCell. Also for Slice columns (SliceIndex).
    void setInteger(std::size_t column, std::int64_t value) { m_columns[column][m_open - 1] = value; }
    /// `value` must be finite.
    void setReal(std::size_t column, double value) {
        // The sum makes -0, whose bits are kNoCell, a 0.
        m_columns[column][m_open - 1] = std::bit_cast<std::int64_t>(value + 0.0);
        m_scales[column][m_open - 1] = RowBlock::kRawReal;
    }
    /// The real digits / 10^scale, without the way through a double. At most fifteen digits, scale at most
    /// RowBlock::kMaxScale.
    void setDecimal(std::size_t column, std::int64_t digits, std::uint8_t scale) {
        m_columns[column][m_open - 1] = digits;
        m_scales[column][m_open - 1] = scale;
    }
    void setText(std::size_t column, std::string_view text) { m_columns[column][m_open - 1] = m_texts.id(text); }
    /// Id of a text for setTextId, for texts that recur in every row.
    std::int64_t textId(std::string_view text) { return m_texts.id(text); }
    void setTextId(std::size_t column, std::int64_t id) { m_columns[column][m_open - 1] = id; }
    /// Makes a cell of the newest row absent again.
    void unset(std::size_t column) { m_columns[column][m_open - 1] = kNoCell; }
    /// A cell of the newest row, as it was set: an integer, the id of a text, or kNoCell.
    std::int64_t cell(std::size_t column) const { return m_columns[column][m_open - 1]; }
    bool isSet(std::size_t column) const { return m_columns[column][m_open - 1] != kNoCell; }

private:
    friend class RowTablesBuilder;
    RowBatch(RowKind kind, std::size_t columns, SharedStringPool& texts);
    void makeRoom();
    void packOpen();

    RowKind m_kind;
    SharedStringPool::Cache m_texts;
    std::size_t m_rows = 0;
    // Full blocks are packed at once: cells stay in the processor's cache, and memory small.
    std::vector<ColumnPacker> m_packed;
    std::size_t m_open = 0, m_capacity = 0;            // rows that are not packed yet, at most a block
    std::vector<std::vector<std::int64_t>> m_columns;  // of these; texts by provisional id
    std::vector<std::vector<std::uint8_t>> m_scales;   // of these in columns of reals, see scaleReals
};

/// The only door by which summary rows of a rank come into a store. Thread-safe.
///
/// A reader requests batches, fills them on any workers, and commits them in the order of its source: rows keep that
/// order. What is committed is packed at once, so that memory holds about what the sealed tables take.
class RowTablesBuilder {
public:
    RowTablesBuilder() = default;

    /// Number of the further real column of that name, which is made if it is not there. Before the batches that use
    /// it.
    std::size_t extraColumn(RowKind kind, std::string_view name);
    /// Whether a further column of that name is there, or may still be made: of many files each could name others, and
    /// every row has a cell in all of them.
    static constexpr std::size_t kMaxExtraColumns = 1024;
    bool hasRoomForColumn(RowKind kind, std::string_view name) const;
    /// An empty batch with the columns of now.
    RowBatch batch(RowKind kind);
    /// Appends the rows of a batch and empties it for more. The workers may pack several batches at a time and append
    /// them in order: pack() on any worker, append() in the order of the source.
    void commit(RowBatch& batch);

    /// Rows as they are kept until the seal.
    struct Packed {
        RowKind kind = RowKind::Operator;
        std::size_t rows = 0;
        std::vector<PackedColumn> columns;
    };
    /// Packs and empties a batch. Any worker. O(cells).
    static Packed pack(RowBatch& batch);
    void append(Packed rows);

    std::size_t rowCount(RowKind kind) const;

    /// Ends the building: one table per kind that has rows. Equal rows give equal tables, whatever the batches were.
    /// Uses all workers of the arena. Null if there are no rows at all.
    Result<std::shared_ptr<const RowTables>> seal(const CancelToken& cancel);

private:
    struct Kind {
        std::vector<std::string> extras;
        std::vector<Packed> parts;
        std::size_t rows = 0;
    };
    mutable std::mutex m_mutex;
    SharedStringPool m_texts;
    std::array<Kind, kRowKinds> m_kinds;
};

}  // namespace altiscope
