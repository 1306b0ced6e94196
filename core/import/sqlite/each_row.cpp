#include "core/import/sqlite/each_row.h"

namespace altiscope::reader {

namespace {

constexpr const char* kPointerType = "altiscope.rows";

void takeValues(sqlite3_context* context, int, sqlite3_value** values) {
    // Looked up for the first row; zeroed by SQLite before.
    auto** const known = static_cast<RowTaker**>(sqlite3_aggregate_context(context, sizeof(RowTaker*)));
    if (known == nullptr) return sqlite3_result_error_nomem(context);
    if (*known == nullptr) *known = static_cast<RowTaker*>(sqlite3_value_pointer(values[0], kPointerType));
    RowTaker* const taker = *known;
    if (taker == nullptr) return sqlite3_result_error(context, "each_row() without a reader", -1);
    // SQLite is C: nothing may be thrown through it.
    try {
        taker->call(taker->object, values + 1);
    } catch (...) {
        taker->thrown = std::current_exception();
        sqlite3_result_error(context, "the reader failed", -1);
    }
}

void endRows(sqlite3_context*) {}

}  // namespace

void defineRowFunction(sqlite3* connection) {
    sqlite3_create_function_v2(connection, "each_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr, nullptr,
                               takeValues, endRows, nullptr);
}

int runRows(sqlite3_stmt* statement, RowTaker taker) {
    // It stays bound, unused: to unbind it would take away what the connection says of an error.
    sqlite3_bind_pointer(statement, 1, &taker, kPointerType, nullptr);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) code = sqlite3_step(statement);
    if (taker.thrown) std::rethrow_exception(taker.thrown);
    return code;
}

}  // namespace altiscope::reader
