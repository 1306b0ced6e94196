#include "core/session/sql/sql_words.h"

#include "core/query/functions/function_info.h"
#include "core/query/schema/schema.h"

#include <string_view>

namespace altiscope {

namespace {

/// Functions of SQLite that are of use here, as its manual calls them.
constexpr std::string_view kSqliteFunctions[] = {"abs(x)",
                                                 "avg(x)",
                                                 "coalesce(x, y, ...)",
                                                 "count(*)",
                                                 "cume_dist()",
                                                 "dense_rank()",
                                                 "first_value(x)",
                                                 "format(format, ...)",
                                                 "group_concat(x, separator)",
                                                 "hex(x)",
                                                 "ifnull(x, y)",
                                                 "iif(x, y, z)",
                                                 "instr(x, y)",
                                                 "json_each(x)",
                                                 "json_extract(x, path)",
                                                 "json_group_array(x)",
                                                 "json_type(x, path)",
                                                 "lag(x)",
                                                 "last_value(x)",
                                                 "lead(x)",
                                                 "length(x)",
                                                 "like(x, y)",
                                                 "lower(x)",
                                                 "ltrim(x)",
                                                 "max(x)",
                                                 "min(x)",
                                                 "ntile(n)",
                                                 "nullif(x, y)",
                                                 "percent_rank()",
                                                 "printf(format, ...)",
                                                 "rank()",
                                                 "replace(x, y, z)",
                                                 "round(x, digits)",
                                                 "row_number()",
                                                 "rtrim(x)",
                                                 "sign(x)",
                                                 "substr(x, start, length)",
                                                 "sum(x)",
                                                 "total(x)",
                                                 "trim(x)",
                                                 "typeof(x)",
                                                 "upper(x)"};

/// Words of statements that read.
constexpr std::string_view kReadingKeywords[] = {
    "ALL",       "AND",       "AS",           "ASC",       "BETWEEN",   "BY",        "CASE",   "CAST",      "COLLATE",
    "CROSS",     "CURRENT",   "DESC",         "DISTINCT",  "ELSE",      "END",       "ESCAPE", "EXCEPT",    "EXISTS",
    "EXPLAIN",   "FALSE",     "FILTER",       "FIRST",     "FOLLOWING", "FROM",      "FULL",   "GLOB",      "GROUP",
    "HAVING",    "IN",        "INNER",        "INTERSECT", "IS",        "ISNULL",    "JOIN",   "LAST",      "LEFT",
    "LIKE",      "LIMIT",     "MATERIALIZED", "NATURAL",   "NOT",       "NOTNULL",   "NULL",   "NULLS",     "OFFSET",
    "ON",        "OR",        "ORDER",        "OUTER",     "OVER",      "PARTITION", "PLAN",   "PRECEDING", "QUERY",
    "RANGE",     "RECURSIVE", "REGEXP",       "RIGHT",     "ROW",       "ROWS",      "SELECT", "THEN",      "TRUE",
    "UNBOUNDED", "UNION",     "USING",        "VALUES",    "WHEN",      "WHERE",     "WINDOW", "WITH"};

SqlWord functionWord(std::string_view call, std::string_view meaning) {
    SqlWord word{
        .kind = SqlWord::Kind::Function, .word = {}, .table = {}, .type = {}, .unit = {}, .meaning = {}, .call = {}};
    word.word = call.substr(0, call.find('('));
    word.call = call;
    word.meaning = meaning;
    return word;
}

}  // namespace

std::vector<SqlWord> sqlWords() {
    std::vector<SqlWord> words;
    for (const TableInfo& table : tableSchema()) {
        SqlWord& named = words.emplace_back();
        named.kind = SqlWord::Kind::Table;
        named.word = table.name;
        named.meaning = table.meaning;
        for (const ColumnInfo& column : table.columns) {
            SqlWord& word = words.emplace_back();
            word.kind = SqlWord::Kind::Column;
            word.word = column.name;
            word.table = table.name;
            word.type = columnTypeName(column.type);
            word.unit = column.unit;
            word.meaning = column.meaning;
        }
    }
    for (const FunctionInfo& function : kStatisticFunctions)
        words.push_back(functionWord(function.call, function.meaning));
    for (const std::string_view call : kSqliteFunctions) words.push_back(functionWord(call, {}));
    for (const std::string_view keyword : kReadingKeywords) words.emplace_back().word = keyword;
    return words;
}

}  // namespace altiscope
