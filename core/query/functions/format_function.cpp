#include "core/query/functions/format_function.h"

#include "core/base/files/sqlite_guard.h"

#include <map>
#include <memory>
#include <string>

namespace altiscope {

namespace {

struct ClosePrivate {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
struct FinalizePrivate {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A connection in which printf is SQLite's own: a function cannot call the one that it stands for.
class PlainFormat {
public:
    /// SELECT printf(?, ...) with so many arguments; null if there is no memory for it.
    sqlite3_stmt* statement(int arguments) {
        if (m_connection == nullptr) {
            sqlite3* raw = nullptr;
            constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY;
            const int code = sqlite3_open_v2(":memory:", &raw, kFlags, readOnlySqliteFiles());
            m_connection.reset(raw);
            if (code != SQLITE_OK) return nullptr;
        }
        auto& statement = m_statements[arguments];
        if (statement == nullptr) {
            std::string sql = "SELECT printf(";
            for (int i = 0; i < arguments; ++i) sql += i == 0 ? "?" : ",?";
            sql += ')';
            sqlite3_stmt* raw = nullptr;
            sqlite3_prepare_v2(m_connection.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
            statement.reset(raw);
        }
        return statement.get();
    }
    void limit(int bytes) { sqlite3_limit(m_connection.get(), SQLITE_LIMIT_LENGTH, bytes); }

private:
    std::unique_ptr<sqlite3, ClosePrivate> m_connection;
    std::map<int, std::unique_ptr<sqlite3_stmt, FinalizePrivate>> m_statements;  // by number of arguments
};

void formatFunction(sqlite3_context* context, int count, sqlite3_value** values) {
    if (count == 0 || sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    if (text == nullptr) return sqlite3_result_error_nomem(context);
    const std::string_view format(text, static_cast<std::size_t>(sqlite3_value_bytes(values[0])));
    const auto numberOf = [&](int i) { return i + 1 < count ? sqlite3_value_int64(values[i + 1]) : std::int64_t{0}; };
    if (repeatsTooOften(format, most, numberOf)) return sqlite3_result_error_toobig(context);
    auto& plain = *static_cast<PlainFormat*>(sqlite3_user_data(context));
    sqlite3_stmt* const statement = plain.statement(count);
    if (statement == nullptr) return sqlite3_result_error_nomem(context);
    plain.limit(most);
    for (int i = 0; i < count; ++i) sqlite3_bind_value(statement, i + 1, values[i]);
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) sqlite3_result_value(context, sqlite3_column_value(statement, 0));
    else sqlite3_result_error_code(context, code);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

void dropPlainFormat(void* plain) { delete static_cast<PlainFormat*>(plain); }

}  // namespace

int addFormatFunctions(sqlite3* connection) {
    for (const char* name : {"printf", "format"}) {
        constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
        // Goes with the function, also where it cannot be made.
        const int code = sqlite3_create_function_v2(connection, name, -1, kFlags, new PlainFormat, formatFunction,
                                                    nullptr, nullptr, dropPlainFormat);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

}  // namespace altiscope
