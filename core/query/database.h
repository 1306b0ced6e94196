#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/query/limits/statement_limits.h"
#include "core/query/results/row_sink.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace altiscope {

struct CaptureStore;

/// Report of a finished query beside its rows.
struct QuerySummary {
    std::uint64_t rows = 0;
    std::uint64_t steps =
        0;  ///< Steps of SQLite's machine: what the statement cost there, whatever else the computer does.
    bool complete = true;     ///< False if the sink stopped it.
    Diagnostics diagnostics;  ///< Trouble that left NULL in place of a value, e.g. a source that has vanished.
};

/// Value of a named parameter of a statement; monostate: NULL.
struct QueryParameter {
    std::string name;  ///< With its sign: ":rank", "@rank" or "$rank".
    std::variant<std::monostate, std::int64_t, double, std::string> value;
};

/// SQL over a capture: the tables of tableSchema() as virtual tables that look into the sealed columns and copy
/// nothing.
///
/// A query is one read-only statement of SQLite's dialect (SELECT, VALUES, WITH, EXPLAIN). It can reach neither files
/// nor the program: no writing, no ATTACH, no PRAGMA but the ones that describe tables, no loading of code; its length,
/// depth and the size of one value are limited. A text in double quotes is an identifier, never a string.
/// Costs do not depend on how a query is written, only on what it asks: conditions on rank_id, track_id, slice_id, name
/// (=, IN, LIKE, GLOB) and ranges of ts are looked up, and orders by name, by ts, and by rank_id, track_id, ts are
/// delivered without sorting. Columns that nobody reads cost nothing; `args` reads the source, so it is the dear one.
class QueryDatabase {
public:
    /// Longest statement, in bytes.
    static constexpr std::size_t kMaxSqlBytes = 1'000'000;
    /// Longest value that a query may read or build, in bytes; less in statements with functions that take long for
    /// each byte (StatementLimits).
    static constexpr std::size_t kMaxValueBytes = std::size_t{16} << 20;

    /// Memory that sorting and grouping take before they go to temporary files.
    static constexpr std::size_t kSortBytes = StatementLimits::kSortBytes;

    /// @param sortBytes  In place of kSortBytes; at least 1 MiB.
    explicit QueryDatabase(std::shared_ptr<const CaptureStore> capture, std::size_t sortBytes = kSortBytes);
    ~QueryDatabase();
    QueryDatabase(const QueryDatabase&) = delete;
    QueryDatabase& operator=(const QueryDatabase&) = delete;

    /// Runs one statement and hands its rows to `sink`. Stops within 100 ms of a cancel.
    ///
    /// @param parameters  Values for names in the statement; others are NULL there, and names that it lacks do nothing.
    /// @return Error "sql.empty", "sql.too_long", "sql.several_statements", "sql.denied" (it is not read-only),
    ///         "sql.invalid", "sql.invalid_near" (message, line, column, near), "sql.value_too_long" (limit, most),
    ///         "sql.out_of_memory" (limit), "sql.temporary_full" (limit; what it sorts does not fit into temporary
    ///         files) or "sql.failed" (while it ran; with message).
    /// @note   Any thread, several at a time; each call has a connection of its own, lookups are shared.
    Result<QuerySummary> run(std::string_view sql, RowSink& sink, const CancelToken& cancel,
                             std::span<const QueryParameter> parameters = {}) const;

    /// Fault of a statement whatever it is run on, so that nothing has to be read to say it; nullopt if it
    /// can run. The errors of run() before its first row.
    /// @note Some ms; any thread.
    static std::optional<Error> problemOf(std::string_view sql);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace altiscope
