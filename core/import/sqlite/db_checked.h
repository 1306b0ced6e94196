#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/sqlite/db_connection.h"
#include "core/import/sqlite/db_pages.h"
#include "core/import/sqlite/db_problems.h"
#include "core/import/sqlite/db_row.h"
#include "core/import/sqlite/db_schema.h"
#include "core/import/sqlite/each_row.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A database of a capture that is open, and what its pages say of it.
struct CheckedDatabase {
    DatabaseHandle connection;
    DbSchema schema;
    DbPages pages;

    /// Opens a database, reads its schema and looks at all its pages.
    /// @return Error of openDatabase, DbSchema::read or walkPages.
    static Result<CheckedDatabase> open(const SourceFile& file, const CancelToken& cancel);

    /// Reports what is damaged: "db.wrong_size", "db.stray_pages", "db.damaged_pages", "db.damaged_index",
    /// "db.unknown_entry", and tables whose ends cannot be found.
    void reportDamage(const std::string& file, Diagnostics& diagnostics) const;
    /// Reports tables that are there, but as something else that is not read: "db.not_a_table".
    void reportOthers(std::initializer_list<std::string_view> tables, DbProblemLog& problems) const;
};

/// Why a database that lacks the tables that were looked for may have lost them: "db.corrupt" if its pages or names are
/// damaged.
std::optional<Error> damageInSchema(const std::filesystem::path& path, const std::string& name, const DbSchema& schema);

/// Lets a connection read its pages anew: one whose cells lie outside of it is refused (cell_size_check) when it is
/// read, and not any more while it is kept. To be called after an error, without a statement that runs.
void forgetPages(sqlite3* connection);

/// Runs a statement over a small table, and reports what SQLite says besides rows. A table that is not there has no
/// rows; a statement that does not fit to what it holds gives none either (columns differ between versions), and is
/// reported if the table `isNeeded`.
template <class Take>
void eachDbRow(sqlite3* connection, const DbSchema& schema, const char* table, const std::string& sql, bool isNeeded,
               DbProblemLog& problems, const Take& take) {
    if (schema.table(table) == nullptr) return;
    const DatabaseQuery query = prepareQuery(connection, sql);
    int code = query ? SQLITE_OK : sqlite3_errcode(connection);
    while (query && (code = sqlite3_step(query.get())) == SQLITE_ROW) take(query.get());
    const bool isOfVersion = code == SQLITE_ERROR && !isNeeded;
    if (code != SQLITE_DONE && code != SQLITE_INTERRUPT && !isOfVersion)
        problems.add(DbProblem::TableCut, table, -1, sqlite3_errmsg(connection));
    if (query && code != SQLITE_DONE) {
        sqlite3_reset(query.get());
        forgetPages(connection);
    }
}

/// Rows of a range of a table that were read.
struct DbRangeRead {
    std::uint64_t rows = 0;
    std::int64_t lastRow = -1;
};

/// Reads rows of a table in the order of their numbers, and reports what SQLite could not read.
/// @param columns  As the table calls them; empty: NULL.
/// @param take     Gets a DbRow, whose problems name `names`, and its number.
template <class Take>
DbRangeRead readDbRange(sqlite3* connection, const DbTable& table, std::span<const std::string> columns,
                        std::span<const char* const> names, DbRowRange range, DbProblemLog& problems,
                        const CancelToken& cancel, const Take& take);

/// As readDbRange, of all ranges of a table; reports if fewer rows came than its pages hold.
template <class Take>
void readDbTable(const CheckedDatabase& database, const DbTable& table, std::span<const std::string> columns,
                 std::span<const char* const> names, DbProblemLog& problems, const CancelToken& cancel,
                 const Take& take);

/// Reports if fewer rows of a table came than its pages hold, where nothing else was reported.
void reportMissingRows(const DbPages& pages, const DbTable& table, std::uint64_t rows, DbProblemLog& problems);

/// Where reading may go on after a row that SQLite cannot read: the number after the first one of `rows.first` <
/// number <= `rows.last`. nullopt if the code concerns more than a row, or there is none.
std::optional<std::int64_t> afterUnreadableRow(sqlite3* connection, const DbTable& table, DbRowRange rows, int code);
inline constexpr int kMaxUnreadableRows = 1000;

/// "SELECT each_row(?1, _rowid_, ...) ... BETWEEN ?2 AND ?3": a range of row ids is walked in their order.
std::string selectRange(const DbTable& table, std::span<const std::string> columns);

}  // namespace altiscope::reader

template <class Take>
altiscope::reader::DbRangeRead altiscope::reader::readDbRange(sqlite3* connection, const DbTable& table,
                                                              std::span<const std::string> columns,
                                                              std::span<const char* const> names, DbRowRange range,
                                                              DbProblemLog& problems, const CancelToken& cancel,
                                                              const Take& take) {
    const DatabaseQuery query = prepareQuery(connection, selectRange(table, columns));
    DbRangeRead done{0, range.first == INT64_MIN ? range.first : range.first - 1};
    std::optional<std::int64_t> from = range.first;
    for (int tries = 0; from && tries < kMaxUnreadableRows; ++tries) {
        int code = SQLITE_ERROR;
        if (query) {
            sqlite3_bind_int64(query.get(), 2, *from);
            sqlite3_bind_int64(query.get(), 3, range.last);
            code = eachRow(query.get(), [&](sqlite3_value** values) {
                ++done.rows;
                const DbRow row(values, table.name, names, problems);
                const std::int64_t number = row.number();
                // On a damaged page SQLite may find itself anywhere.
                if (number <= done.lastRow || number > range.last) {
                    problems.add(DbProblem::RowOrder, table.name, number);
                    return;
                }
                done.lastRow = number;
                take(row, number);
            });
        }
        if (code == SQLITE_DONE || cancel.cancelled()) break;
        problems.add(DbProblem::TableCut, table.name, done.rows > 0 ? done.lastRow : -1, sqlite3_errmsg(connection));
        if (query) sqlite3_reset(query.get());
        forgetPages(connection);
        const std::int64_t before = *from == INT64_MIN ? *from : *from - 1;
        from = afterUnreadableRow(connection, table, {std::max(done.lastRow, before), range.last}, code);
        forgetPages(connection);
    }
    return done;
}

template <class Take>
void altiscope::reader::readDbTable(const CheckedDatabase& database, const DbTable& table,
                                    std::span<const std::string> columns, std::span<const char* const> names,
                                    DbProblemLog& problems, const CancelToken& cancel, const Take& take) {
    std::uint64_t rows = 0;
    for (const DbRowRange& range : table.ranges())
        rows += readDbRange(database.connection.get(), table, columns, names, range, problems, cancel, take).rows;
    if (!cancel.cancelled()) reportMissingRows(database.pages, table, rows, problems);
}
