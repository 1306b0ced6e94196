#pragma once

#include "core/tables/sources/table_source.h"

#include <QString>

#include <string_view>

namespace altiscope {

// How cells of tables read; pure functions of the GUI thread, but for plainCell(), which is for any thread.

/// Three or four digits with unit: what a table shows. Empty for an absent cell.
QString cellText(const TableSource& source, std::size_t column, std::int64_t cell);
/// Every digit with unit, for tooltips; an absent cell says so.
QString exactCellText(const TableSource& source, std::size_t column, std::int64_t cell);
/// Bare value in the column's own unit (ns, bytes): for the clipboard and exported files. Empty for an absent cell.
QString plainCell(const TableSource& source, std::size_t column, std::int64_t cell);
/// "ns", "B", ...: the unit of plainCell(); empty if it has none.
QString plainUnit(CellUnit unit);

/// "1 · run_2": a cell's text with what TableSource::beside() says of it.
QString withBeside(const QString& text, std::string_view beside);

bool isRightAligned(const TableColumn& column);

/// A text as one cell takes it: tabs and line ends become blanks. Any thread.
QString onOneLine(QString text);

}  // namespace altiscope
