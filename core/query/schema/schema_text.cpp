#include "core/query/schema/schema_text.h"

#include "core/base/text/text.h"
#include "core/query/functions/function_info.h"
#include "core/query/schema/schema.h"
#include "core/query/schema/table_functions.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace altiscope {

namespace {

std::string tableText(std::string_view title, std::string_view meaning, std::span<const ColumnInfo> columns) {
    std::string text = std::string(title) + ": " + std::string(meaning) + '\n';
    std::size_t nameWidth = 0;
    std::size_t unitWidth = 0;
    for (const ColumnInfo& column : columns) {
        nameWidth = std::max(nameWidth, column.name.size());
        unitWidth = std::max(unitWidth, column.unit.size());
    }
    for (const ColumnInfo& column : columns) {
        std::string line = "  " + std::string(column.name);
        line.resize(nameWidth + 4, ' ');
        line += columnTypeName(column.type);
        line.resize(nameWidth + 13, ' ');
        line += column.unit;
        line.resize(nameWidth + unitWidth + 15, ' ');
        text += line + std::string(column.meaning) + '\n';
    }
    return text;
}

std::string tableJson(std::string_view kind, std::string_view name, std::string_view meaning,
                      std::span<const ColumnInfo> columns, std::string_view call = {}) {
    std::string json = "\n{\"table\":" + jsonQuoted(name) + ",";
    if (!kind.empty()) json += "\"kind\":" + jsonQuoted(kind) + ",";
    if (!call.empty()) json += "\"call\":" + jsonQuoted(call) + ",";
    json += "\"meaning\":" + jsonQuoted(meaning) + ",\"columns\":[";
    for (const ColumnInfo& column : columns) {
        if (&column != columns.data()) json += ',';
        json += "{\"name\":" + jsonQuoted(column.name) + ",\"type\":" + jsonQuoted(columnTypeName(column.type)) +
                ",\"unit\":" + jsonQuoted(column.unit) + ",\"meaning\":" + jsonQuoted(column.meaning) + "}";
    }
    return json + "]}";
}

}  // namespace

std::string schemaText() {
    std::string text;
    for (const TableInfo& table : tableSchema()) {
        if (!text.empty()) text += '\n';
        text += tableText(table.name, table.meaning, table.columns);
    }
    for (const ViewInfo& view : schemaViews()) text += '\n' + tableText(view.name, view.meaning, view.columns);
    for (const TableFunctionInfo& function : tableFunctions())
        text += '\n' + tableText(function.call, function.meaning, function.columns);
    text += "\nAggregate functions beside those of SQLite; NULL does not count:\n";
    for (const FunctionInfo& function : kStatisticFunctions) {
        std::string line = "  " + std::string(function.call);
        line.resize(20, ' ');
        text += line + function.meaning + '\n';
    }
    return text;
}

std::string schemaJson() {
    std::string json;
    const auto add = [&json](const std::string& one) { json += (json.empty() ? "" : ",") + one; };
    for (const TableInfo& table : tableSchema()) add(tableJson({}, table.name, table.meaning, table.columns));
    for (const ViewInfo& view : schemaViews()) add(tableJson("view", view.name, view.meaning, view.columns));
    for (const TableFunctionInfo& function : tableFunctions())
        add(tableJson("function", function.name, function.meaning, function.columns, function.call));
    return "[" + json + "\n]\n";
}

}  // namespace altiscope
