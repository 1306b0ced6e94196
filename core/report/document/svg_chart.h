#pragma once

#include "core/report/document/report_document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace altiscope {

/// Rows that a chart shows; further ones stand in the table alone, and the chart says so.
inline constexpr std::size_t kMaxBars = 40;

/// The length of a row's bar: the sum of its parts, of which none counts as less than 0.
double barTotal(const ReportTable& table, const std::vector<ReportValue>& row);

/// The chart of a table as an SVG element: a horizontal bar for each row, its parts one after the other, with a legend
/// where there are several. Colours are the classes c1, c2 ... of the page. Empty where there is nothing to draw.
std::string svgChart(const ReportTable& table, const std::string& language);

}  // namespace altiscope
