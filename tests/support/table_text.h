#pragma once

#include "core/base/text/text.h"
#include "core/store/rows/row_table.h"

#include <QtGlobal>

#include <cstddef>
#include <string>
#include <string_view>

namespace altiscope::test {

/// The table of that name. @pre there is one.
inline RowKind kindOf(const std::string& name) {
    for (std::size_t k = 0; k < kRowKinds; ++k) {
        if (rowKindName(static_cast<RowKind>(k)) == name) return static_cast<RowKind>(k);
    }
    qFatal("%s", name.c_str());
}

/// One row of a summary table as "name=Add ts=1000 dur=5": its cells that are not absent, in the order of the columns.
inline std::string rowText(const RowTables& tables, const RowTable& table, std::size_t row) {
    std::string text;
    const auto fixed = rowColumns(table.kind());
    for (std::size_t column = 0; column < table.columnCount(); ++column) {
        const RowCell cell = column < fixed.size() ? fixed[column].cell : RowCell::Real;
        std::string value;
        if (cell == RowCell::Real) {
            if (const auto real = table.real(column, row)) value = shortestNumber(*real);
            else continue;
        } else if (const auto integer = table.integer(column, row)) {
            value =
                cell == RowCell::Text ? std::string(tables.text(*table.text(column, row))) : std::to_string(*integer);
        } else {
            continue;
        }
        text += text.empty() ? "" : " ";
        text += column < fixed.size() ? std::string(fixed[column].name) : table.extras()[column - fixed.size()];
        text += '=' + value;
    }
    return text;
}

/// All rows of a table, one a line; empty if there are none.
inline std::string tableText(const RowTables* tables, RowKind kind) {
    std::string text;
    const RowTable* table = tables == nullptr ? nullptr : tables->find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row)
        text += rowText(*tables, *table, row) + '\n';
    return text;
}

}  // namespace altiscope::test
