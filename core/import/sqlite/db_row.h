#pragma once

#include "core/base/values/time.h"
#include "core/import/sqlite/db_connection.h"
#include "core/import/sqlite/db_problems.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace altiscope::reader {

/// Whether a whole number that stands as a double is not the one that was meant: a double keeps no nanoseconds of the
/// time of day, and no whole number has a fraction.
bool hasLostDigits(double number);

/// A row of a table as a query has it at hand: its number, and columns counted from 0. The type of a cell
/// counts, not the declared one: PYTORCH_API keeps its times as texts.
class DbRow {
public:
    /// @param values   The row's number, then its columns.
    /// @param columns  Their names in problems.
    DbRow(sqlite3_value* const* values, std::string_view table, std::span<const char* const> columns,
          DbProblemLog& problems)
        : m_values(values), m_table(table), m_columns(columns), m_problems(problems) {}

    std::int64_t number() const { return sqlite3_value_int64(m_values[0]); }
    bool isNull(int column) const { return typeOf(column) == SQLITE_NULL; }

    /// A whole number that the row may do without; of another type it counts as absent, and as a problem.
    std::optional<std::int64_t> integer(int column) const {
        if (const auto whole = plain(column)) return whole;
        return converted(column, DbProblem::OddType, DbProblem::OddType);
    }
    std::int64_t integerOr(int column, std::int64_t otherwise) const { return integer(column).value_or(otherwise); }
    /// As integer(); a row that has none is of no use, and is reported as such.
    std::optional<std::int64_t> neededId(int column) const {
        const auto whole = plain(column);
        return whole ? whole : convertedId(column);
    }
    /// The id of the text that the row is called by; -1, reported, where it names none.
    std::int64_t nameId(int column) const {
        const auto whole = plain(column);
        return whole && *whole >= 0 ? *whole : convertedNameId(column);
    }
    /// As integer(), for a cell of a row table, which cannot hold every number.
    std::optional<std::int64_t> cell(int column) const;
    /// As cell(), of what is never below 0; a value that is counts as absent, and as a problem.
    std::optional<std::int64_t> total(int column) const {
        const auto value = cell(column);
        if (!value || *value >= 0) return value;
        problem(DbProblem::OddNumber, column);
        return std::nullopt;
    }
    /// A number times `factor` as its decimal text says it, exact halves up; of another type, or too large, as
    /// integer().
    /// @param factor  As parseScaled.
    std::optional<std::int64_t> scaled(int column, std::int64_t factor) const;
    /// A point in time without which the row is dropped.
    std::optional<std::int64_t> neededTime(int column) const {
        const auto whole = plain(column);
        const auto time = whole ? whole : convertedTime(column);
        if (time && !isTraceTime(*time)) {
            problem(DbProblem::OutOfRange, column);
            return std::nullopt;
        }
        return time;
    }
    /// As scaled(), of what is never below 0; a value that is counts as absent, and as a problem.
    std::optional<std::int64_t> amount(int column, std::int64_t factor) const;
    /// A step's number as its table writes it (communication_names.h); another word counts as absent, and as a
    /// problem.
    std::optional<std::int64_t> step(int column) const;
    /// Time from a begin to the end in `column`; 0 if the end is missing or before the begin.
    std::int64_t durationFrom(std::int64_t begin, int column) const;
    /// A finite number.
    /// @param otherType  The problem if something else stands there.
    std::optional<double> real(int column, DbProblem otherType = DbProblem::OddType) const;
    /// Its characters; they hold until the next row.
    std::string_view text(int column) const {
        sqlite3_value* const value = m_values[column + 1];
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
        if (bytes == nullptr) return {};
        return {bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
    }
    /// The same row, whose problems go elsewhere.
    DbRow loggedTo(DbProblemLog& problems) const { return {m_values, m_table, m_columns, problems}; }
    void problem(DbProblem what, int column) const {
        m_problems.add(what, m_table, number(), m_columns[static_cast<std::size_t>(column)]);
    }

private:
    int typeOf(int column) const { return sqlite3_value_type(m_values[column + 1]); }
    std::int64_t integerAt(int column) const { return sqlite3_value_int64(m_values[column + 1]); }
    double realAt(int column) const { return sqlite3_value_double(m_values[column + 1]); }
    /// An integer, as nearly all cells are; else nullopt.
    std::optional<std::int64_t> plain(int column) const {
        return typeOf(column) == SQLITE_INTEGER ? std::optional<std::int64_t>(integerAt(column)) : std::nullopt;
    }
    std::optional<std::int64_t> converted(int column, DbProblem otherType, DbProblem tooLarge) const;
    std::optional<std::int64_t> convertedTime(int column) const;
    std::optional<std::int64_t> convertedId(int column) const;
    std::int64_t convertedNameId(int column) const;

    sqlite3_value* const* m_values;
    std::string_view m_table;
    std::span<const char* const> m_columns;
    DbProblemLog& m_problems;
};

}  // namespace altiscope::reader
