#include "core/generate/support/sqlite_file.h"

#include "core/base/assert.h"
#include "core/base/parse.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kPageBytes = 4096;  ///< As create() sets it.

Error sqliteError(const std::filesystem::path& path, const std::string& reason) {
    return Error{
        .code = "generate.write_failed", .file = path.string(), .place = {}, .parameters = {{"reason", reason}}};
}

}  // namespace

Result<std::unique_ptr<SqliteFile>> SqliteFile::create(const std::filesystem::path& path,
                                                       std::span<const DbTableSchema> tables) {
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &connection,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    std::unique_ptr<SqliteFile> file(new SqliteFile(path, connection));
    if (code != SQLITE_OK) return sqliteError(path, sqlite3_errstr(code));
    // A file that fails is thrown away, so nothing must survive a crash: no journal, one transaction. Page and cache
    // size are fixed, so that neither the machine nor the library's defaults change the bytes or the memory.
    for (const char* setting :
         {"PRAGMA page_size = 4096", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
          "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA auto_vacuum = NONE", "PRAGMA cache_size = -4096", "BEGIN"}) {
        file->execute(setting);
    }
    for (const DbTableSchema& table : tables) {
        file->execute("CREATE TABLE " + std::string(table.name) + " (" + std::string(table.columns) + ")");
        if (!table.index.empty()) file->execute(std::string(table.index));
    }
    for (const DbTableSchema& table : tables) file->prepare(table.name);
    if (!file->m_state.ok()) return file->m_state.as<std::unique_ptr<SqliteFile>>();
    return file;
}

SqliteFile::~SqliteFile() {
    for (sqlite3_stmt* statement : m_inserts) sqlite3_finalize(statement);
    sqlite3_close(m_connection);
}

void SqliteFile::note(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW || !m_state.ok()) return;
    m_state = sqliteError(m_path, sqlite3_errmsg(m_connection));
}

void SqliteFile::execute(const std::string& statement) {
    if (m_state.ok()) note(sqlite3_exec(m_connection, statement.c_str(), nullptr, nullptr, nullptr));
}

void SqliteFile::prepare(std::string_view table) {
    if (!m_state.ok()) return;
    sqlite3_stmt* statement = nullptr;
    const std::string select = "SELECT * FROM " + std::string(table);
    note(sqlite3_prepare_v2(m_connection, select.c_str(), -1, &statement, nullptr));
    const int columns = sqlite3_column_count(statement);
    sqlite3_finalize(statement);
    std::string insert = "INSERT INTO " + std::string(table) + " VALUES (?";
    for (int i = 1; i < columns; ++i) insert += ",?";
    insert += ")";
    sqlite3_stmt* prepared = nullptr;
    note(sqlite3_prepare_v2(m_connection, insert.c_str(), -1, &prepared, nullptr));
    m_inserts.push_back(prepared);
}

void SqliteFile::insertRow(std::size_t table, std::initializer_list<DbValue> values) {
    if (!m_state.ok()) return;
    sqlite3_stmt* statement = m_inserts[table];
    ALTI_ASSERT(static_cast<int>(values.size()) == sqlite3_bind_parameter_count(statement));
    int place = 0;
    for (const DbValue& value : values) {
        ++place;
        switch (value.kind()) {
        case DbValue::Kind::Null: note(sqlite3_bind_null(statement, place)); break;
        case DbValue::Kind::Integer: note(sqlite3_bind_int64(statement, place, value.integer())); break;
        case DbValue::Kind::Real: note(sqlite3_bind_double(statement, place, value.real())); break;
        case DbValue::Kind::Text:
            note(sqlite3_bind_text(statement, place, value.text().data(), static_cast<int>(value.text().size()),
                                   SQLITE_STATIC));
            break;
        }
    }
    note(sqlite3_step(statement));
    sqlite3_reset(statement);
}

std::uint64_t SqliteFile::newBytes() {
    std::uint64_t pages = 0;
    const auto read = [](void* target, int, char** values, char**) {
        *static_cast<std::uint64_t*>(target) = wholeNumber<std::uint64_t>(values[0]).value_or(0);
        return 0;
    };
    if (m_state.ok()) note(sqlite3_exec(m_connection, "PRAGMA page_count", read, &pages, nullptr));
    const std::uint64_t before = std::exchange(m_bytes, std::max(m_bytes, pages * kPageBytes));
    return m_bytes - before;
}

Result<Done> SqliteFile::close() {
    execute("COMMIT");
    for (sqlite3_stmt* statement : m_inserts) sqlite3_finalize(statement);
    m_inserts.clear();
    const int code = sqlite3_close(std::exchange(m_connection, nullptr));
    if (code != SQLITE_OK && m_state.ok()) m_state = sqliteError(m_path, sqlite3_errstr(code));
    return m_state;
}

}  // namespace altiscope::generate
