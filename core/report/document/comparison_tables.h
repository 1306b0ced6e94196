#pragma once

#include "core/compare/comparison.h"
#include "core/report/document/report_document.h"

#include <string>
#include <vector>

namespace altiscope {

/// A comparison as tables of a report: the time of a step, the significant differences, and the largest of each
/// dimension. None is the result of a query.
std::vector<ReportTable> comparisonTables(const Comparison& comparison, const std::string& language);

}  // namespace altiscope
