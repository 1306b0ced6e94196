#pragma once

#include <QString>
#include <QStringView>

#include <vector>

namespace altiscope {

// The words of SQLite's dialect, for colours, completion and the borders of statements. Pure functions; any thread.

enum class SqlTokenKind : unsigned char {
    Blank,
    Comment,
    Word,        ///< Keyword or name without quotes.
    QuotedName,  ///< "name", [name], `name`
    Text,        ///< 'text', x'blob'
    Number,
    Parameter,  ///< :name, @name, $name, ?
    Sign,       ///< One character of any other kind.
};

struct SqlToken {
    SqlTokenKind kind = SqlTokenKind::Sign;
    qsizetype begin = 0, end = 0;  ///< [begin, end) in the text.
};

/// Token of an earlier line that a line goes on with.
enum class SqlOpen : int { Nothing, Comment, Text, QuotedName, Bracket, Backtick };

struct SqlTokens {
    std::vector<SqlToken> tokens;  ///< All of the text, without gaps.
    SqlOpen open = SqlOpen::Nothing;
};

/// @param open  What the text goes on with; a line comment ends with its line and is never left open.
/// O(length).
SqlTokens sqlTokens(QStringView text, SqlOpen open = SqlOpen::Nothing);

}  // namespace altiscope
