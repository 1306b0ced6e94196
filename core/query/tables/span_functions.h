#pragma once

#include "core/query/tables/table_function.h"

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

/// Rows of gaps, merge, intersect and span_join. What they are made of is read by a statement of its own on the same
/// connection, under the same limits, when they are first asked for.
class SpanFunctionCursor {
public:
    /// Rows that go in, and rows that come out.
    static constexpr std::size_t kMaxSpans = 10'000'000;

    SpanFunctionCursor(sqlite3* connection, const TableFunctionInfo& info, const QueryContext& context)
        : m_connection(connection), m_info(info), m_context(context), m_poll(context.cancel) {}

    /// One or two tables (by name) or SELECTs, and the columns by which rows are apart.
    int start(std::span<sqlite3_value* const> arguments, std::string& problem);
    int next() {
        ++m_next;
        return SQLITE_OK;
    }
    bool atEnd() const { return m_next == m_rows.size(); }
    void column(sqlite3_context* result, int column) const;

private:
    struct FreeValue {
        void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
    };
    using Key = std::unique_ptr<sqlite3_value, FreeValue>;
    /// [ts, end) of a row of a table.
    struct Span {
        std::int64_t ts = 0, end = 0, id = 0;
        bool hasId = false;
    };
    struct Row {
        std::uint32_t key = 0;
        std::int64_t ts = 0, dur = 0;
        std::int64_t count = 0;  ///< Result of merge.
        Span left{}, right{};    ///< Both sides of span_join.
    };
    bool isPair() const { return m_info.arguments.size() == 3; }
    std::string sqlOf(std::span<sqlite3_value* const> arguments) const;
    /// Reads all rows and hands those of each key on.
    int read(sqlite3_stmt* statement, std::string& problem);
    /// Results for the rows of one key, which are ordered by ts. @return False if it is too much or was cancelled.
    bool endKey();
    static bool contains(const Span& span, std::int64_t time);
    static std::vector<Row> merged(std::span<const Span> spans);
    bool addIntersection();
    bool addPairs();
    bool add(Row row);

    sqlite3* m_connection;
    const TableFunctionInfo& m_info;
    const QueryContext& m_context;
    CancelPoll m_poll;
    std::vector<Key> m_keys;
    std::vector<Span> m_spans[2];  // of the key that is read
    std::vector<Row> m_rows;
    std::size_t m_next = 0;
};

}  // namespace altiscope
