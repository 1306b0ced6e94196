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

/// Where a name stands as a whole word, from a byte on.
std::optional<std::size_t> placeOf(std::string_view sql, std::string_view name, std::size_t from) {
    for (std::size_t at = from; at + name.size() <= sql.size(); ++at) {
        const bool begins = at == 0 || !isNameByte(sql[at - 1]),
                   ends = at + name.size() == sql.size() || !isNameByte(sql[at + name.size()]);
        if (begins && ends && equalsIgnoringCase(sql.substr(at, name.size()), name)) return at;
    }
    return std::nullopt;
}

class Nearest {
public:
    explicit Nearest(std::string_view name) : m_name(name), m_min(changesToMean(name)) {}
    void look(std::string_view known) {
        const std::size_t far = changesBetween(m_name, known, m_min);
        if (far >= m_min) return;
        m_min = far;
        m_best = known;
    }
    std::string best() const { return std::string(m_best); }

private:
    std::string_view m_name;
    std::size_t m_min;
    std::string_view m_best;
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
        if (placeOf(sql, table.name, 0)) named.push_back(&table);
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
    const auto place = placeOf(sql, last, std::min(at.value_or(0), sql.size()));
    if (!place) return std::nullopt;
    WrongName wrong{*place, *place + last.size(), {}};
    if (message.starts_with(kTable)) wrong.near = nearTable(last);
    else if (message.starts_with(kColumn)) wrong.near = nearColumn(sql, last);
    else wrong.near = nearFunction(last);
    return wrong;
}

}  // namespace altiscope
