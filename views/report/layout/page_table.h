#pragma once

#include "core/report/document/report_document.h"

#include <string>

namespace altiscope {

class PageComposer;

/// Draws a table of a report: columns as wide as their texts need and the page allows, texts that are longer than a
/// cell below their row. Rows go over pages, each of which repeats the headings. Longer texts are cut; HTML and JSON
/// have all of them.
void addPageTable(PageComposer& pages, const ReportTable& table, const std::string& language);

/// The height that the chart of a table keeps together with what stands above it; 0 without one.
double pageChartRoom(const ReportTable& table);

/// The chart of a table as bars, see ReportChart; nothing where there is nothing to draw.
void addPageChart(PageComposer& pages, const ReportTable& table, const std::string& language);

}  // namespace altiscope
