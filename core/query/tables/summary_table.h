#pragma once

#include "core/query/tables/virtual_table.h"
#include "core/store/rows/row_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// The kind of rows of a SQL table; nullopt if it shows no summary rows.
std::optional<RowKind> summaryKind(std::string_view table);

/// Rows of one kind and rank.
struct SummaryPart {
    RankIndex rank{};  ///< The first one for rows of no rank.
    const RowTables* tables = nullptr;
    const RowTable* table = nullptr;
    bool isComputed = false;
    /// Number of the first row among all of the rank and kind: computed rows follow recorded ones.
    std::size_t firstRow = 0;
};
/// All recorded rows of a kind, by rank.
std::vector<SummaryPart> summaryParts(const CaptureStore& capture, RowKind kind);

/// Row ids name the rank and the row, so that they do not depend on what else is loaded. Counted from 1 within rank 0.
constexpr int kSummaryRowBits = 40;
constexpr std::int64_t summaryRowid(RankIndex rank, std::size_t row) {
    return (std::int64_t{rank.value} << kSummaryRowBits) + static_cast<std::int64_t>(row) + 1;
}

/// A SQL table whose rows are those of a kind. Looked up are rank_id, rowid, name, ts, origin, and
/// the keys that joins lead by: slices, steps, instances of collectives. Computed rows are
/// computed when they are first needed; a query for recorded ones alone, or for other ranks, does not.
class SummaryTable {
public:
    class Cursor;

    SummaryTable(const TableInfo& info, const QueryContext& context);

    std::span<const Lookup> lookups() const { return m_lookups; }
    Lookup rowidLookup() const { return Lookup::Id; }
    void plan(IndexRequest& request) const;

    const QueryContext& context() const { return m_context; }
    const std::vector<SummaryPart>& parts() const { return m_parts; }
    /// Numbers in the SQL table; below -1 where it has no such column.
    int rankColumn() const { return m_rankColumn; }
    int timeColumn() const { return m_timeColumn; }
    int textColumn() const { return m_textColumn; }
    int originColumn() const { return m_originColumn; }
    /// Collectives over ranks, which no row holds; below -1 likewise.
    int instanceColumn() const { return m_instanceColumn; }
    /// Why rows of steps do not count, which no row holds either; likewise.
    int omissionColumn() const { return m_omissionColumn; }
    /// Columns that joins lead by, the most telling first.
    std::span<const int> keyColumns() const { return m_keyColumns; }
    /// Whether the rows of a key's column hold slices.
    bool holdsSlices(int column) const;
    RowKind kind() const { return m_kind; }
    std::string_view columnName(int number) const { return m_columns[static_cast<std::size_t>(number)].name; }
    /// Columns of the SQL table before those of the row table.
    int offset() const { return m_rankColumn == 0 ? 1 : 0; }

private:
    const QueryContext& m_context;
    std::span<const ColumnInfo> m_columns;
    std::vector<Lookup> m_lookups;
    std::vector<SummaryPart> m_parts;  // none is empty
    std::vector<int> m_keyColumns;
    RowKind m_kind;
    int m_rankColumn, m_timeColumn, m_textColumn, m_originColumn, m_instanceColumn, m_omissionColumn;
    double m_rows = 0;
};

class SummaryTable::Cursor {
public:
    explicit Cursor(const SummaryTable& table) : m_table(table), m_poll(table.context().cancel) {}

    int filter(int mode, const Conditions& conditions);
    bool canLookUp(int column) const { return m_table.holdsSlices(column); }
    int lookUp(int column, std::optional<std::int64_t> slice);
    int next();
    bool atEnd() const { return m_part == m_parts.size(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_parts[m_part].rank; }
    std::int64_t rowid() const { return rowidOf(m_parts[m_part], m_row); }

private:
    static std::int64_t rowidOf(const SummaryPart& part, std::size_t row) {
        return summaryRowid(part.rank, part.firstRow + row);
    }
    /// Adds the computed rows of the ranks in question; false if cancelled.
    bool addComputed(const IntegerSet& ranks);
    /// Of a row of a part; nullopt where there is none, or once it was cancelled.
    std::optional<std::int64_t> instanceOf(const SummaryPart& part, std::size_t row) const;
    void instance(sqlite3_context* context) const;
    void whyOmitted(sqlite3_context* context) const;
    void further(sqlite3_context* context, int number) const;
    void typesOfSlice(sqlite3_context* context, const SummaryPart& part) const;
    /// Whether a part may hold rows with the rowids in question.
    bool hasRowids(const SummaryPart& part) const;
    /// Goes on to the first row from here on that fits.
    int settle();
    /// Within the part; SQLITE_DONE where it has none.
    int settleAmongRows();
    int settleAmongCandidates();
    /// @return False if cancelled.
    bool enterPart();
    /// Takes the conditions on keys, of which the first one leads.
    void takeKeys(const Conditions& conditions);
    /// Whether no row of a rank can satisfy the leading condition.
    bool isRankWithout(RankIndex rank) const;
    /// Fills m_candidates for the part. @return False if cancelled.
    bool listCandidates();
    std::optional<std::int64_t> keyOf(const SummaryPart& part, int column, std::size_t row) const;
    /// Whether the row fits; if not, `next` is the next one that may, by what its block holds.
    bool fits(const RowTable& table, std::size_t& next) const;

    const SummaryTable& m_table;
    CancelPoll m_poll;
    std::vector<SummaryPart> m_parts;  // those of the wanted ranks
    std::size_t m_part = 0;
    std::size_t m_row = 0;
    IntegerSet m_times, m_rowids;
    struct Key {
        int column = 0;
        IntegerSet values;
    };
    std::vector<Key> m_keys;
    std::vector<IndexedSlice> m_slices;       // of the leading condition, if it is on slices
    std::vector<std::uint32_t> m_candidates;  // rows of the part that satisfy the leading condition, ascending
    std::size_t m_candidate = 0;
    TextFilter m_texts;
    std::vector<StringId> m_textIds;  // of the part, ascending
};

}  // namespace altiscope
