#pragma once

#include "core/store/capture_store.h"
#include "core/store/rows/row_table.h"

#include <QByteArray>

#include <string>

namespace altiscope::test {

/// A cell as text, "-" where it is absent.
inline std::string cellText(const RowTables& tables, const RowTable& table, std::size_t column, std::size_t row) {
    if (rowColumns(table.kind())[column].cell == RowCell::Real) {
        const auto value = table.real(column, row);
        return value ? QByteArray::number(*value).toStdString() : "-";
    }
    const auto value = table.integer(column, row);
    if (!value) return "-";
    return rowColumns(table.kind())[column].cell == RowCell::Text ? std::string(tables.text(*table.text(column, row)))
                                                                  : std::to_string(*value);
}

/// "RANK TABLE cell|cell|..." of every row, one a line; "?" for no rank id, "-" for the capture itself.
inline std::string dumpTables(const CaptureStore& capture) {
    std::string text;
    const auto add = [&](const std::string& whose, const RowTables* tables) {
        for (std::size_t t = 0; tables != nullptr && t < tables->tables().size(); ++t) {
            const RowTable& table = tables->tables()[t];
            for (std::size_t row = 0; row < table.size(); ++row) {
                text += whose + ' ' + std::string(rowKindName(table.kind())) + ' ';
                for (std::size_t c = 0; c < rowColumns(table.kind()).size(); ++c)
                    text += (c == 0 ? "" : "|") + cellText(*tables, table, c, row);
                text += '\n';
            }
        }
    };
    for (const RankEntry& rank : capture.ranks)
        add(rank.info.rankId ? std::to_string(*rank.info.rankId) : "?", rank.rows.get());
    add("-", capture.rows.get());
    return text;
}

}  // namespace altiscope::test
