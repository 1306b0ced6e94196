#pragma once

#include <sqlite3.h>

#include <exception>

namespace altiscope::reader {

/// Reads rows by an aggregate of ours, "SELECT each_row(?1, a, b) FROM t": SQLite calls it with the values of a row
/// where they lie. A statement that stops at each row, and is queried for each column, takes a fifth longer. Functions
/// like this one are not for schemas.
void defineRowFunction(sqlite3* connection);

/// Who gets the rows of a statement, by the ?1 of each_row().
struct RowTaker {
    void (*call)(const void* object, sqlite3_value** values);
    const void* object;
    std::exception_ptr thrown{};  ///< By `call`; ends the statement.
};

/// Runs a statement of one each_row().
/// @return SQLITE_DONE, or the code of what ended it before; rows before that were taken.
/// @throws Exceptions of the taker.
int runRows(sqlite3_stmt* statement, RowTaker taker);

/// @param take  Gets the values of each row, which hold during the call.
template <class Take>
int eachRow(sqlite3_stmt* statement, const Take& take) {
    return runRows(
        statement,
        {[](const void* object, sqlite3_value** values) { (*static_cast<const Take*>(object))(values); }, &take});
}

}  // namespace altiscope::reader
