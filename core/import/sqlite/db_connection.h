#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/base/values/result.h"

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

struct CloseDatabase {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
struct FinalizeQuery {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using DatabaseHandle = std::unique_ptr<sqlite3, CloseDatabase>;
using DatabaseQuery = std::unique_ptr<sqlite3_stmt, FinalizeQuery>;

/// Opens a database of a capture for reading alone: SQLite takes the file as one that never changes, so it makes
/// neither locks nor files beside it. Nothing in the file is trusted: no triggers, views or functions of its schema
/// run. One connection belongs to one thread at a time.
///
/// @param cancel  Ends running statements within some milliseconds; null: never. Must outlive the connection.
/// @return Error "db.empty" (no byte), "db.not_a_database" (another format, or encrypted), "db.corrupt" (also for a
/// table with generated columns), "db.too_many_tables", "db.unreadable" (with the reason), or as ReadOnlyFile::open.
/// `name` is the file's name in it.
Result<DatabaseHandle> openDatabase(const std::filesystem::path& path, const std::string& name,
                                    const CancelToken* cancel);

/// Sets limits, and takes from a connection what a hostile file could use: triggers, views and functions of its schema,
/// and other databases.
void trustNothing(sqlite3* connection);

/// Reads the schema, which SQLite otherwise does with the first statement, by the piece. Takes away the connection's
/// progress handler.
/// @return Error "db.too_many_tables" (limit, about). Other faults are left to the first statement.
Result<Done> readSchema(sqlite3* connection, const std::string& name, const CancelToken* cancel);

/// A statement, or null if the database cannot answer it (see sqlite3_errmsg).
DatabaseQuery prepareQuery(sqlite3* connection, const std::string& sql);

/// The text of a column of the row that a statement stands at; nullopt: NULL (or no memory, which resetting the
/// statement reports). Numbers as SQLite writes them; zero bytes within are kept.
std::optional<std::string> columnText(sqlite3_stmt* row, int column);

/// The meaning of a failed step or open, as an Error of openDatabase.
Error databaseError(int code, std::string_view message, const std::string& name);

/// Whether something failed for what the system refused at that moment (bytes of the file, memory), not for what the
/// file holds. The next attempt may succeed, and then has nothing to report.
bool mayPass(int code);
bool mayPass(const Error& error);

/// A table's or column's name in SQL.
std::string quotedName(std::string_view name);

}  // namespace altiscope::reader
