#include "core/query/schema/schema_text.h"

#include "core/base/text/text.h"
#include "core/query/functions/function_info.h"
#include "core/query/schema/schema.h"

#include <algorithm>

namespace altiscope {

std::string schemaText() {
    std::string text;
    for (const TableInfo& table : tableSchema()) {
        if (!text.empty()) text += '\n';
        text += std::string(table.name) + ": " + std::string(table.meaning) + '\n';
        std::size_t nameWidth = 0;
        std::size_t unitWidth = 0;
        for (const ColumnInfo& column : table.columns) {
            nameWidth = std::max(nameWidth, column.name.size());
            unitWidth = std::max(unitWidth, column.unit.size());
        }
        for (const ColumnInfo& column : table.columns) {
            std::string line = "  " + std::string(column.name);
            line.resize(nameWidth + 4, ' ');
            line += columnTypeName(column.type);
            line.resize(nameWidth + 13, ' ');
            line += column.unit;
            line.resize(nameWidth + unitWidth + 15, ' ');
            text += line + std::string(column.meaning) + '\n';
        }
    }
    text += "\nAggregate functions beside those of SQLite; NULL does not count:\n";
    for (const FunctionInfo& function : kStatisticFunctions) {
        std::string line = "  " + std::string(function.call);
        line.resize(20, ' ');
        text += line + function.meaning + '\n';
    }
    return text;
}

std::string schemaJson() {
    std::string json = "[";
    for (const TableInfo& table : tableSchema()) {
        if (json.size() > 1) json += ',';
        json +=
            "\n{\"table\":" + jsonQuoted(table.name) + ",\"meaning\":" + jsonQuoted(table.meaning) + ",\"columns\":[";
        bool isFirst = true;
        for (const ColumnInfo& column : table.columns) {
            if (!isFirst) json += ',';
            isFirst = false;
            json += "{\"name\":" + jsonQuoted(column.name) + ",\"type\":" + jsonQuoted(columnTypeName(column.type)) +
                    ",\"unit\":" + jsonQuoted(column.unit) + ",\"meaning\":" + jsonQuoted(column.meaning) + "}";
        }
        json += "]}";
    }
    return json + "\n]\n";
}

}  // namespace altiscope
