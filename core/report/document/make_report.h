#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/comparison.h"
#include "core/query/database.h"
#include "core/report/document/report_document.h"
#include "core/report/document/report_scope.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Choices for a report.
struct ReportRequest {
    std::string capture;                  ///< Path, as the user gave it.
    std::string language = "en";          ///< "en" or "zh_CN"
    std::string program;                  ///< Name and version.
    std::string generated;                ///< UTC, see Report::generated.
    std::vector<std::string> sections;    ///< ids; empty: all.
    const Comparison* compare = nullptr;  ///< Null: no section of it.
    ReportScope scope = {};               ///< Part of the capture; a comparison chooses its own ranks and steps.
};

/// The first of some words that is no section; nullopt if all are.
std::optional<std::string> unknownSection(const std::vector<std::string>& sections);

/// Runs the queries of the report's tables. Each number in its texts stands in one of its tables.
/// @return Error as QueryDatabase::run.
/// @note  Parallel on the arena. Memory: the rows, some thousand of each table at most.
Result<Report> makeReport(const QueryDatabase& database, const ReportRequest& request, const CancelToken& cancel);

/// A report of the comparison alone.
Report makeComparisonReport(const Comparison& comparison, const ReportRequest& request);

/// Now, as Report::generated has it.
std::string reportTime();

}  // namespace altiscope
