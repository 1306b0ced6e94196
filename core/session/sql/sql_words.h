#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope {

/// A word that a statement may use.
struct SqlWord {
    enum class Kind : std::uint8_t { Table, Column, Function, Keyword };

    Kind kind = Kind::Keyword;
    std::string word;
    std::string table;    ///< Table of a column.
    std::string type;     ///< Type of a column: "INTEGER", "REAL" or "TEXT".
    std::string unit;     ///< Unit of a column: "ns", "bytes"; empty without one.
    std::string meaning;  ///< Meaning of tables, columns and functions of ours, as `query --schema` prints it.
    std::string call;     ///< Call of a function: "percentile(x, p)".
};

/// Tables in the order of the schema, each followed by its columns; functions; keywords of SQLite that read.
/// @note Makes them anew, some ms; any thread.
std::vector<SqlWord> sqlWords();

}  // namespace altiscope
