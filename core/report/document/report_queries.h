#pragma once

#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// A table of the report: what it shows, and the statement that gives it.
struct ReportQuery {
    std::string_view section;     ///< id
    std::string_view title;       ///< Code of the catalogue.
    std::string_view sql;         ///< With "$fragment" and "{part of a step}", see statementOf().
    std::string_view units;       ///< Units of its columns, with commas between; see ReportColumn.
    std::string_view parts;       ///< Numbers of the columns that the chart shows, of one digit each; empty: no chart.
    bool isLeftOutEmpty = false;  ///< Whether a table without rows is not there at all.
};

/// A section: its texts by code of the catalogue.
struct ReportSectionInfo {
    std::string_view id;
    std::string_view title;
    std::string_view text;  ///< Empty: made from the rows of its tables.
};

/// In the order of the report. "compare" is there only with a base.
std::span<const ReportSectionInfo> reportSections();
/// All tables, by section in this order. Charts label rows by the first column.
std::span<const ReportQuery> reportQueries();
/// The whole statement.
std::string statementOf(const ReportQuery& query);

}  // namespace altiscope
