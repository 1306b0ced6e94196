#pragma once

#include "core/base/values/error.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

// The language of filters, the same in every table:
//
//     dur > 100us and type = "MatMulV2" and name ~ "flash"
//
// Comparisons: = (or ==) != < <= > >=, ~ and !~ (text: a regular expression is found in it or not; small letters
// stand for both cases unless the pattern has a capital), `in (a, b)`, and `= none`, `!= none` for absent cells. A
// text alone, in quotes or as a bare word, is looked for in all columns of text; bare words that follow each other
// must all be there; both are looked for in what is shown beside numbers, too. Such numbers may be compared as they
// are shown, or with what stands beside them alone: `rank_id = "1 · run_2"`, `= 1 · run_2`, `= run_2`; so may those
// of `in`; ~ and !~ take what is shown, be it the number alone. Joined by `and`, `or`, `not` and parentheses; `and`
// binds tighter than `or`. Columns are called by their names or as their headings read, whatever the case. Texts
// stand in quotes, or bare if they are one word. Units: ns us µs ms s min h; B kB KB MB GB TB (powers of ten) KiB MiB
// GiB TiB (of two); %. A number without a unit is in that of the column: ns, bytes, bytes per second, 1. With a
// unit, a time counts from the start of the capture. Any comparison with an absent cell is false but those with
// `none`; a rank without a number beside which its folder stands is not absent for != and !~.

/// Comparisons of a cell with a value; Matches: a regular expression is found in the text.
enum class FilterOperator : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Matches,
    MatchesNot
};

/// Value that cells are compared with.
struct FilterValue {
    enum class Kind : std::uint8_t { None, Integer, Real, Text };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;  ///< Text of an Integer as it is written, if it may be a label as well; else empty.
    /// The number lies above `integer` and below the next one, for columns of integers ("0.5ns").
    bool between = false;
};

/// A filter as a tree of conditions. Which members count depends on `kind`.
struct FilterNode {
    enum class Kind : std::uint8_t { And, Or, Not, Compare, AnyText };
    Kind kind = Kind::And;
    std::vector<FilterNode> children;  ///< Operands of And, Or, Not.
    std::size_t column = 0;
    FilterOperator compare = FilterOperator::Equal;
    std::vector<FilterValue> values;  ///< One; several: equal to any of them.
};

/// Fault of a filter, and where it is: bytes [begin, end) of the text.
struct FilterProblem {
    std::string code;  ///< Code of the catalogue: "filter.unknown_column", ...
    MessageParameters parameters;
    std::size_t begin = 0, end = 0;
};

/// Result of parsing: a tree, a problem, or neither (an empty text).
struct ParsedFilter {
    std::optional<FilterNode> root;  ///< nullopt: an empty text, or a problem.
    std::optional<FilterProblem> problem;
};

/// Between a number and what stands beside it, see TableSource::label().
inline constexpr std::string_view kLabelDot = "·";

inline constexpr std::size_t kMaxFilterLength = 4096;  ///< Bytes.
inline constexpr std::size_t kDeepestFilter = 64;      ///< Parentheses and nots within each other.

/// Another name of a column: its heading as the user reads it.
struct ColumnAlias {
    std::string text;  ///< May be several words.
    std::size_t column = 0;
};

/// Pure function; any thread. O(length · columns).
ParsedFilter parseFilter(std::string_view text, std::span<const TableColumn> columns,
                         std::span<const ColumnAlias> aliases = {});

/// A part of the text as it was cut into words; for completion and colouring.
struct FilterWord {
    enum class Kind : std::uint8_t { Name, Number, Text, Operator, Open, Close, Comma, Wrong };
    Kind kind = Kind::Wrong;
    std::size_t begin = 0, end = 0;
    std::string text;  ///< Texts without quotes and escapes, numbers without the unit.
    std::string unit;  ///< Unit of numbers.
};
/// Never fails: what fits nothing is Wrong. An open quote ends with the text.
std::vector<FilterWord> filterWords(std::string_view text);

/// A value as the language writes it, for filters that are made by a click: in quotes where they are needed.
std::string filterLiteral(const TableSource& source, std::size_t column, std::int64_t cell);
/// The same for the cell of a row, with what stands beside it.
std::string rowLiteral(const TableSource& source, std::size_t column, std::size_t row);

}  // namespace altiscope
