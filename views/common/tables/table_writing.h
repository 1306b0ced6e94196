#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/tables/order/table_order.h"
#include "core/tables/sources/table_source.h"

#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace altiscope {

/// Content to be written: columns in their order on the screen, and the places of rows.
struct TablePart {
    std::shared_ptr<const TableSource> source;
    std::shared_ptr<const TableRows> rows;
    std::vector<std::size_t> columns;
    /// [begin, end) of places; empty: all.
    std::vector<std::pair<std::size_t, std::size_t>> places;
};

/// A text that a spreadsheet takes for what it is: cells of text that isFormula() names get a ' in front.
QString guardedCell(const QString& text);

/// Tab-separated lines with exact values, the header first, at most `mostRows` rows. GUI thread.
QString tableAsText(const TablePart& part, std::size_t mostRows);

/// The same as JSON: an array of objects, see writeTable(). GUI thread.
QString tableAsJson(const TablePart& part, std::size_t mostRows);

/// Writes a CSV (RFC 4180, formulas guarded) or JSON file (an array of objects), by the ending of the name. Columns
/// have the names of filters and SQL, values are exact; a number beside which something stands is the text that is
/// shown. The file appears when it is complete. Any thread.
/// @return What went wrong; empty if nothing or if it was cancelled.
QString writeTable(const TablePart& part, const QString& file, ProgressSlot& progress, const CancelToken& cancel);

}  // namespace altiscope
