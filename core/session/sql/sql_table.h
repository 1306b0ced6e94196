#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/query/results/row_sink.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Facts about a column of a result beside its cells; empty where it is computed.
struct SqlColumnFacts {
    std::string unit;     ///< As in the schema: "ns", "bytes", ...
    std::string meaning;  ///< A sentence of the schema.
};

/// The rows of a statement: a constant value. Columns have one type each: integers and reals are reals together if none
/// of them loses a digit, everything else together is text as `altiscope-cli query` writes it.
class SqlTable : public TableSource {
public:
    std::size_t rowCount() const override { return m_rows; }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override { return m_cells[column].texts.size(); }

    const SqlColumnFacts& facts(std::size_t column) const { return m_facts[column]; }
    /// Memory that it takes, about.
    std::size_t bytes() const { return m_usedBytes; }

private:
    friend class SqlRows;
    struct Cells {
        std::vector<std::int64_t> values;
        std::vector<std::string_view> texts;  // in order, each once
    };
    std::size_t m_rows = 0, m_usedBytes = 0;
    std::vector<TableColumn> m_columns;
    std::vector<SqlColumnFacts> m_facts;
    std::vector<Cells> m_cells;
    std::shared_ptr<const void> m_bytes;  ///< Bytes that the texts are views of.
};

/// Keeps the first rows of a statement, up to limits of rows and memory. One thread.
class SqlRows : public RowSink {
public:
    struct Limits {
        std::size_t rows = 1'000'000;
        /// Limit of the kept rows. A row that does not fit is not kept, nor any after it.
        std::size_t bytes = std::size_t{32} << 20;
    };
    enum class Full : std::uint8_t { No, Rows, Bytes };

    /// @param origin  Where columns of times count from.
    explicit SqlRows(Limits limits, TimeNs origin = {});

    void describe(std::span<const ColumnInfo* const> columns) override;
    bool begin(std::span<const std::string> columns) override;
    /// @return False if the row is one too many.
    bool row(std::span<const Value> values) override;

    std::size_t rowCount() const { return m_rows; }
    Full full() const { return m_full; }
    /// The rows so far, as a copy: for the first ones. Null before begin().
    std::shared_ptr<const SqlTable> soFar() const;
    /// All of them, without a copy; nothing may follow. O(texts · log). Null if cancelled, or before begin().
    std::shared_ptr<const SqlTable> finish(const CancelToken& cancel);

private:
    enum class Kind : std::uint8_t { Absent, Integer, Real, Text };
    struct Column {
        Kind kind = Kind::Absent;
        std::vector<std::int64_t> values;
        std::vector<std::string_view> texts;
        std::unordered_map<std::string_view, std::uint32_t> numbers;
    };
    struct TextBytes;

    void add(Column& column, const Value& value);
    bool addNumber(Column& column, const Value& value);
    void addText(Column& column, const Value& value);
    void makeReal(Column& column);
    void makeText(Column& column);
    std::int64_t numberOf(Column& column, std::string_view text);
    static bool sortTexts(SqlTable& table, std::size_t column, const CancelToken& cancel);
    std::shared_ptr<SqlTable> emptyTable() const;

    Limits m_limits;
    TimeNs m_origin;
    std::size_t m_rows = 0, m_usedBytes = 0;
    Full m_full = Full::No;
    bool m_begun = false;
    std::vector<TableColumn> m_named;
    std::vector<SqlColumnFacts> m_facts;
    std::vector<Column> m_columns;
    std::shared_ptr<TextBytes> m_bytes;
};

}  // namespace altiscope
