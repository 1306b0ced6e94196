#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// Declared type of a column; cells have it or are NULL.
enum class ColumnType : std::uint8_t { Integer, Real, Text };
std::string_view columnTypeName(ColumnType type);  ///< "INTEGER", "REAL", "TEXT"

/// Whether cells of a column may be NULL.
enum class Nullability : std::uint8_t {
    Possible,  ///< NULL where a source does not state the value.
    Never,
};

/// One column of the SQL surface. `unit` is "ns", "bytes", "bytes/s" ... or empty for counts, ids and texts.
struct ColumnInfo {
    std::string_view name;
    ColumnType type = ColumnType::Text;
    std::string_view unit;
    std::string_view meaning;
    Nullability null = Nullability::Possible;
};

/// One table of the SQL surface.
struct TableInfo {
    std::string_view name;
    std::string_view meaning;
    std::span<const ColumnInfo> columns;
};

/// All tables that a query may read, as users find them in resources/help/reference/sql.md. This one description is
/// what tables are created from, what `query --schema` prints and what the manual lists.
/// @note Constant; any thread; O(1).
std::span<const TableInfo> tableSchema();

/// The table of that name; null if there is none.
const TableInfo* findTable(std::string_view name);

/// The position of a column within a table; -1 if there is none.
int columnNumber(const TableInfo& table, std::string_view column);

/// `CREATE TABLE x(...)` with the columns of a table, as virtual tables declare themselves.
std::string createStatement(const TableInfo& table);

}  // namespace altiscope
