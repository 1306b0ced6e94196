#include "core/query/schema/schema.h"

#include "core/base/text/ascii.h"
#include "core/base/text/word_distance.h"
#include "core/query/functions/function_info.h"
#include "core/query/schema/wrong_name.h"

#include <algorithm>
#include <array>
#include <vector>

namespace altiscope {

std::string_view columnTypeName(ColumnType type) {
    switch (type) {
    case ColumnType::Integer: return "INTEGER";
    case ColumnType::Real: return "REAL";
    case ColumnType::Text: return "TEXT";
    }
    return {};
}

const TableInfo* findTable(std::string_view name) {
    const auto tables = tableSchema();
    const auto found =
        std::find_if(tables.begin(), tables.end(), [name](const TableInfo& t) { return t.name == name; });
    return found == tables.end() ? nullptr : &*found;
}

int columnNumber(const TableInfo& table, std::string_view column) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == column) return static_cast<int>(i);
    return -1;
}

std::string createStatement(const TableInfo& table) {
    std::string sql = "CREATE TABLE x(";
    for (const ColumnInfo& column : table.columns) {
        if (&column != table.columns.data()) sql += ", ";
        sql += '"';
        sql += column.name;
        sql += "\" ";
        sql += columnTypeName(column.type);
        // Without it, SQLite does not take the smallest value of a column from the front of its order.
        if (column.null == Nullability::Never) sql += " NOT NULL";
    }
    return sql + ")";
}

namespace {

/// Functions of SQLite that statements over tables use.
/// @note Source: sqlite.org, "Built-In Scalar SQL Functions", "Built-in Aggregate Functions", "Window Functions".
constexpr auto kBuiltIn = std::to_array<std::string_view>(
    {"abs",          "avg",   "coalesce", "count",  "cume_dist",  "dense_rank", "first_value", "format", "glob",
     "group_concat", "hex",   "ifnull",   "iif",    "instr",      "lag",        "last_value",  "lead",   "length",
     "like",         "lower", "ltrim",    "max",    "min",        "nth_value",  "ntile",       "nullif", "percent_rank",
     "printf",       "rank",  "replace",  "round",  "row_number", "rtrim",      "sign",        "substr", "substring",
     "sum",          "total", "trim",     "typeof", "upper"});

bool isNameByte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return asciiLower(x) == asciiLower(y); });
}

/// A word of a statement, or a byte that belongs to none. Text in quotes and comments is neither.
struct Token {
    std::size_t begin, end;
    bool isWord;
};

/// The byte behind what begins at `at` and ends with `close`; a doubled `close` does not end it.
std::size_t afterQuoted(std::string_view sql, std::size_t at, char close) {
    for (++at; at < sql.size(); ++at) {
        if (sql[at] != close) continue;
        if (close != ']' && at + 1 < sql.size() && sql[at + 1] == close) ++at;
        else return at + 1;
    }
    return sql.size();
}

/// Names in double quotes, back quotes and brackets are words without them.
/// Source: sqlite.org, "SQLite Keywords" and "SQL Comment Syntax".
std::vector<Token> tokensOf(std::string_view sql) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < sql.size();) {
        const char c = sql[at];
        const std::string_view rest = sql.substr(at);
        std::size_t end = at + 1;
        if (rest.starts_with("--")) {
            end = std::min(sql.find('\n', at), sql.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t close = sql.find("*/", at + 2);
            end = close == std::string_view::npos ? sql.size() : close + 2;
        } else if (c == '\'') {
            end = afterQuoted(sql, at, c);
        } else if (c == '"' || c == '`' || c == '[') {
            end = afterQuoted(sql, at, c == '[' ? ']' : c);
            if (end - at > 2) tokens.push_back({at + 1, end - 1, true});
        } else if (isNameByte(c)) {
            while (end < sql.size() && isNameByte(sql[end])) ++end;
            tokens.push_back({at, end, true});
        } else if (c > ' ') {
            tokens.push_back({at, end, false});
        }
        at = end;
    }
    return tokens;
}

/// Where a name stands as a whole word, from a byte on.
std::optional<std::size_t> placeOf(std::string_view sql, std::string_view name, std::size_t from) {
    for (const Token& token : tokensOf(sql)) {
        const bool isName = token.isWord && equalsIgnoringCase(sql.substr(token.begin, token.end - token.begin), name);
        if (isName && token.begin >= from) return token.begin;
    }
    return std::nullopt;
}

/// Where a name stands as that of a table: behind FROM, JOIN or IN, or behind a comma in the list after them.
std::optional<std::size_t> placeOfTable(std::string_view sql, std::string_view name) {
    constexpr auto kBefore = std::to_array<std::string_view>({"from", "join", "in"});
    constexpr auto kEnds = std::to_array<std::string_view>({"select", "where", "group", "order", "having", "limit"});
    std::vector<bool> isInList{false};  // by depth of brackets
    bool isNext = false;
    for (const Token& token : tokensOf(sql)) {
        const std::string_view word = sql.substr(token.begin, token.end - token.begin);
        const auto isWord = [word](std::string_view other) { return equalsIgnoringCase(word, other); };
        if (token.isWord) {
            if (isNext && isWord(name)) return token.begin;
            isNext = std::any_of(kBefore.begin(), kBefore.end(), isWord);
            if (isNext) isInList.back() = !isWord("in");
            else if (std::any_of(kEnds.begin(), kEnds.end(), isWord)) isInList.back() = false;
        } else if (word == "(") {
            isInList.push_back(isNext);  // FROM (a, b)
        } else if (word == ")") {
            if (isInList.size() > 1) isInList.pop_back();
            isNext = false;
        } else {
            // The name of a database may come before that of a table.
            isNext = word == "." || (word == "," && isInList.back());
        }
    }
    return std::nullopt;
}

class Nearest {
public:
    explicit Nearest(std::string_view name) : m_name(name), m_min(changesToMean(name)) {}
    void look(std::string_view known) {
        const std::size_t far = changesBetween(m_name, known, m_min);
        // The name is right, but not where it stands: another is no help.
        if (far == 0) m_isKnown = true;
        if (far >= m_min) return;
        m_min = far;
        m_best = known;
    }
    std::string best() const { return m_isKnown ? std::string() : std::string(m_best); }

private:
    std::string_view m_name;
    std::size_t m_min;
    std::string_view m_best;
    bool m_isKnown = false;
};

std::string nearTable(std::string_view name) {
    Nearest nearest(name);
    for (const TableInfo& table : tableSchema()) nearest.look(table.name);
    return nearest.best();
}

std::string nearColumn(std::string_view sql, std::string_view name) {
    std::vector<const TableInfo*> named, all;
    for (const TableInfo& table : tableSchema()) {
        all.push_back(&table);
        if (placeOfTable(sql, table.name)) named.push_back(&table);
    }
    Nearest nearest(name);
    for (const TableInfo* table : named.empty() ? all : named)
        for (const ColumnInfo& column : table->columns) nearest.look(column.name);
    return nearest.best();
}

std::string nearFunction(std::string_view name) {
    Nearest nearest(name);
    for (const FunctionInfo& function : kStatisticFunctions) {
        const std::string_view call = function.call;
        nearest.look(call.substr(0, call.find('(')));
    }
    for (const std::string_view function : kBuiltIn) nearest.look(function);
    return nearest.best();
}

}  // namespace

std::optional<WrongName> wrongNameOf(std::string_view sql, std::string_view message, std::optional<std::size_t> at) {
    constexpr std::string_view kTable = "no such table: ", kColumn = "no such column: ",
                               kFunction = "no such function: ";
    const auto after = [&message](std::string_view begin) { return message.substr(begin.size()); };
    std::string_view name;
    if (message.starts_with(kTable)) name = after(kTable);
    else if (message.starts_with(kColumn)) name = after(kColumn);
    else if (message.starts_with(kFunction)) name = after(kFunction);
    // "alias.column": what is wrong is the column, if the alias is one.
    const std::size_t dot = name.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
    if (last.empty()) return std::nullopt;
    std::optional<std::size_t> place;
    if (message.starts_with(kTable)) place = placeOfTable(sql, last);
    if (!place) place = placeOf(sql, last, std::min(at.value_or(0), sql.size()));
    if (!place) return std::nullopt;
    WrongName wrong{*place, *place + last.size(), {}};
    if (message.starts_with(kTable)) wrong.near = nearTable(last);
    else if (message.starts_with(kColumn)) wrong.near = nearColumn(sql, last);
    else wrong.near = nearFunction(last);
    return wrong;
}

}  // namespace altiscope
