#pragma once

#include "core/report/document/report_document.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// First page of a report, for a reader without time. Points into the report.
struct ReportSummary {
    static constexpr std::size_t kMaxFindings = 6;

    /// Each null where the report has no such rows.
    const ReportTable* facts = nullptr;     ///< One row of figures.
    const ReportTable* steps = nullptr;     ///< The mean step in its first row.
    const ReportTable* findings = nullptr;  ///< The worst first.
    /// Those whose text says the main thing, in order.
    std::vector<const ReportSection*> sections;
};
ReportSummary summaryOf(const Report& report);

/// A value of a row by the name of its column; NULL where there is none.
ReportValue valueOf(const ReportTable& table, std::size_t row, std::string_view column);

/// The time of a step that a finding says can be saved, for people; empty where it says none.
std::string savingText(const ReportTable& findings, std::size_t row);
/// Code of the catalogue for a finding's severity.
std::string_view severityCode(std::string_view severity);

}  // namespace altiscope
