#include "core/base/files/sqlite_file.h"

#include "core/base/values/assert.h"
#include "core/base/values/parse.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint64_t kPageBytes = 4096;  ///< As create() sets it.

}  // namespace

SqliteFile::SqliteFile(const std::filesystem::path& path, std::string_view problem, const CancelToken& cancel)
    : m_path(path), m_problem(problem), m_guard(std::filesystem::absolute(path), cancel) {}

Result<std::unique_ptr<SqliteFile>> SqliteFile::create(const std::filesystem::path& path,
                                                       std::span<const DbTableSchema> tables, std::string_view problem,
                                                       const CancelToken& cancel) {
    std::unique_ptr<SqliteFile> file(new SqliteFile(path, problem, cancel));
    const WritableSqliteFiles& files = file->m_guard;
    // Absolute: SQLite may take a name that begins with "file:" for a URI.
    const std::filesystem::path whole = std::filesystem::absolute(path);
    const int code = sqlite3_open_v2(whole.c_str(), &file->m_connection,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, files.name());
    if (code != SQLITE_OK) return file->failure(sqlite3_errstr(code));
    // A file that fails is thrown away, so nothing must survive a crash: no journal, one transaction. Page and cache
    // size are fixed, so that neither the machine nor the library's defaults change the bytes or the memory.
    for (const char* setting :
         {"PRAGMA page_size = 4096", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
          "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA auto_vacuum = NONE", "PRAGMA cache_size = -4096", "BEGIN"}) {
        file->execute(setting);
    }
    file->m_tables.assign(tables.begin(), tables.end());
    for (const DbTableSchema& table : tables) {
        if (!table.isMadeWithRows) file->make(table);
    }
    for (const DbTableSchema& table : tables)
        file->m_inserts.push_back(table.isMadeWithRows ? nullptr : file->preparedInsert(table.name));
    if (!file->m_state.ok()) return file->m_state.as<std::unique_ptr<SqliteFile>>();
    return file;
}

SqliteFile::~SqliteFile() {
    for (sqlite3_stmt* statement : m_inserts) sqlite3_finalize(statement);
    sqlite3_close(m_connection);
}

void SqliteFile::note(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW || !m_state.ok()) return;
    m_state = failure(sqlite3_errmsg(m_connection));
}

void SqliteFile::execute(const std::string& statement) {
    if (m_state.ok()) note(sqlite3_exec(m_connection, statement.c_str(), nullptr, nullptr, nullptr));
}

Error SqliteFile::failure(const std::string& reason) const {
    return Error{.code = m_problem, .file = m_path.string(), .place = {}, .parameters = {{"reason", reason}}};
}

void SqliteFile::make(const DbTableSchema& table) {
    execute("CREATE TABLE " + std::string(table.name) + " (" + std::string(table.columns) + ")");
    if (!table.index.empty()) execute(std::string(table.index));
}

sqlite3_stmt* SqliteFile::preparedInsert(std::string_view table) {
    if (!m_state.ok()) return nullptr;
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
    return prepared;
}

void SqliteFile::insertRow(std::size_t table, std::initializer_list<DbValue> values) {
    if (!m_state.ok()) return;
    if (m_inserts[table] == nullptr) {
        make(m_tables[table]);
        m_inserts[table] = preparedInsert(m_tables[table].name);
        if (!m_state.ok()) return;
    }
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
            // Null would be bound as NULL.
            note(sqlite3_bind_text(statement, place, value.text().empty() ? "" : value.text().data(),
                                   static_cast<int>(value.text().size()), SQLITE_STATIC));
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
    if (code != SQLITE_OK && m_state.ok()) m_state = failure(sqlite3_errstr(code));
    return m_state;
}

}  // namespace altiscope
