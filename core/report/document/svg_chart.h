#pragma once

#include "core/report/document/report_document.h"

#include <cstddef>
#include <string>

namespace altiscope {

/// Rows that a chart shows; further ones stand in the table alone, and the chart says so.
inline constexpr std::size_t kMaxBars = 40;

/// The chart of a table as an SVG element: a horizontal bar for each row, its parts one after the other, with a legend
/// where there are several. Colours are the classes c1, c2 ... of the page. Empty where there is nothing to draw.
std::string svgChart(const ReportTable& table, const std::string& language);

}  // namespace altiscope
