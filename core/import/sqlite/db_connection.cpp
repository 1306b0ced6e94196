#include "core/import/sqlite/db_connection.h"

#include "core/base/files/file.h"
#include "core/base/files/sqlite_guard.h"
#include "core/base/values/digits.h"
#include "core/import/sqlite/each_row.h"

#include <array>

namespace altiscope::reader {

namespace {

constexpr int kInstructionsPerLook = 20'000;  // some milliseconds at most
constexpr int kMaxTextBytes = 64 << 20;       // longer than any call stack or shape list

/// More tables and indexes are not read: a profiler writes some sixty. SQLite reads the whole schema
/// before it answers anything, in time that grows with its square.
constexpr int kMaxSchemaRows = 10'000;
constexpr int kInstructionsPerSchemaRow = 7;
constexpr int kSchemaRowsPerLook = 20;
/// Bytes of one statement, also of those of the schema; a profiler's have some kilobytes. The default values of columns
/// stand there, too.
constexpr int kMaxStatementBytes = 64 << 10;

/// How much of a schema is still read.
struct SchemaLook {
    const CancelToken* cancel = nullptr;
    int looks = kMaxSchemaRows / kSchemaRowsPerLook;
};

int endsSchema(void* look) {
    auto& schema = *static_cast<SchemaLook*>(look);
    return --schema.looks < 0 || (schema.cancel != nullptr && schema.cancel->cancelled()) ? 1 : 0;
}

int wantsToStop(void* token) { return static_cast<const CancelToken*>(token)->cancelled() ? 1 : 0; }

/// A path within a URI: '?' and '#' would end it, '%' begins an escape.
std::string uriOf(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).string()) {
        if (c == '%' || c == '?' || c == '#') {
            const auto byte = static_cast<unsigned char>(c);
            uri += '%';
            uri += capitalHexDigit(byte >> 4U);
            uri += capitalHexDigit(byte);
        } else {
            uri += c;
        }
    }
    return uri + "?mode=ro&immutable=1";
}
/// Checks the front of a file that SQLite is to be given.
Result<Done> checkHeader(const std::filesystem::path& path, const std::string& name) {
    using namespace std::string_view_literals;
    static constexpr std::string_view kMagic = "SQLite format 3\0"sv;
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return file.as<Done>();
    if (file.value().size() == 0) return Error{"db.empty", name, {}, {}};
    std::array<char, kMagic.size()> head{};
    const auto got = file.value().read(0, head);
    if (!got.ok()) return got.as<Done>();
    if (std::string_view(head.data(), got.value()) != kMagic) return Error{"db.not_a_database", name, {}, {}};
    return Done{};
}

/// A column whose values are computed makes texts of any length of a few bytes, again for each look at a row.
Result<Done> refuseComputedColumns(sqlite3* connection, const std::string& name) {
    const DatabaseQuery query =
        prepareQuery(connection, "SELECT t.name FROM sqlite_master t, pragma_table_xinfo(t.name) c "
                                 "WHERE t.type = 'table' AND t.rootpage > 0 AND c.hidden IN (2, 3) LIMIT 1");
    // Other faults of the schema are reported where it is read.
    if (!query || sqlite3_step(query.get()) != SQLITE_ROW) return Done{};
    return Error{
        "db.corrupt", name, {}, {{"reason", "generated columns in " + columnText(query.get(), 0).value_or("")}}};
}

}  // namespace

void trustNothing(sqlite3* connection) {
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxTextBytes);
    sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, kMaxStatementBytes);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    // Cells of a damaged page lie anywhere, also in memory that was never written. Source: sqlite.org/security.html.
    sqlite3_exec(connection, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
}

Result<Done> readSchema(sqlite3* connection, const std::string& name, const CancelToken* cancel) {
    SchemaLook look{cancel};
    sqlite3_progress_handler(connection, kSchemaRowsPerLook * kInstructionsPerSchemaRow, endsSchema, &look);
    static_cast<void>(prepareQuery(connection, "SELECT 1 FROM sqlite_master LIMIT 0"));
    sqlite3_progress_handler(connection, 0, nullptr, nullptr);
    if (cancel != nullptr && cancel->cancelled()) return Cancelled{};
    if (look.looks >= 0) return Done{};
    return Error{"db.too_many_tables", name, {}, {{"limit", std::to_string(kMaxSchemaRows)}}};
}

Error databaseError(int code, std::string_view message, const std::string& name) {
    MessageParameters reason{{"reason", std::string(message)}};
    switch (code & 0xff) {
    case SQLITE_NOTADB: return {"db.not_a_database", name, {}, {}};
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT: return {"db.corrupt", name, {}, std::move(reason)};
    default: return {"db.unreadable", name, {}, std::move(reason)};
    }
}

bool mayPass(int code) {
    const int kind = code & 0xff;
    return kind == SQLITE_IOERR || kind == SQLITE_NOMEM || kind == SQLITE_CANTOPEN;
}

bool mayPass(const Error& error) { return error.code == "db.unreadable" || error.code == "file.unreadable"; }

std::optional<std::string> columnText(sqlite3_stmt* row, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
    if (text == nullptr) return std::nullopt;
    return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

std::string quotedName(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

DatabaseQuery prepareQuery(sqlite3* connection, const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(connection, sql.c_str(), static_cast<int>(sql.size()) + 1,
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    return DatabaseQuery(code == SQLITE_OK ? statement : nullptr);
}

Result<DatabaseHandle> openDatabase(const std::filesystem::path& path, const std::string& name,
                                    const CancelToken* cancel) {
    if (const auto header = checkHeader(path, name); !header.ok()) return header.as<DatabaseHandle>();
    sqlite3* raw = nullptr;
    static constexpr int kFlags =
        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    const int code = sqlite3_open_v2(uriOf(path).c_str(), &raw, kFlags, readOnlySqliteFiles());
    DatabaseHandle connection(raw);
    if (code != SQLITE_OK)
        return databaseError(code, raw == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(raw), name);
    trustNothing(raw);
    if (const auto schema = readSchema(raw, name, cancel); !schema.ok()) return schema.as<DatabaseHandle>();
    if (const auto columns = refuseComputedColumns(raw, name); !columns.ok()) return columns.as<DatabaseHandle>();
    defineRowFunction(raw);
    if (cancel != nullptr)
        sqlite3_progress_handler(raw, kInstructionsPerLook, wantsToStop, const_cast<CancelToken*>(cancel));
    return connection;
}

}  // namespace altiscope::reader
