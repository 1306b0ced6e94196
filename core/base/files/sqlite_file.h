#pragma once

#include "core/base/files/sqlite_guard.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace altiscope {

/// A value of a database row. Texts are not copied: they must live until the row was inserted.
class DbValue {
public:
    enum class Kind : std::uint8_t { Null, Integer, Real, Text };

    DbValue(std::nullptr_t) {}
    /// Numbers from 2^63 on become negative, as the profiler stores them.
    template <std::integral T>
    DbValue(T value) : m_kind(Kind::Integer), m_integer(static_cast<std::int64_t>(value)) {}
    DbValue(double value) : m_kind(Kind::Real), m_real(value) {}
    DbValue(std::string_view value) : m_kind(Kind::Text), m_text(value) {}
    DbValue(const std::string& value) : m_kind(Kind::Text), m_text(value) {}
    DbValue(const char* value) : m_kind(Kind::Text), m_text(value) {}

    Kind kind() const { return m_kind; }
    std::int64_t integer() const { return m_integer; }
    double real() const { return m_real; }
    std::string_view text() const { return m_text; }

private:
    Kind m_kind = Kind::Null;
    std::int64_t m_integer = 0;
    double m_real = 0;
    std::string_view m_text;
};

/// A table of a database that is to be written. Constant texts.
struct DbTableSchema {
    std::string_view name;
    std::string_view columns;     ///< As between the brackets of CREATE TABLE.
    std::string_view index = {};  ///< Whole statement; empty: none.
    bool isMadeWithRows = false;  ///< The table is there only if it has rows.
};

/// A new SQLite file that is written once, table rows appended in the order of the calls. The same calls give the same
/// bytes. Some megabytes of memory whatever the size of the file; one thread at a time.
class SqliteFile {
public:
    /// Makes the file with its tables.
    /// @param problem  Code of the Errors that this and close() return: with the file, and {reason}.
    /// @param cancel   Once it requests a stop, nothing more is written.
    static Result<std::unique_ptr<SqliteFile>> create(const std::filesystem::path& path,
                                                      std::span<const DbTableSchema> tables, std::string_view problem,
                                                      const CancelToken& cancel = {});
    ~SqliteFile();
    SqliteFile(const SqliteFile&) = delete;
    SqliteFile& operator=(const SqliteFile&) = delete;

    /// Appends a row. @param table  Place among the tables of create(). @param values  One for each column.
    /// After the first failure nothing more is written; see state().
    template <class Table>
    requires std::is_enum_v<Table>
    void insert(Table table, std::initializer_list<DbValue> values) {
        insertRow(static_cast<std::size_t>(table), values);
    }

    const Result<Done>& state() const { return m_state; }
    /// By how many bytes the file has grown since the last call, with what SQLite still holds back.
    std::uint64_t newBytes();
    /// No insert may follow. @return The Error of create(), also of an earlier insert.
    Result<Done> close();

private:
    SqliteFile(const std::filesystem::path& path, std::string_view problem, const CancelToken& cancel);

    void insertRow(std::size_t table, std::initializer_list<DbValue> values);
    void execute(const std::string& statement);
    void make(const DbTableSchema& table);
    sqlite3_stmt* preparedInsert(std::string_view table);
    void note(int code);
    Error failure(const std::string& reason) const;

    std::filesystem::path m_path;
    std::string m_problem;
    WritableSqliteFiles m_guard;
    sqlite3* m_connection = nullptr;
    std::vector<DbTableSchema> m_tables;
    std::vector<sqlite3_stmt*> m_inserts;  ///< By table; null: it is not there yet.
    std::uint64_t m_bytes = 0;             ///< Reported by newBytes() so far.
    Result<Done> m_state{Done{}};
};

}  // namespace altiscope
